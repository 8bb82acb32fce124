import CairnStorage
import TestSupport

/// A table as a plain dictionary, and the change sets of random transactions on it: the model that
/// recording and composition are held against.
struct ChangeModel {
    /// The content: row → column → value. Every write stores a value that was never stored before.
    var table: [UInt64: [UInt16: Int]] = [:]
    private var nextRow: UInt64 = 0
    private var nextValue = 0

    static let columns: [UInt16] = [1, 2, 300]

    init(firstRow: UInt64) {
        nextRow = firstRow
    }

    private mutating func newValue() -> Int {
        nextValue += 1
        return nextValue
    }

    /// Carries out a random transaction and returns what was recorded of it.
    mutating func transaction(_ random: inout SeededGenerator) -> TableChanges {
        var changes = TableChanges()
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let row = table.keys.sorted().randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), row) {
            case (0..<4, _), (_, nil): insert(&changes, &random)
            case (4..<8, let row?):
                let column = ChangeModel.columns.randomElement(using: &random)!
                table[row]![column] = newValue()
                changes.noteModified(RowKey(row), ColumnID(column))
            case (_, let row?):
                table[row] = nil
                changes.noteDeleted(RowKey(row))
            }
        }
        return changes
    }

    private mutating func insert(_ changes: inout TableChanges, _ random: inout SeededGenerator) {
        // Now and then a jump, so that blocks and their borders are met.
        if random.oneIn(6) { nextRow += UInt64.random(in: 0..<500, using: &random) }
        let count = UInt64.random(in: 1...4, using: &random)
        for row in nextRow..<(nextRow + count) {
            table[row] = Dictionary(uniqueKeysWithValues: ChangeModel.columns.map { ($0, newValue()) })
        }
        if count == 1 {
            changes.noteInserted(RowKey(nextRow))
        } else {
            changes.noteInserted(RowKey(nextRow)..<RowKey(nextRow + count))
        }
        nextRow += count
    }

    /// The old content brought forward: only the rows and columns that the changes name are looked
    /// up in the new content. Nil when the changes do not fit the old content.
    static func bringForward(
        _ old: [UInt64: [UInt16: Int]], by changes: TableChanges, to new: [UInt64: [UInt16: Int]]
    ) -> [UInt64: [UInt16: Int]]? {
        var result = old
        for row in changes.deleted {
            guard result.removeValue(forKey: row.value) != nil else { return nil }
        }
        for row in changes.inserted {
            guard old[row.value] == nil, let values = new[row.value] else { return nil }
            result[row.value] = values
        }
        for (column, rows) in changes.modified {
            for row in rows {
                guard result[row.value] != nil, let values = new[row.value] else { return nil }
                result[row.value]![column.value] = values[column.value]
            }
        }
        return result
    }
}

/// Random change sets, of any shape that is legal.
enum ChangeSamples {
    static func changeSet(_ random: inout SeededGenerator) -> ChangeSet {
        let before = UInt64.random(in: 0..<1_000, using: &random)
        var tables: [SpaceID: TableChanges] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            tables[SpaceID(.random(in: 1...UInt16.max, using: &random))] = tableChanges(&random)
        }
        return ChangeSet(
            from: Version(before), to: Version(before + 1), origin: random.next(),
            catalogueChanged: Bool.random(using: &random), tables: tables)
    }

    static func tableChanges(_ random: inout SeededGenerator) -> TableChanges {
        if random.oneIn(8) { return .rewritten }
        var all = rowKeySet(&random)
        let inserted = part(of: &all, &random)
        let deleted = part(of: &all, &random)
        var modified: [ColumnID: RowKeySet] = [:]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            var rest = all
            modified[ColumnID(.random(in: 1...UInt16.max, using: &random))] = part(of: &rest, &random)
        }
        return TableChanges(inserted: inserted, deleted: deleted, modified: modified)!
    }

    /// Takes about a third of the rows away.
    private static func part(of rows: inout RowKeySet, _ random: inout SeededGenerator) -> RowKeySet {
        var taken = RowKeySet()
        for entry in rows.entries {
            if random.oneIn(2) {
                // Whole blocks too, so that all forms come up.
                if random.oneIn(3) { taken.insert(entry.rows, of: entry.block) }
            } else {
                for slot in entry.rows where random.oneIn(3) {
                    taken.insert(RowKey(block: entry.block, slot: slot))
                }
            }
        }
        rows.subtract(taken)
        return taken
    }

    static func rowKeySet(_ random: inout SeededGenerator) -> RowKeySet {
        var set = RowKeySet()
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let bits = UInt32.random(in: 0...31, using: &random)
            let block = UInt32.random(in: 0..<max(1, UInt32.max >> bits), using: &random)
            let lower = Int.random(in: 0..<448, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: set.insert(.full, of: block)
            case 1: set.insert(BlockBitmap(slot: lower), of: block)
            case 2: set.insert(BlockBitmap(lower..<Int.random(in: lower...448, using: &random)), of: block)
            default:
                for _ in 0..<Int.random(in: 1...60, using: &random) {
                    set.insert(RowKey(block: block, slot: Int.random(in: 0..<448, using: &random)))
                }
            }
        }
        return set
    }
}
