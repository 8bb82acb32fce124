import CairnStorage
import Testing

/// A change of a chunk that ought to be refused, and where it is made.
struct Forgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (inout PlainChunk) -> Void

    init(_ what: String, _ make: @escaping @Sendable (inout PlainChunk) -> Void) {
        testDescription = what
        self.make = make
    }
}

private func failure(_ chunk: [UInt8], _ shape: SlotShape, _ element: ListElement? = nil) -> StorageError? {
    CairnStorageTests.failure {
        try chunk.withUnsafeBytes { try ChunkValidator.validatePlain($0, shape: shape, element: element) }
    }
}

@Suite struct `Validating plain chunks` {
    static let shapes: [SlotShape] = [.bits, .four, .eight, .twelve, .sixteen, .text, .list, .backlinks]

    @Test(arguments: shapes, [0, 1, 63, 64, 447, 448])
    func `a chunk of zeros is sound, and one byte more or less is not`(shape: SlotShape, slotCount: Int) {
        let chunk = PlainChunk(shape, slotCount: slotCount).bytes
        #expect(failure(chunk, shape) == nil)
        #expect(failure(chunk.dropLast(), shape)?.code == .damaged)
        #expect(failure(chunk + [0], shape)?.code == .damaged)
        for other in Self.shapes where other != shape { #expect(failure(chunk, other)?.code == .damaged) }
    }

    @Test(arguments: 0...104)
    func `bytes that end within the header are refused`(byteCount: Int) {
        #expect(
            failure(Array(PlainChunk(.eight, slotCount: 1).bytes[..<byteCount]), .eight)?.code == .damaged)
    }

    @Test(arguments: [
        Forgery("format 2") { $0.store(UInt8(2), at: 16) },
        Forgery("encoding 1") { $0.store(UInt8(1), at: 17) },
        Forgery("encoding 4") { $0.store(UInt8(4), at: 17) },
        Forgery("a flag too many") { $0.store(UInt8(4), at: 19) },
        Forgery("449 slots") { $0.store(UInt16(449), at: 20) },
        Forgery("one slot too few") { $0.store(UInt16(2), at: 20) },
        Forgery("extra field") { $0.store(UInt16(1), at: 22) },
        Forgery("a heap that is not there") { $0.store(UInt32(8), at: 24) },
        Forgery("a heap instead of a slot") {
            $0.store(UInt16(2), at: 20)
            $0.store(UInt32(8), at: 24)
        },
        Forgery("reserved field") { $0.store(UInt8(1), at: 28) },
    ])
    func `a header that contradicts the chunk is refused`(forgery: Forgery) {
        var chunk = PlainChunk(.eight, slotCount: 3)
        forgery.make(&chunk)
        #expect(failure(chunk.bytes, .eight)?.code == .damaged)
    }

    /// Slot 1 of the texts below is in place, slot 2 in the heap, slot 3 elsewhere.
    @Test(arguments: [
        Forgery("offset one too far") { $0.store(UInt32(1), at: 104 + 32 + 8) },
        Forgery("offset at the end of numbers") { $0.store(UInt32.max, at: 104 + 32 + 8) },
        Forgery("something behind the offset") { $0.store(UInt32(1), at: 104 + 32 + 12) },
        Forgery("all bits of the offset and behind it") { $0.store(UInt64.max, at: 104 + 32 + 8) },
        Forgery("one byte too long") { $0.store(UInt32(22), at: 104 + 32) },
        Forgery("1,024 bytes") { $0.store(UInt32(1024), at: 104 + 32) },
        Forgery("value 0") { $0.store(UInt64(0), at: 104 + 48 + 8) },
        Forgery("in place, and 13 bytes long") {
            $0.store(UInt32(13), at: 104 + 16)
            $0.store(UInt64(9), at: 104 + 16 + 8)
        },
    ])
    func `a text slot outside the heap is refused`(forgery: Forgery) {
        var chunk = PlainChunk(.text, slotCount: 448)
        chunk.set(1, text: Array("in its place".utf8))
        chunk.set(2, text: Array("21 bytes, in the heap".utf8))
        chunk.set(3, textByteCount: 1025, prefix: 9, valueID: 1)
        #expect(failure(chunk.bytes, .text) == nil)
        forgery.make(&chunk)
        #expect(failure(chunk.bytes, .text)?.code == .damaged)
    }

