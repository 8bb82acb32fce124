import CairnStorage

/// The two tables as one session sees them, and the positions of their columns.
struct Week {
    let days: SessionTable
    let missions: SessionTable
    let dayName = 0
    let dayMissions = 1
    let id = 0
    let text = 1
    let start = 2
    let isComplete = 3
    /// The hidden column that mirrors `dayMissions`.
    let missionDays = 4

    static func makeTables(in session: Session) throws {
        let missions = try session.createTable("Mission")
        let space = missions.definition.space
        try session.addColumn(Session.NewColumn("id", .int), to: space)
        try session.addColumn(Session.NewColumn("text", .string), to: space)
        try session.addColumn(Session.NewColumn("start", .date), to: space)
        try session.addColumn(Session.NewColumn("isComplete", .bool), to: space)
        let columns = missions.definition.columns
        try session.addIndex(.hash, on: [columns[0].id], of: space, isUnique: true, isPrimaryKey: true)
        try session.addIndex(.ordered, on: [columns[2].id], of: space)
        let days = try session.createTable("Day")
        try session.addColumn(Session.NewColumn("name", .string), to: days.definition.space)
        try session.addColumn(
            Session.NewColumn("missions", .link, collection: .list, target: "Mission"),
            to: days.definition.space)
    }

    init(_ session: Session) throws {
        guard let days = try session.table(named: "Day"), let missions = try session.table(named: "Mission")
        else {
            throw StorageError(.notFound, "The file has no week in it.")
        }
        self.days = days
        self.missions = missions
    }

    func name(of day: RowKey) -> String { days.string(day, dayName) }
    func text(of mission: RowKey) -> String { missions.string(mission, text) }

    var firstMission: RowKey? {
        var first: RowKey?
        missions.forEachRow { if first == nil { first = $0 } }
        return first
    }

    func completedCount() throws -> Int {
        var count = 0
        missions.forEachRow { if missions.bool($0, isComplete) { count += 1 } }
        return count
    }
}
