import CairnStorage
import TestSupport

/// A plain chunk with the rows that are live in its block.
struct LiveChunk {
    var chunk: PlainChunk
    /// Seven words.
    var live: [UInt64]

    init(_ chunk: PlainChunk, live: [UInt64]) {
        self.chunk = chunk
        self.live = live
    }

    /// All slots below the slot count are live.
    init(_ chunk: PlainChunk) {
        self.init(chunk, live: Self.words((0..<chunk.slotCount).map { _ in true }))
    }

    static func words(_ flags: [Bool]) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: 7)
        for (slot, isSet) in flags.enumerated() where isSet { words[slot / 64] |= 1 << UInt64(slot % 64) }
        return words
    }

    func isLive(_ slot: Int) -> Bool { live[slot / 64] >> UInt64(slot % 64) & 1 == 1 }
}

/// Chunks of every shape with values as they come in practice: constant, rising, few different, any.
enum RandomChunks {
    static func make(_ shape: SlotShape, slotCount: Int, _ random: inout SeededGenerator) -> LiveChunk {
        var chunk = PlainChunk(shape, slotCount: slotCount)
        let live = flags(slotCount, &random)
        let null = flags(slotCount, &random).map { !$0 }
        let manner = Int.random(in: 0..<6, using: &random)
        for slot in 0..<slotCount {
            // Some dead slots hold what the row left behind, some null slots are those of dead rows.
            guard live[slot] || Bool.random(using: &random) else { continue }
            if null[slot] { chunk.setNull(slot) } else { setValue(&chunk, slot, manner, &random) }
        }
        return LiveChunk(chunk, live: LiveChunk.words(live))
    }

    /// None, few, most or all true, or one run.
    private static func flags(_ count: Int, _ random: inout SeededGenerator) -> [Bool] {
        let start = Int.random(in: 0...count, using: &random)
        let end = Int.random(in: start...count, using: &random)
        let kind = Int.random(in: 0..<6, using: &random)
        return (0..<count).map { slot in
            switch kind {
            case 0: slot >= start && slot < end
            case 1: Bool.random(using: &random)
            case 2: Int.random(in: 0..<20, using: &random) == 0
            case 3: Int.random(in: 0..<20, using: &random) != 0
            default: true
            }
        }
    }

    private static func setValue(
        _ chunk: inout PlainChunk, _ slot: Int, _ manner: Int, _ random: inout SeededGenerator
    ) {
        let few = UInt64.random(in: 0..<[1, 2, 5, 200, 300, 70_000][manner], using: &random)
        switch chunk.shape {
        case .bits: chunk.set(slot, manner == 0 ? true : Int.random(in: 0...manner, using: &random) == 0)
        case .eight: setEight(&chunk, slot, few, &random)
        case .four, .twelve, .sixteen: setFixed(&chunk, slot, few, isAny: manner == 5, &random)
        case .text: setText(&chunk, slot, few, manner, &random)
        case .list: setList(&chunk, slot, few, manner, &random)
        case .backlinks: setBacklinks(&chunk, slot, few, manner, &random)
        }
    }

    private static func setEight(
        _ chunk: inout PlainChunk, _ slot: Int, _ few: UInt64, _ random: inout SeededGenerator
    ) {
        switch chunk.slotCount % 5 {
        case 0: chunk.set(slot, Int64(few) - 100)
        case 1: chunk.set(slot, Int64(slot) * 1_000_003 + Int64(few))
        case 2: chunk.set(slot, Double(few) / 4)
        case 3: chunk.set(slot, Double(few) / 100)
        default: chunk.set(slot, Int64.random(in: .min ... .max, using: &random))
        }
    }

    private static func setFixed(
        _ chunk: inout PlainChunk, _ slot: Int, _ few: UInt64, isAny: Bool, _ random: inout SeededGenerator
    ) {
        let width = chunk.shape.slotByteCount
        var value = [UInt8](repeating: 0xA5, count: width)
        for index in 0..<width where isAny || index % 5 == 1 {
            value[index] =
                isAny ? .random(in: 0...255, using: &random) : UInt8(few >> UInt64(index / 5 * 8) & 0xFF)
        }
        chunk.set(slot, value)
    }

    private static func setText(
        _ chunk: inout PlainChunk, _ slot: Int, _ few: UInt64, _ manner: Int, _ random: inout SeededGenerator
    ) {
        if manner > 3, Int.random(in: 0..<4, using: &random) == 0 {
            chunk.set(slot, textByteCount: 1025 + UInt32(few), prefix: UInt32(few), valueID: UInt64(slot) + 1)
        } else {
            let length = manner == 5 ? Int(few % 30) : Int(few * 7 % 1025)
            chunk.set(slot, text: (0..<length).map { UInt8(truncatingIfNeeded: $0 + Int(few)) })
        }
    }

    private static func setList(
        _ chunk: inout PlainChunk, _ slot: Int, _ few: UInt64, _ manner: Int, _ random: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: chunk.set(slot, listInPiecesOf: Int(few) + 1, valueID: few + 1)
        case let kind where kind <= manner: break
        default:
            let payload = (0...Int(few % 2048)).map { UInt8(truncatingIfNeeded: $0) }
            chunk.set(slot, listOf: Int.random(in: 1...payload.count, using: &random), payload: payload)
        }
    }

    private static func setBacklinks(
        _ chunk: inout PlainChunk, _ slot: Int, _ few: UInt64, _ manner: Int, _ random: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: chunk.set(slot, backlinksInOrdered: Int(few) + 1)
        case 1...(2 * manner + 1): break
        case 9: chunk.set(slot, backlinks: (0...(few % 63)).map { $0 &* 1_000_003 })
        default: chunk.set(slot, backlinks: [manner == 4 ? random.next() : few])
        }
    }
}
