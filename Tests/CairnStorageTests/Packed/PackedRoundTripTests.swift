import CairnStorage
import TestSupport
import Testing

@Suite struct `Packed chunks come back as they were` {
    static let shapes: [SlotShape] = [.bits, .four, .eight, .twelve, .sixteen, .text, .list, .backlinks]

    @Test(arguments: shapes, 1...6 as ClosedRange<UInt64>)
    func `random chunks`(shape: SlotShape, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var packedCount = 0
        for round in 0..<45 {
            let slotCount = round % 3 == 0 ? 448 : Int.random(in: 0...448, using: &random)
            let chunk = RandomChunks.make(shape, slotCount: slotCount, &random)
            let packed = try PackedRoundTrip.check(chunk, "seed \(seed), round \(round)")
            packedCount += packed == nil ? 0 : 1
        }
        #expect(packedCount > 3, "seed \(seed)")
    }

    @Test(arguments: shapes, [0, 1, 2, 63, 64, 65, 447, 448])
    func `chunks around the limits of words`(shape: SlotShape, slotCount: Int) throws {
        var random = SeededGenerator(seed: UInt64(slotCount))
        for _ in 0..<15 {
            try PackedRoundTrip.check(RandomChunks.make(shape, slotCount: slotCount, &random))
        }
        try PackedRoundTrip.check(
            LiveChunk(PlainChunk(shape, slotCount: slotCount), live: LiveChunk.words([])))
        try PackedRoundTrip.check(LiveChunk(PlainChunk(shape, slotCount: slotCount)))
    }

    /// Each of the first slots is dead, null, or one of two values; the slots behind them make the chunk large
    /// enough to be packed.
    @Test(arguments: shapes, 0...6)
    func `every pattern of dead and null slots`(shape: SlotShape, patternCount: Int) throws {
        var patterns = 1
        for _ in 0..<patternCount { patterns *= 4 }
        var packedCount = 0
        for pattern in 0..<patterns {
            let chunk = Self.chunk(shape, pattern, patternCount, tail: pattern % 3 == 0 ? 0 : 30)
            packedCount += try PackedRoundTrip.check(chunk) == nil ? 0 : 1
        }
        #expect(packedCount >= patterns / 3)
    }

    private static func chunk(_ shape: SlotShape, _ pattern: Int, _ count: Int, tail: Int) -> LiveChunk {
        var chunk = PlainChunk(shape, slotCount: count + tail)
        var live = [Bool](repeating: tail > 0 && pattern % 2 == 0, count: count + tail)
        for slot in 0..<count {
            let manner = pattern >> (2 * slot) & 3
            live[slot] = manner != 0
            switch manner {
            case 1: chunk.setNull(slot)
            default: setValue(&chunk, slot, manner)
            }
        }
        return LiveChunk(chunk, live: LiveChunk.words(live))
    }

    private static func setValue(_ chunk: inout PlainChunk, _ slot: Int, _ manner: Int) {
        switch chunk.shape {
        case .bits: chunk.set(slot, manner > 2)
        case .text: chunk.set(slot, text: [UInt8](repeating: 65, count: manner * 6))
        case .list: chunk.set(slot, listOf: manner, payload: [UInt8](repeating: 66, count: manner))
        case .backlinks: chunk.set(slot, backlinks: (0..<max(0, manner - 1)).map { UInt64($0 * 7) })
        default: chunk.set(slot, [UInt8](repeating: UInt8(manner), count: chunk.shape.slotByteCount))
        }
    }

    @Test(arguments: [1, 2, 5, 300, 448])
    func `doubles keep every bit`(different: Int) throws {
        let special: [Double] = [
            -0.0, 0.0, .infinity, -.infinity, .nan, .signalingNaN, Double(nan: 0x1234, signaling: false),
            -.nan,
            .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude, 1, -1, 0.1, -2.5,
            0x1p53,
            0x1p53 + 2, -0x1p63, 0x1p63, 0x1p64, 1e300, 1234.56, 0.000_001, 1e-7,
        ]
        for start in special.indices {
            var chunk = PlainChunk(.eight, slotCount: 448)
            for slot in 0..<448 { chunk.set(slot, special[(start + slot % different) % special.count]) }
            try PackedRoundTrip.check(LiveChunk(chunk))
            // One of them among whole numbers.
            for slot in 0..<448 where slot != 200 { chunk.set(slot, Double(slot)) }
            try PackedRoundTrip.check(LiveChunk(chunk))
        }
    }

    @Test func `integers keep every bit, also where differences wrap around`() throws {
        let limits: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 32, -(1 << 32), .max - 1, .max]
        for first in limits {
            for second in limits {
                var chunk = PlainChunk(.eight, slotCount: 300)
                for slot in 0..<300 { chunk.set(slot, first &+ second &* Int64(slot)) }
                try #require(
                    try PackedRoundTrip.check(LiveChunk(chunk)) != nil || first != second || first != 0)
                for slot in 0..<300 { chunk.set(slot, slot % 2 == 0 ? first : second) }
                try #require(try PackedRoundTrip.check(LiveChunk(chunk)) != nil)
            }
        }
    }
}
