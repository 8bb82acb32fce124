internal import CairnStorage
internal import Foundation

/// Cairn's engine, without objects: sessions, tables and columns.
///
/// Rows are added in the order of the data set, so a mission's row key is its place. A primary key on
/// the 12-byte id of both tables; the list of missions is a list of links, whose mirror is the way back.
final class EngineContender: Contender {
    static let name = "engine"

    let data: Dataset
    private let path: String
    private var opened: (store: Store, session: Session)?

    init(directory: String, data: Dataset) throws {
        self.data = data
        path = "\(directory)/cairn.db"
        try openIfNeeded()
        try write { session in
            let missions = try session.createTable("MissionData")
            let space = missions.definition.space
            for column in Columns.missions { try session.addColumn(column, to: space) }
            let id = missions.definition.columns[Columns.id].id
            try session.addIndex(.hash, on: [id], of: space, isUnique: true, isPrimaryKey: true)
            let lists = try session.createTable("DateList")
            let listSpace = lists.definition.space
            for column in Columns.lists { try session.addColumn(column, to: listSpace) }
            let listID = lists.definition.columns[Columns.listID].id
            try session.addIndex(.hash, on: [listID], of: listSpace, isUnique: true, isPrimaryKey: true)
        }
    }

    /// The positions of the columns.
    enum Columns {
        static let id = 0
        static let todayDate = 1
        static let wakeUpTime = 2
        static let startTime = 3
        static let endTime = 4
        static let mission = 5
        static let missionComplete = 6
        /// The hidden column that mirrors `listMissions`.
        static let main = 7
        static let listID = 0
        static let today = 1
        static let listMissions = 2

        static var missions: [Session.NewColumn] {
            [
                Session.NewColumn("id", .objectId), Session.NewColumn("todayDate", .date),
                Session.NewColumn("wakeUpTime", .date, isNullable: true),
                Session.NewColumn("startTime", .date),
                Session.NewColumn("endTime", .date), Session.NewColumn("mission", .string),
                Session.NewColumn("missionComplete", .bool),
            ]
        }

        static var lists: [Session.NewColumn] {
            [
                Session.NewColumn("id", .objectId), Session.NewColumn("today", .date),
                Session.NewColumn("mission", .link, collection: .list, target: "MissionData"),
            ]
        }
    }

    func missions(_ session: Session) throws -> SessionTable { try table("MissionData", session) }
    func lists(_ session: Session) throws -> SessionTable { try table("DateList", session) }

    private func table(_ name: String, _ session: Session) throws -> SessionTable {
        guard let table = try session.table(named: name) else {
            throw WrongResult(description: "no table \(name)")
        }
        return table
    }

    /// One write; ordinary unless said otherwise.
    func write(
        durability: StoreOptions.Durability = .lastCommitAtRisk, _ body: (Session) throws -> Void
    ) throws {
        let (store, session) = try openIfNeeded()
        try store.write(session, durability: durability) { try body(session) }
    }

    /// A read at the newest version.
    func read<Result>(_ body: (Session) throws -> Result) throws -> Result {
        let (store, session) = try openIfNeeded()
        try store.refresh(session)
        return try body(session)
    }

    @discardableResult
    private func openIfNeeded() throws -> (store: Store, session: Session) {
        if let opened { return opened }
        let store = try Store.open(StoreOptions(path: path))
        let new = (store: store, session: try store.makeSession())
        opened = new
        return new
    }

    func open(times: Int) throws -> Answer {
        var answer = Answer()
        opened = nil
        for time in 0..<times {
            let session = try Store.open(StoreOptions(path: path)).makeSession()
            let missions = try missions(session)
            guard let row = try missions.row(index: 0, key: data.missions[data.lookups[time]].key) else {
                throw WrongResult(description: "a mission was not found after opening")
            }
            answer.sum += missions.value(row, Columns.startTime, as: Double.self)
            answer.count += 1
        }
        try openIfNeeded()
        return answer
    }

    func byteCount() throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    func close() throws {
        opened = nil
    }
}
