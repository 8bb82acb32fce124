import CairnStorage
import TestSupport
import Testing

/// Reads every byte that a plain chunk's slots refer to, as a reader does that trusts the validator.
enum TrustingReader {
    static func readAll(_ chunk: UnsafeRawBufferPointer, shape: SlotShape) -> Int {
        func number(_ offset: Int) -> Int {
            Int(chunk.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        let slotCount = Int(chunk.loadUnaligned(fromByteOffset: 20, as: UInt16.self))
        let heap = 104 + slotCount * 16
        var sum = 0
        for slot in 0..<slotCount {
            let at = 104 + slot * 16
            let byteCount: Int
            switch shape {
            case .text: byteCount = number(at) > 12 && number(at) <= 1024 ? number(at) : 0
            case .list: byteCount = number(at + 4) == 0 ? number(at + 12) : 0
            default: byteCount = number(at + 4) == 0 && number(at) > 1 ? number(at) * 8 : 0
            }
            guard byteCount > 0 else { continue }
            let start = heap + number(at + 8)
            for offset in start..<(start + byteCount) { sum &+= Int(chunk[offset]) }
        }
        return sum
    }
}

@Suite struct `Plain chunks with changed bytes` {
    @Test(arguments: [SlotShape.text, .list, .backlinks], 1...3 as ClosedRange<UInt64>)
    func `what the validator lets through can be read`(shape: SlotShape, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let original = RandomChunks.make(
                shape, slotCount: Int.random(in: 1...40, using: &random), &random)
            for _ in 0..<200 {
                var bytes = original.chunk.bytes
                Mutation.apply(to: &bytes, using: &random)
                // A block of exactly this size, so that the address sanitizer sees one byte too many.
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
                defer { copy.deallocate() }
                copy.copyBytes(from: bytes)
                let chunk = UnsafeRawBufferPointer(copy)
                guard (try? ChunkValidator.validatePlain(chunk, shape: shape)) != nil else { continue }
                #expect(TrustingReader.readAll(chunk, shape: shape) >= 0)
            }
        }
    }
}
