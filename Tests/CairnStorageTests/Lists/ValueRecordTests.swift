import CairnStorage
import Testing

@Suite struct ValueRecordTests {
    private let record = [1, 2, 3].withUnsafeBytes {
        ValueRecord.build(
            kind: .listPiece, count: 0x0102_0304, payload: UnsafeRawBufferPointer(rebasing: $0[..<3]))
    }

    private func open(_ bytes: [UInt8], _ kind: ValueRecord.Kind = .listPiece) throws -> (Int, [UInt8]) {
        try bytes.withUnsafeBytes {
            let opened = try ValueRecord($0, id: ValueID(7), kind: kind)
            return (opened.count, Array(opened.payload))
        }
    }

    @Test func `a record has the bytes of the format's page`() throws {
        #expect(record == [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 4, 3, 2, 1, 1, 0, 0])
        let opened = try open(record)
        #expect(opened.0 == 0x0102_0304)
        #expect(opened.1 == [1, 0, 0])
    }

    @Test func `a record may have no payload`() throws {
        let empty = ValueRecord.build(
            kind: .text, count: 0, payload: UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(empty.count == 16)
        #expect(try open(empty, .text).1.isEmpty)
    }

    @Test func `a record that is cut short, or of another format or kind, is damage`() {
        for size in 0..<16 { expectDamage { _ = try open(Array(record[..<size])) } }
        var newer = record
        newer[8] = 2
        expectDamage { _ = try open(newer) }
        expectDamage { _ = try open(record, .listDirectory) }
    }
}
