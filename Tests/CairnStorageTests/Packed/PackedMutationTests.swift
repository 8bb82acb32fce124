import CairnStorage
import TestSupport
import Testing

@Suite struct `Packed chunks with changed bytes` {
    /// `PackedRoundTrip.unpack` has both sides in blocks of exactly their size, so the address sanitizer
    /// sees a byte too many, and validates what comes out.
    @Test(arguments: `Packed chunks come back as they were`.shapes, 1...4 as ClosedRange<UInt64>)
    func `decode to a valid chunk or are refused`(shape: SlotShape, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var refusedCount = 0
        for _ in 0..<15 {
            let slotCount = Int.random(in: 20...448, using: &random)
            guard let packed = PackedRoundTrip.pack(RandomChunks.make(shape, slotCount: slotCount, &random))
            else { continue }
            for _ in 0..<60 {
                var bytes = packed
                Mutation.apply(to: &bytes, using: &random)
                let error = failure { _ = try PackedRoundTrip.unpack(bytes, shape) }
                #expect(error == nil || error?.code == .damaged, "seed \(seed)")
                refusedCount += error == nil ? 0 : 1
            }
        }
        #expect(refusedCount > 100, "seed \(seed)")
    }

    @Test(arguments: `Packed chunks come back as they were`.shapes)
    func `cut anywhere or longer by one byte are refused`(shape: SlotShape) throws {
        var random = SeededGenerator(seed: 5)
        var triedCount = 0
        while triedCount < 6 {
            guard let packed = PackedRoundTrip.pack(RandomChunks.make(shape, slotCount: 200, &random)) else {
                continue
            }
            triedCount += 1
            for byteCount in stride(from: 0, to: packed.count, by: max(1, packed.count / 100)) {
                let error = failure { _ = try PackedRoundTrip.unpack(Array(packed[..<byteCount]), shape) }
                #expect(error?.code == .damaged)
            }
            #expect(failure { _ = try PackedRoundTrip.unpack(packed + [0], shape) }?.code == .damaged)
        }
    }

    @Test func `a packed chunk of another shape is refused`() throws {
        let packed = try #require(PackedRoundTrip.pack(LiveChunk(PlainChunk(.eight, slotCount: 448))))
        for shape in `Packed chunks come back as they were`.shapes where shape != .eight {
            #expect(failure { _ = try PackedRoundTrip.unpack(packed, shape) }?.code == .damaged)
        }
    }

    @Test func `a plain chunk is not packed twice and a packed one not plain`() throws {
        let plain = PlainChunk(.eight, slotCount: 448)
        #expect(failure { _ = try PackedRoundTrip.unpack(plain.bytes, .eight) }?.code == .damaged)
        let packed = try #require(PackedRoundTrip.pack(LiveChunk(plain)))
        let encoding = try packed.withUnsafeBytes { try ChunkValidator.columnEncoding($0, shape: .eight) }
        #expect(encoding == .packed)
    }

    @Test(arguments: [
        (22, 0x14, "rest as the set of valued slots"), (22, 0x06, "a form that does not exist"),
        (22, 0x11, "valued and null"), (22, 0x00, "no valued slots and values"), (23, 10, "no scheme"),
        (23, 6, "a text scheme"), (23, 0, "no values"), (24, 1, "a heap"), (28, 0xBF, "one value less"),
        (30, 1, "something in the zero field"), (56, 3, "numbers of 3 bits"),
        (56, 128, "numbers of 128 bits"),
    ])
    func `a field that cannot be is refused`(offset: Int, value: UInt8, what: String) throws {
        var chunk = PlainChunk(.eight, slotCount: 448)
        for slot in 0..<448 { chunk.set(slot, Int64(slot % 100)) }
        var packed = try #require(PackedRoundTrip.pack(LiveChunk(chunk)))
        #expect(packed[22] == 0x01 && packed[23] == 4 && packed[56] == 8)
        packed[offset] = value
        #expect(failure { _ = try PackedRoundTrip.unpack(packed, .eight) }?.code == .damaged)
    }
}
