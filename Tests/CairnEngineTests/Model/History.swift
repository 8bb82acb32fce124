import CairnStorage
import Foundation
import TestSupport

/// One long random history of one store, step by step with its model.
///
/// Mostly inside one write: it commits rarely. Everything that is random comes from the seed.
final class History {
    let fixture: StoreFixture
    var chance: ValueChance
    let seed: UInt64
    var openSession: Session?
    /// What the session must show.
    var model = Model()
    /// The row keys below these were handed out since the store was opened, also by what was undone: none may
    /// come again.
    var usedKeys: [SpaceID: UInt64] = [:]
    /// The models of the open layers, the transaction's first: what undoing each leads to.
    var layers: [Model] = []
    /// What is committed.
    var committed = Model()
    /// The session that is not writing, at an older version perhaps; nil until it is needed.
    var idle: IdleSession?
    /// Older versions that somebody still reads.
    var readers: [HistoryReader] = []
    /// Tables that the program has in its hand.
    var held: [SpaceID: SessionTable] = [:]
    var nameCount = 0
    /// Whether it commits every few steps, and compares everything less often for that.
    let commitsOften: Bool
    /// What the store told of the changes between versions.
    var toldChanges: [ChangeSet] = []
    /// What happened, for the report of a failure.
    private(set) var trace: [String] = []
    private let printsTrace = ProcessInfo.processInfo.environment["CAIRN_TRACE"] != nil
    /// The steps between two comparisons of everything.
    private let comparisonInterval: Int

    init(
        _ fixture: StoreFixture, seed: UInt64, comparisonInterval: Int = 40, commitsOften: Bool = false
    ) throws {
        self.fixture = fixture
        self.commitsOften = commitsOften
        self.seed = seed
        self.comparisonInterval = comparisonInterval
        chance = ValueChance(SeededGenerator(seed: seed))
        openSession = try fixture.store.makeSession()
    }

    var session: Session {
        guard let openSession else { preconditionFailure("a history went on without a session") }
        return openSession
    }

    /// Runs so many steps and ends with everything committed and compared.
    func run(_ stepCount: Int) throws {
        var step = 0
        do {
            try begin()
            try makeFirstSchema()
            while step < stepCount {
                try self.step()
                step += 1
                if step % comparisonInterval == 0 { try compare() }
            }
            if session.isWriting { try commit() }
            try compareEverywhere()
            try reopen()
            try compareEverywhere()
            forgetReaders()
        } catch {
            if session.isWriting { fixture.store.cancel(session) }
            throw ModelFailure(
                """
                step \(step): \(error)
                the last steps:
                \(trace.suffix(12).joined(separator: "\n"))
                """)
        }
    }

    /// Lets go of everything that keeps the store open.
    func forgetReaders() {
        readers = []
        held = [:]
        idle = nil
    }

    func note(_ event: String) {
        if printsTrace {
            print("\(seed) \(trace.count): \(event)")
            fflush(nil)
        }
        trace.append(event)
    }

    private func step() throws {
        guard session.isWriting else { return try begin() }
        if commitsOften, chance.isOne(in: 6) { return try commit() }
        switch chance.number(0..<1000) {
        case ..<170: try burst { try insertRow() }
        case ..<195: try insertMany()
        case ..<410: try burst { try setValue() }
        case ..<520: try burst { try setLink() }
        case ..<690: try editList()
        case ..<850: try editLinks()
        case ..<892: try deleteRows()
        case ..<900: try deleteMany()
        case ..<920: try pushLayer()
        case ..<928: try popLayer()
        case ..<938: try mergeLayer()
        case ..<945: try commit()
        case ..<947: try cancel()
        case ..<950: try commitAndReopen()
        case ..<975: try changeSchema()
        default: try readLater()
        }
    }

    /// Does something a few times: one step of a history is worth what a comparison costs.
    private func burst(_ body: () throws -> Void) throws {
        for _ in 0..<chance.number(1..<7) { try body() }
    }

    // MARK: Comparing

    func compare() throws {
        note("compare")
        // Also what is between two rows of one table: a row that is not finished.
        var comparison = ModelComparison(session, model, seed: chance.chance.next())
        try comparison.run()
        try checkHeldTables()
        if let reader = readers.randomElement(using: &chance.chance) {
            try reader.compare(seed: chance.chance.next())
        }
    }

    /// Compares the session, a fresh one and all readers.
    func compareEverywhere() throws {
        try compare()
        var fresh = ModelComparison(try fixture.store.makeSession(), committed, seed: chance.chance.next())
        try fresh.run()
        if let idle {
            var comparison = ModelComparison(idle.session, idle.model, seed: chance.chance.next())
            try comparison.run()
        }
    }

    /// A table that is still there keeps its object.
    func checkHeldTables() throws {
        for (space, table) in held where model.has(space) {
            try require(try session.table(space) === table, "\(model[space].name) became another object")
        }
        for space in model.spaces { held[space] = try session.table(space) }
        for space in held.keys where !model.has(space) { held[space] = nil }
    }

    // MARK: Choosing

    /// A table by chance, one with a row if so wanted.
    func anyTable(withRows: Bool = false, where fits: (ModelTable) -> Bool = { _ in true }) -> SpaceID? {
        let candidates = model.spaces.filter { (!withRows || !model[$0].keys.isEmpty) && fits(model[$0]) }
        return candidates.randomElement(using: &chance.chance)
    }

    /// A row by chance: often one of the last.
    func anyRow(_ space: SpaceID) -> RowKey? {
        let keys = model[space].keys
        guard !keys.isEmpty else { return nil }
        if chance.isOne(in: 3) { return keys[keys.count - 1 - chance.number(0..<min(8, keys.count))] }
        return keys[chance.number(0..<keys.count)]
    }

    /// A row that is linked to: mostly one of few, so that some have many links.
    func anyTarget(_ space: SpaceID) -> RowKey? {
        let keys = model[space].keys
        guard !keys.isEmpty else { return nil }
        return keys[chance.number(0..<(chance.isOne(in: 3) ? keys.count : min(3, keys.count)))]
    }

    func anyColumn(_ space: SpaceID, where fits: (ModelColumn) -> Bool) -> ModelColumn? {
        model[space].columns.filter(fits).randomElement(using: &chance.chance)
    }

    func position(_ column: ModelColumn, _ table: SessionTable) throws -> Int {
        guard let position = table.definition.position(of: column.id) else {
            throw ModelFailure("the column \(column.name) is gone")
        }
        return position
    }

    /// Runs what may throw one code, and throws unless it does exactly when it is wanted.
    func expect(_ code: StorageError.Code?, _ what: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as StorageError where error.code == code {
            return
        }
        try require(code == nil, "\(what) was accepted, wanted \(code as Any)")
    }
}
