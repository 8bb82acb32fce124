import CairnStorage
import Testing

/// Faults of writes that were so large that a part was written ahead of the commit.
@Suite struct SpillFaultTests {
    /// Everything spills that may.
    private let spilling = StoreConfiguration(spillByteCount: 0)

    /// The slot of a list that has outgrown its chunk's heap had no count and no value id until the
    /// commit, which the check of a chunk that is read back takes for damage.
    @Test func `a list that outgrew the heap was damage once its chunk was spilled`() throws {
        try StoreFixture.run(spilling) { fixture in
            let numbers = (0..<40).map { Int64($0) }
            try fixture.store.change { session in
                let table = try session.makeTable(.init("n", .int, collection: .list))
                let row = try table.insert()
                try table.setNumbers(row, 0, numbers)
                try session.spill()
                #expect(try table.numbers(row, 0) == numbers)
                try session.throwDamage()
            }
            try fixture.store.read { session in
                let table = try session.known()
                #expect(try table.numbers(RowKey(0), 0) == numbers)
            }
        }
    }

    /// A spill wrote what the session's rows use, and left out what rows had that the uppermost layer had
    /// deleted. When the layer was undone the rows came back without their values.
    @Test func `rows lost their values when a layer that deleted them was undone after a spill`() throws {
        try StoreFixture.run(StoreConfiguration(spillByteCount: 16 << 10)) { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("s", .string), .init("n", .int))
                for number in 0..<10 {
                    let row = try table.insert()
                    try table.setText(row, 0, "a text that is in the heap, \(number)")
                    try table.set(row, 1, Int64(number))
                }
                try session.pushLayer()
                // There is room in memory for what is written so far: deleting spills nothing.
                try session.delete((3..<10).map { RowKey($0) }, from: table)
                let other = try session.makeTable(.init("a", .int), .init("b", .uuid), name: "Other")
                let row = try other.insert()
                try other.set(row, 0, Int64(1))
                try [UInt8](repeating: 1, count: 16).withUnsafeBytes { try other.setBytes(row, 1, $0) }
                try session.spill()
                try session.popLayer()
                for row in table.rowKeys {
                    #expect(table.string(row, 0) == "a text that is in the heap, \(row.value)")
                    #expect(table.value(row, 1, as: Int64.self) == Int64(row.value))
                }
                #expect(table.rowCount == 10)
            }
        }
    }

    /// Chunks that were read back after a spill are freed when there are too many, and every block
    /// table forgets them: but not those of columns and tables that the write has removed, which an
    /// undone layer brings back.
    @Test func `a removed column came back with freed chunks`() throws {
        try StoreFixture.run(spilling) { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("a", .int), .init("b", .int))
                let row = try table.insert()
                try table.set(row, 1, Int64(7))
                try session.spill()
                #expect(table.value(row, 1, as: Int64.self) == 7)
                try session.pushLayer()
                try session.removeColumn(table.definition.columns[1].id, from: table.definition.space)
                try session.spill()
                let other = try session.makeTable(.init("c", .int), name: "Other")
                for _ in 0..<20 { _ = try other.insert() }
                try session.popLayer()
                #expect(table.value(row, 1, as: Int64.self) == 7)
            }
        }
    }

    @Test func `a removed table came back with freed chunks`() throws {
        try StoreFixture.run(spilling) { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("s", .string))
                let row = try table.insert()
                try table.setText(row, 0, "text")
                try session.spill()
                try session.pushLayer()
                try session.removeTable(table.definition.space)
                try session.spill()
                let other = try session.makeTable(.init("c", .int), name: "Other")
                for _ in 0..<20 { _ = try other.insert() }
                try session.popLayer()
                #expect(table.string(row, 0) == "text")
            }
        }
    }

    /// A large value that was spilled is read back into one buffer, the same for all: the second of two
    /// keys that were compared took the memory of the first.
    @Test func `two large keys were compared in the memory of one`() throws {
        try StoreFixture.run(spilling) { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("s", .string), .init("t", .string))
                var rows: [RowKey] = []
                for letter in ["a", "b"] {
                    let row = try table.insert()
                    try table.setText(row, 0, String(repeating: letter, count: 2_000))
                    try table.setText(row, 1, String(repeating: "c", count: 2_000))
                    rows.append(row)
                }
                try session.spill()
                let first = table.text(rows[0], 0)
                let second = table.text(rows[1], 0)
                #expect(first[0] == UInt8(ascii: "a") && second[0] == UInt8(ascii: "b"))
                try session.index(table, .hash, on: 0, isUnique: true)
                #expect(throws: StorageError.self) { try session.index(table, .hash, on: 1, isUnique: true) }
            }
        }
    }

    /// The key was read from the table, whose chunk was spilled and freed when the new row opened a block.
    @Test func `a key that lay in the table was gone when its row was made`() throws {
        try StoreFixture.run(spilling) { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("s", .string), .init("t", .string))
                try session.index(table, .hash, on: 0, isUnique: true, isPrimaryKey: true)
                let text = "a key that is in the heap of its chunk"
                for number in 0..<448 {
                    let row = try table.insert(key: "\(number)")
                    try table.setText(row, 1, text)
                }
                let row = try table.insert(key: table.text(RowKey(5), 1))
                #expect(table.string(row, 0) == text)
                #expect(try table.row(index: 0, key: text) == row)
            }
        }
    }

    /// Only inserts and deletes looked whether there is too much in memory.
    @Test func `a write that only changed values held all of them in memory`() throws {
        let limit = 64 << 10
        try StoreFixture.run(StoreConfiguration(spillByteCount: limit)) { fixture in
            let rowCount = 30 * 448
            try fixture.store.change { session in
                _ = try session.makeTable(name: "Target").insert()
                let table = try session.makeTable(
                    .init("n", .int), .init("b", .bool), .init("u", .uuid), .init("s", .string),
                    .init("i", .int), .init("t", .link, target: "Target"),
                    .init("l", .int, collection: .list))
                try session.index(table, .ordered, on: 4)
                for _ in 0..<rowCount { _ = try table.insert() }
            }
            try fixture.store.change { session in
                let table = try session.known()
                var largest = 0
                for row in stride(from: 0, to: rowCount, by: 64).map({ RowKey(UInt64($0)) }) {
                    try table.set(row, 0, Int64(row.value))
                    try table.setBool(row, 1, true)
                    try [UInt8](repeating: 7, count: 16).withUnsafeBytes { try table.setBytes(row, 2, $0) }
                    try table.setText(row, 3, "a text that is in the heap")
                    try table.set(row, 4, Int64(row.value))
                    try table.setLink(row, 5, RowKey(0))
                    try table.setNumbers(row, 6, [1, 2])
                    largest = max(largest, session.heldByteCount)
                }
                // One chunk of each column and of the mirror may have been added since it was last looked.
                #expect(largest < limit + 10 * 16 << 10)
            }
            try fixture.store.read { session in
                let table = try session.known()
                for row in stride(from: 0, to: rowCount, by: 64).map({ RowKey(UInt64($0)) }) {
                    #expect(table.value(row, 0, as: Int64.self) == Int64(row.value))
                    #expect(table.bool(row, 1) && table.bytes(row, 2, count: 16).allSatisfy { $0 == 7 })
                    #expect(table.string(row, 3) == "a text that is in the heap")
                    #expect(table.value(row, 4, as: Int64.self) == Int64(row.value))
                    #expect(table.link(row, 5) == RowKey(0))
                    #expect(try table.numbers(row, 6) == [1, 2])
                }
            }
        }
    }

    /// What is set may be read from the table itself, whose chunk is spilled for it.
    @Test func `a value that lay in the table is there when it is set elsewhere`() throws {
        try StoreFixture.run(spilling) { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("s", .string), .init("u", .uuid))
                for number in 0..<(6 * 448) {
                    let row = try table.insert()
                    guard number < 448 else { continue }
                    try table.setText(row, 0, "a text that is in the heap, \(number)")
                    try [UInt8](repeating: UInt8(number & 255), count: 16).withUnsafeBytes {
                        try table.setBytes(row, 1, $0)
                    }
                }
                for block in 1..<6 {
                    for slot in stride(from: 0, to: 448, by: 7) {
                        let source = RowKey(UInt64((block - 1) * 448 + slot))
                        let row = RowKey(UInt64(block * 448 + slot))
                        try table.setText(row, 0, table.text(source, 0))
                        try table.setBytes(row, 1, table.bytes(source, 1, count: 16))
                    }
                }
                for slot in stride(from: 0, to: 448, by: 7) {
                    let row = RowKey(UInt64(5 * 448 + slot))
                    #expect(table.string(row, 0) == "a text that is in the heap, \(slot)")
                    #expect(table.bytes(row, 1, count: 16).allSatisfy { $0 == UInt8(slot & 255) })
                }
            }
        }
    }
}