    /// Slot 1 is a list of three four-byte elements, slot 2 in pieces.
    @Test(arguments: [
        Forgery("offset one too far") { $0.store(UInt32(1), at: 104 + 16 + 8) },
        Forgery("payload one byte longer") { $0.store(UInt32(13), at: 104 + 16 + 12) },
        Forgery("payload of all bytes there are") { $0.store(UInt32.max, at: 104 + 16 + 12) },
        Forgery("payload one byte shorter than its elements") { $0.store(UInt32(11), at: 104 + 16 + 12) },
        Forgery("no elements and a payload") { $0.store(UInt32(0), at: 104 + 16) },
        Forgery("four elements") { $0.store(UInt32(4), at: 104 + 16) },
        Forgery("a flag that does not exist") { $0.store(UInt32(2), at: 104 + 16 + 4) },
        Forgery("in pieces without elements") { $0.store(UInt32(0), at: 104 + 32) },
        Forgery("in pieces under value 0") { $0.store(UInt64(0), at: 104 + 32 + 8) },
    ])
    func `a list slot outside the heap is refused`(forgery: Forgery) {
        let element = ListElement(kind: .float, isNullable: false)
        var chunk = PlainChunk(.list, slotCount: 9)
        chunk.set(1, listOf: 3, payload: [UInt8](repeating: 7, count: 12))
        chunk.set(2, listInPiecesOf: 1, valueID: 1)
        #expect(failure(chunk.bytes, .list, element) == nil)
        forgery.make(&chunk)
        #expect(failure(chunk.bytes, .list, element)?.code == .damaged)
    }

    @Test func `a list payload over 2,048 bytes is refused, one of 2,048 is not`() {
        for byteCount in 2047...2049 {
            var chunk = PlainChunk(.list, slotCount: 1)
            chunk.set(0, listOf: byteCount, payload: [UInt8](repeating: 1, count: byteCount))
            #expect((failure(chunk.bytes, .list) == nil) == (byteCount <= 2048))
        }
    }

    @Test(arguments: [
        (ValueKind.bool, false, 3, 3), (.bool, true, 9, 11), (.int, false, 2, 16), (.int, true, 2, 17),
        (.float, true, 8, 33), (.objectId, false, 1, 12), (.uuid, true, 1, 17), (.link, true, 2, 16),
        (.decimal, false, 3, 48),
    ])
    func `a payload of fixed elements has exactly one size`(
        kind: ValueKind, isNullable: Bool, count: Int, byteCount: Int
    ) {
        let element = ListElement(kind: kind, isNullable: isNullable)
        for size in 0..<(byteCount + 3) {
            let payload = [UInt8](repeating: 0, count: size)
            #expect(payload.withUnsafeBytes { element.isPayload($0, count: count) } == (size == byteCount))
        }
    }

    @Test func `the ends of texts in a payload rise to its end`() {
        let element = ListElement(kind: .string, isNullable: true)
        let sound: [UInt8] = [0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 97, 98, 99]
        func isPayload(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { element.isPayload($0, count: 3) } }
        #expect(isPayload(sound))
        #expect(!isPayload(sound + [0]))
        #expect(!isPayload(sound.dropLast()))
        for (offset, value) in [(1, 3), (5, 1), (5, 4), (9, 2), (9, 4), (12, 255)] {
            var forged = sound
            forged[offset] = UInt8(value)
            #expect(!isPayload(forged))
        }
    }

    /// Slot 1 is linked to once, slot 2 twice, slot 3 so often that the entries are elsewhere.
    @Test(arguments: [
        Forgery("offset one too far") { $0.store(UInt32(1), at: 104 + 32 + 8) },
        Forgery("something behind the offset") { $0.store(UInt32(1), at: 104 + 32 + 12) },
        Forgery("three links") { $0.store(UInt32(3), at: 104 + 32) },
        Forgery("65 links in the heap") { $0.store(UInt32(65), at: 104 + 32) },
        Forgery("no links and an origin") { $0.store(UInt32(0), at: 104 + 16) },
        Forgery("a flag that does not exist") { $0.store(UInt32(2), at: 104 + 48 + 4) },
        Forgery("elsewhere, and an offset") { $0.store(UInt32(1), at: 104 + 48 + 8) },
        Forgery("elsewhere, and none") { $0.store(UInt32(0), at: 104 + 48) },
    ])
    func `a backlink slot outside the heap is refused`(forgery: Forgery) {
        var chunk = PlainChunk(.backlinks, slotCount: 64)
        chunk.set(1, backlinks: [.max])
        chunk.set(2, backlinks: [3, 4])
        chunk.set(3, backlinksInOrdered: 65)
        #expect(failure(chunk.bytes, .backlinks) == nil)
        forgery.make(&chunk)
        #expect(failure(chunk.bytes, .backlinks)?.code == .damaged)
    }

    @Test func `64 links may be in the heap`() {
        var chunk = PlainChunk(.backlinks, slotCount: 1)
        chunk.set(0, backlinks: (0..<64).map { UInt64($0) })
        #expect(failure(chunk.bytes, .backlinks) == nil)
    }
}
