import CairnStorage
import TestSupport
import Testing

private let name = ColumnID(1)
private let age = ColumnID(2)

@Suite struct TableChangesTests {
    @Test func `a row that is inserted and modified is inserted`() {
        var changes = TableChanges()
        changes.noteInserted(RowKey(7))
        changes.noteModified(RowKey(7), name)
        #expect(changes.inserted == [RowKey(7)] && changes.modified.isEmpty)
    }

    @Test func `a row that is modified and deleted is deleted`() {
        var changes = TableChanges()
        changes.noteModified(RowKey(7), name)
        changes.noteModified(RowKey(8), name)
        changes.noteModified(RowKey(7), age)
        changes.noteDeleted(RowKey(7))
        #expect(changes.deleted == [RowKey(7)] && changes.modified == [name: [RowKey(8)]])
    }

    @Test func `a row that is inserted and deleted is nowhere`() {
        var changes = TableChanges()
        changes.noteInserted(RowKey(7))
        changes.noteDeleted(RowKey(7))
        #expect(changes.isEmpty && changes == TableChanges())
    }

    @Test func `the modified rows are those of all columns`() {
        var changes = TableChanges()
        changes.noteModified(RowKey(1), name)
        changes.noteModified(RowKey(448), age)
        changes.noteModified(RowKey(1), age)
        #expect(changes.modifiedRows == [RowKey(1), RowKey(448)])
    }

    @Test func `a rewritten table takes no more notes`() {
        var changes = TableChanges.rewritten
        changes.noteInserted(RowKey(1))
        changes.noteInserted(RowKey(1)..<RowKey(9))
        changes.noteModified(RowKey(2), name)
        changes.noteDeleted(RowKey(3))
        #expect(changes == .rewritten && !changes.isEmpty && changes.inserted.isEmpty)
    }

    @Test func `sets that share a row are refused`() {
        let one: RowKeySet = [RowKey(1)]
        #expect(TableChanges(inserted: one, deleted: one, modified: [:]) == nil)
        #expect(TableChanges(inserted: one, deleted: [], modified: [name: one]) == nil)
        #expect(TableChanges(inserted: [], deleted: one, modified: [name: one]) == nil)
        #expect(TableChanges(inserted: [], deleted: [], modified: [name: one, age: one]) != nil)
    }

    /// What can happen to one row in a transaction, by whether it is there before.
    private enum Fate: CaseIterable {
        case nothing, inserted, modified, deleted

        func changes(_ row: RowKey) -> TableChanges {
            let rows: RowKeySet = [row]
            return switch self {
            case .nothing: TableChanges()
            case .inserted: TableChanges(inserted: rows, deleted: [], modified: [:])!
            case .modified: TableChanges(inserted: [], deleted: [], modified: [name: rows])!
            case .deleted: TableChanges(inserted: [], deleted: rows, modified: [:])!
            }
        }
    }

    @Test(arguments: borderRows) func `every pair of fates of a row composes`(number: UInt64) {
        let row = RowKey(number)
        let composed: [(Fate, Fate, Fate)] = [
            (.nothing, .inserted, .inserted), (.nothing, .modified, .modified),
            (.nothing, .deleted, .deleted), (.inserted, .nothing, .inserted),
            (.inserted, .modified, .inserted), (.inserted, .deleted, .nothing),
            (.modified, .nothing, .modified), (.modified, .modified, .modified),
            (.modified, .deleted, .deleted), (.deleted, .nothing, .deleted),
            (.nothing, .nothing, .nothing),
        ]
        for (first, second, both) in composed {
            let result = first.changes(row).followed(by: second.changes(row))
            #expect(result == both.changes(row), "\(first), then \(second)")
        }
    }

    @Test(arguments: [0, 447, 5_000] as [UInt64])
    func `old content and composed changes give the new content`(firstRow: UInt64) {
        var random = SeededGenerator()
        for _ in 0..<150 {
            var model = ChangeModel(firstRow: firstRow)
            _ = (0..<3).map { _ in model.transaction(&random) }
            let old = model.table
            let steps = (0..<Int.random(in: 1...8, using: &random)).map { _ in model.transaction(&random) }
            let composed = steps.reduce(TableChanges()) { $0.followed(by: $1) }
            #expect(
                ChangeModel.bringForward(old, by: composed, to: model.table) == model.table,
                "\(random.reproduction)")
            #expect(
                TableChanges(
                    inserted: composed.inserted, deleted: composed.deleted, modified: composed.modified)
                    == composed, "a row is in one set at the most; \(random.reproduction)")
            // Composition may be carried out in any grouping.
            let split = Int.random(in: 0...steps.count, using: &random)
            let left = steps[..<split].reduce(TableChanges()) { $0.followed(by: $1) }
            let right = steps[split...].reduce(TableChanges()) { $0.followed(by: $1) }
            #expect(left.followed(by: right) == composed, "\(random.reproduction)")
        }
    }

    @Test func `what is rewritten in either is rewritten`() {
        let changes = TableChanges(inserted: [RowKey(1)], deleted: [], modified: [:])!
        #expect(changes.followed(by: .rewritten) == .rewritten)
        #expect(TableChanges.rewritten.followed(by: changes) == .rewritten)
    }
}

@Suite struct ChangeSetTests {
    private let people = SpaceID(1)
    private let dogs = SpaceID(2)

    private func set(_ before: UInt64, _ tables: [SpaceID: TableChanges], origin: UInt64 = 9) -> ChangeSet {
        ChangeSet(from: Version(before), to: Version(before + 1), origin: origin, tables: tables)
    }

    @Test func `sets that meet span both`() {
        let inserts = TableChanges(inserted: [RowKey(1)], deleted: [], modified: [:])!
        let deletes = TableChanges(inserted: [], deleted: [RowKey(1)], modified: [:])!
        let first = set(4, [people: inserts, dogs: deletes])
        let both = first.followed(by: set(5, [people: deletes]))
        #expect(both.versionBefore == Version(4) && both.version == Version(6) && both.origin == 9)
        #expect(both.tables == [dogs: deletes], "a table whose changes undo each other is not listed")
        #expect(both.changes(of: people).isEmpty)
    }

    @Test func `a set of two stores has no origin`() {
        #expect(set(1, [:]).followed(by: set(2, [:], origin: 8)).origin == 0)
    }

    @Test func `a change of the catalogue stays`() {
        let first = ChangeSet(from: Version(1), to: Version(2), origin: 9, catalogueChanged: true)
        #expect(first.followed(by: set(2, [:])).catalogueChanged)
        #expect(set(0, [:]).followed(by: first).catalogueChanged)
        #expect(!first.isEmpty && set(0, [:]).isEmpty)
    }

    @Test func `with a set that was too large every table counts as rewritten`() {
        var large = set(1, [people: .rewritten])
        large.noteTooLarge()
        #expect(large.isTooLarge && large.tables.isEmpty && large.changes(of: dogs).isRewritten)
        let small = set(0, [people: .rewritten])
        #expect(small.followed(by: large).isTooLarge && small.followed(by: large).tables.isEmpty)
        #expect(large.followed(by: set(2, [dogs: .rewritten])).isTooLarge)
    }

    @Test func `sets that do not meet trap`() async {
        await #expect(processExitsWith: .failure) {
            let first = ChangeSet(from: Version(1), to: Version(2), origin: 9)
            _ = first.followed(by: ChangeSet(from: Version(3), to: Version(4), origin: 9))
        }
    }
}
