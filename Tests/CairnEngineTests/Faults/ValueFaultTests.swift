import CairnStorage
import Testing

/// Faults of values, lists and their heaps.
@Suite struct ValueFaultTests {
    /// Slots that never were set share one copy of a default text in their chunk's heap. Each that was set
    /// counted it as dead, so the heap was soon rewritten, and then with a copy for each slot, for which it
    /// had no room.
    @Test func `a heap overflowed when texts replaced a default`() throws {
        try StoreFixture.run { fixture in
            let fallback = [UInt8](repeating: UInt8(ascii: "d"), count: 200)
            try fixture.store.change { session in
                let table = try session.makeTable(.init("n", .int))
                for _ in 0..<448 { _ = try table.insert() }
                try session.addColumn(
                    .init("s", .string, defaultValue: .bytes(fallback)), to: table.definition.space)
                for number in 0..<60 {
                    try table.setText(RowKey(UInt64(number)), 1, "the text of row \(number)")
                }
            }
            try fixture.store.read { session in
                let table = try session.known()
                for row in table.rowKeys {
                    let wanted = row.value < 60 ? Array("the text of row \(row.value)".utf8) : fallback
                    #expect(Array(table.text(row, 1)) == wanted)
                }
            }
        }
    }
}
