import CairnStorage
import TestSupport
import Testing

private func decode(_ record: [UInt8], _ version: Version) throws -> ChangeSet {
    try record.withUnsafeBytes { try ChangeSet(decoding: $0, version: version) }
}

/// The code of the error that decoding throws; nil when it throws none.
private func failure(_ record: [UInt8], _ version: UInt64) -> StorageError.Code? {
    do {
        _ = try decode(record, Version(version))
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}

@Suite struct ChangeSetCodingTests {
    /// A set of one table, as version 2.
    private func set(_ inserted: RowKeySet) -> ChangeSet {
        let changes = TableChanges(inserted: inserted, deleted: [], modified: [:])!
        return ChangeSet(from: Version(1), to: Version(2), origin: 7, tables: [SpaceID(3): changes])
    }

    @Test func `a record has the bytes that the format page says`() {
        let changes = TableChanges(
            inserted: [RowKey(450)], deleted: RowKeySet(RowKey(0)..<RowKey(448)),
            modified: [ColumnID(300): RowKeySet(RowKey(896)..<RowKey(900))])!
        let set = ChangeSet(
            from: Version(1), to: Version(2), origin: 7, catalogueChanged: true,
            tables: [SpaceID(3): changes, SpaceID(2): .rewritten])
        #expect(
            Array(set.encoded().dropFirst(8)) == [
                1, 1, 0, 0, 2, 0, 0, 0,  // format, flags, zero, tables
                1, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0,  // version before, origin
                2, 0, 1,  // a rewritten table
                3, 0, 0, 1,  // space, flags, columns
                1, 2, 2, 1, 2, 0,  // inserted: one block, distance 2, form 2, one slot, slot 2
                1, 1, 0,  // deleted: one block, distance 1, form 0
                0xAC, 2, 1, 3, 3, 0, 0, 4, 0,  // column 300: one block, distance 3, a run from 0 of 4
            ])
    }

    @Test func `each block takes its smallest form`() {
        let header = 32 + 4 + 1 + 1  // the record's, the table's, the deleted set, the number of blocks
        let expected: [(RowKeySet, Int)] = [
            (RowKeySet(RowKey(0)..<RowKey(448)), 1),
            ([RowKey(447)], 4),
            (RowKeySet(RowKey(1)..<RowKey(3)), 5),
            (RowKeySet(RowKey(1)..<RowKey(448)), 5),
            (rows([1, 3]), 6),
            (rows((0..<27).map { $0 * 2 }), 56),
            (rows((0..<28).map { $0 * 2 }), 57),
            (rows((0..<448).filter { $0 != 9 }), 57),
        ]
        for (rows, byteCount) in expected {
            #expect(set(rows).encoded().count == header + 1 + byteCount, "\(rows)")
        }
    }

    @Test func `every set of border rows comes back`() throws {
        for subset in borderSubsets where !subset.isEmpty {
            let set = set(rows(subset))
            #expect(try decode(set.encoded(), Version(2)) == set)
        }
    }

    @Test func `random sets come back`() throws {
        var random = SeededGenerator()
        for _ in 0..<400 {
            let set = ChangeSamples.changeSet(&random)
            #expect(try decode(set.encoded(), set.version) == set, "\(random.reproduction)")
        }
    }

    @Test func `a set over the limit gives up its largest tables first`() throws {
        let large = TableChanges(inserted: rows((0..<400).map { $0 * 900 }), deleted: [], modified: [:])!
        let small = TableChanges(inserted: [RowKey(1)], deleted: [], modified: [:])!
        let set = ChangeSet(
            from: Version(1), to: Version(2), origin: 7, catalogueChanged: true,
            tables: [SpaceID(1): small, SpaceID(2): large, SpaceID(3): small])
        let whole = set.encoded()
        #expect(set.encoded(limit: whole.count) == whole)

        let partly = try decode(set.encoded(limit: whole.count - 1), Version(2))
        #expect(partly.tables == [SpaceID(1): small, SpaceID(2): .rewritten, SpaceID(3): small])

        let fully = set.encoded(limit: 32 + 9)
        #expect(fully.count == 41)
        #expect(try decode(fully, Version(2)).tables.values.allSatisfy(\.isRewritten))

        for limit in [40, 32, 0, .min + 32] {
            let nothing = set.encoded(limit: limit)
            let decoded = try decode(nothing, Version(2))
            #expect(nothing.count == 32 && decoded.isTooLarge && decoded.catalogueChanged)
        }
    }

    @Test func `a record under another version's key is damage`() {
        let record = set([RowKey(1)]).encoded()
        #expect(failure(record, 2) == nil && failure(record, 3) == .damaged)
    }

    @Test func `a record that is cut anywhere is damage`() {
        let record = ChangeSet(
            from: Version(1), to: Version(2), origin: 7,
            tables: [SpaceID(3): TableChanges(inserted: [RowKey(9)], deleted: [RowKey(450)], modified: [:])!]
        ).encoded()
        for count in record.indices {
            var cut = Array(record[..<count])
            #expect(failure(cut, 2) == .damaged)
            guard count >= 8 else { continue }
            RecordSeal.close(&cut, seed: 2)
            #expect(failure(cut, 2) == .damaged, "sealed anew after \(count) bytes")
        }
    }

    /// What may be wrong with the bytes behind a record's header.
    static let impossible: [(String, [UInt8])] = [
        ("a table without a change", [1, 0, 0, 0, 0, 0]),
        ("table 0", [0, 0, 1]),
        ("an unknown flag", [1, 0, 2, 0, 1, 1, 0, 0]),
        ("trailing bytes", [1, 0, 1, 0]),
        ("more columns than follow", [1, 0, 0, 2, 1, 1, 0, 0, 1, 1, 2, 0]),
        ("column 0", [1, 0, 0, 1, 0, 0, 0, 1, 1, 0]),
        ("a column past 65,535", [1, 0, 0, 1, 0, 0, 0x80, 0x80, 4, 1, 1, 0]),
        ("columns that fall", [1, 0, 0, 2, 0, 0, 2, 1, 1, 0, 1, 1, 1, 0]),
        ("a column twice", [1, 0, 0, 2, 0, 0, 2, 1, 1, 0, 2, 1, 1, 0]),
        ("a column without a row", [1, 0, 0, 1, 0, 0, 2, 0]),
        ("an endless number", [1, 0, 0] + [UInt8](repeating: 0xFF, count: 12)),
        ("too many blocks", [1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1, 0, 0]),
        ("a block twice", [1, 0, 0, 0, 2, 1, 0, 0, 0, 0]),
        ("a block past the last", [1, 0, 0, 0, 1, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0]),
        ("blocks that overflow", [1, 0, 0, 0, 2, 1, 0] + [UInt8](repeating: 0xFF, count: 9) + [1, 0, 0]),
        ("an unknown form", [1, 0, 0, 0, 1, 1, 4, 0]),
        ("an empty bitmap", [1, 0, 0, 0, 1, 1, 1] + [UInt8](repeating: 0, count: 57)),
        ("no slots", [1, 0, 0, 0, 1, 1, 2, 0, 0]),
        ("28 slots", [1, 0, 0, 0, 1, 1, 2, 28] + (0..<28).flatMap { [$0, 0] } + [0]),
        ("slot 448", [1, 0, 0, 0, 1, 1, 2, 1, 0xC0, 1, 0]),
        ("slots that fall", [1, 0, 0, 0, 1, 1, 2, 2, 5, 0, 4, 0, 0]),
        ("a slot twice", [1, 0, 0, 0, 1, 1, 2, 2, 5, 0, 5, 0, 0]),
        ("an empty run", [1, 0, 0, 0, 1, 1, 3, 5, 0, 0, 0, 0]),
        ("a run past the block", [1, 0, 0, 0, 1, 1, 3, 0xBF, 1, 2, 0, 0]),
        ("a row inserted and deleted", [1, 0, 0, 0, 1, 1, 0, 1, 1, 2, 1, 5, 0]),
        ("a row inserted and modified", [1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 2, 1, 5, 0]),
        ("a row deleted and modified", [1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 2, 1, 5, 0]),
    ]

    /// A sealed record of version 2 with these bytes behind its header.
    private func record(
        _ content: [UInt8], tables: UInt32 = 1, flags: UInt8 = 0, reserved: UInt16 = 0,
        format: UInt8 = 1, before: UInt64 = 1
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt64(0))
        writer.integer(format)
        writer.integer(flags)
        writer.integer(reserved)
        writer.integer(tables)
        writer.integer(before)
        writer.integer(UInt64(7))
        writer.raw(content)
        var bytes = writer.bytes
        RecordSeal.close(&bytes, seed: 2)
        return bytes
    }

    @Test(arguments: impossible) func `what cannot be is damage`(name: String, content: [UInt8]) {
        #expect(failure(record(content), 2) == .damaged)
    }

    @Test func `a header that cannot be is damage`() {
        let table: [UInt8] = [1, 0, 1]
        #expect(failure(record(table), 2) == nil)
        #expect(failure(record(table, flags: 4), 2) == .damaged)
        #expect(failure(record(table, flags: 2), 2) == .damaged, "too large, with a table")
        #expect(failure(record([], tables: 0, flags: 2), 2) == nil)
        #expect(failure(record(table, reserved: 1), 2) == .damaged)
        #expect(failure(record(table, format: 2), 2) == .damaged)
        #expect(failure(record(table, before: 2), 2) == .damaged)
        #expect(failure(record(table, tables: .max), 2) == .damaged)
        #expect(failure(record(table + table, tables: 2), 2) == .damaged, "a table twice")
        #expect(failure(record([2, 0, 1, 1, 0, 1], tables: 2), 2) == .damaged, "tables that fall")
    }

    @Test func `larger forms than needed are legal`() throws {
        // Rows 0 and 1 as a list, then as a bitmap; a run of one row.
        let asList = try decode(record([1, 0, 0, 0, 1, 1, 2, 2, 0, 0, 1, 0, 0]), Version(2))
        let bitmap: [UInt8] = [3] + [UInt8](repeating: 0, count: 55)
        let asBitmap = try decode(record([1, 0, 0, 0, 1, 1, 1] + bitmap + [0]), Version(2))
        #expect(asList == asBitmap && numbers(asList.changes(of: SpaceID(1)).inserted) == [0, 1])
        let run = try decode(record([1, 0, 0, 0, 1, 1, 3, 5, 0, 1, 0, 0]), Version(2))
        #expect(numbers(run.changes(of: SpaceID(1)).inserted) == [5])
    }

    @Test func `bytes that are changed at random never trap`() {
        var random = SeededGenerator()
        var accepted = 0
        for _ in 0..<3_000 {
            let set = ChangeSamples.changeSet(&random)
            var record = set.encoded()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let offset = Int.random(in: 8..<record.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: record[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: record[offset] = .random(in: 0...255, using: &random)
                case 2: record.insert(.random(in: 0...255, using: &random), at: offset)
                default: if record.count > 40 { record.remove(at: offset) }
                }
            }
            #expect(failure(record, set.version.value) == .damaged || record == set.encoded())
            // Sealed anew, the bytes reach the decoder: damage, or a set that encodes to itself.
            RecordSeal.close(&record, seed: set.version.value)
            do {
                let decoded = try decode(record, set.version)
                let again = try decode(decoded.encoded(), set.version)
                #expect(again == decoded, "\(random.reproduction)")
                accepted += 1
            } catch {
                #expect((error as? StorageError)?.code == .damaged, "\(random.reproduction)")
            }
        }
        #expect(accepted > 0, "no mutation got through: the test reaches nothing")
    }
}
