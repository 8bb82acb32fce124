import CairnStorage
import TestSupport
import Testing

/// The slots at which words and the block begin and end.
private let borderSlots = [0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 255, 256, 383, 384, 446, 447]

@Suite struct BlockBitmapTests {
    @Test func `an empty bitmap has no slot`() {
        let empty = BlockBitmap()
        #expect(empty.isEmpty && empty.first == nil && empty.last == nil)
        #expect(empty.count == 0 && Array(empty).isEmpty && empty.contiguousRange == nil)
    }

    @Test func `a full bitmap has all 448 slots`() {
        #expect(Array(BlockBitmap.full) == Array(0..<448))
        #expect(BlockBitmap.full.count == 448 && BlockBitmap.full.contiguousRange == 0..<448)
    }

    @Test(arguments: borderSlots) func `a single slot is found wherever it lies`(slot: Int) {
        let bitmap = BlockBitmap(slot: slot)
        #expect(bitmap.first == slot && bitmap.last == slot && bitmap.count == 1)
        #expect(Array(bitmap) == [slot])
        #expect((0..<448).allSatisfy { bitmap.contains($0) == ($0 == slot) })
        var emptied = bitmap
        #expect(emptied.remove(slot) && !emptied.remove(slot) && emptied.isEmpty)
    }

    @Test(arguments: borderSlots) func `every range that ends at a border has its slots`(lower: Int) {
        for upper in borderSlots.map({ $0 + 1 }) where upper >= lower {
            let bitmap = BlockBitmap(lower..<upper)
            #expect(Array(bitmap) == Array(lower..<upper))
            #expect(bitmap.contiguousRange == (lower == upper ? nil : lower..<upper))
        }
    }

    @Test func `a rank counts the slots below`() {
        let bitmap = BlockBitmap(60..<70).union(BlockBitmap(slot: 447))
        #expect([0, 60, 61, 64, 70, 447, 448].map(bitmap.rank(of:)) == [0, 0, 1, 4, 10, 10, 11])
    }

    @Test func `slots with a gap are no range`() {
        #expect(BlockBitmap(slot: 3).union(BlockBitmap(slot: 5)).contiguousRange == nil)
    }

    @Test func `stored bytes are read where they lie, unaligned`() {
        var bytes = [UInt8](repeating: 0, count: 60)
        let bitmap = BlockBitmap(63..<66).union(BlockBitmap(slot: 447))
        bytes.withUnsafeMutableBytes { bitmap.store(to: $0.baseAddress! + 3) }
        #expect(bytes[10] == 0x80 && bytes[11] == 3 && bytes[58] == 0x80)
        #expect(bytes.withUnsafeBytes { BlockBitmap(loadingFrom: $0.baseAddress! + 3) } == bitmap)
    }

    @Test func `random operations do what they do on a set of numbers`() {
        var random = SeededGenerator()
        var bitmap = BlockBitmap()
        var model: Set<Int> = []
        for _ in 0..<2_000 {
            let slot = Int.random(in: 0..<448, using: &random)
            let other = Set((0..<20).map { _ in Int.random(in: 0..<448, using: &random) })
            var otherBitmap = BlockBitmap()
            for slot in other { otherBitmap.set(slot, to: true) }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: #expect(bitmap.insert(slot) == model.insert(slot).inserted)
            case 1: #expect(bitmap.remove(slot) == (model.remove(slot) != nil))
            case 2:
                bitmap.formUnion(otherBitmap)
                model.formUnion(other)
            case 3:
                bitmap.subtract(otherBitmap)
                model.subtract(other)
            default:
                #expect(bitmap.isDisjoint(with: otherBitmap) == model.isDisjoint(with: other))
                if random.oneIn(20) {
                    bitmap.formIntersection(otherBitmap)
                    model.formIntersection(other)
                }
            }
            var visited: [Int] = []
            bitmap.forEachSlot { visited.append($0) }
            #expect(visited == model.sorted(), "\(random.reproduction)")
            #expect(Array(bitmap) == visited && bitmap.count == model.count)
            #expect(bitmap.first == visited.first && bitmap.last == visited.last)
            #expect(bitmap.rank(of: slot) == model.count { $0 < slot })
        }
    }
}
