internal import CRuntime

/// Where the chunks of one column are at one version, for every thread that reads that version.
///
/// An entry goes from nil to a pointer once, under the snapshot's lock, with release; it is read
/// without a lock, with acquire. Whoever sees the pointer sees a validated chunk.
///
/// The two levels are those of `BlockTable`, but the upper one has its final size from the start: a
/// version's blocks are known.
final class SharedBlockTable: @unchecked Sendable {
    // @unchecked: the memory is raw. The upper level never changes; segments and entries are written
    // only by `publish`, under the snapshot's lock, and read with acquire.

    private static let segmentBlockCount = 64
    private let firstSegment: Int
    private let segmentCount: Int
    private let segments: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    /// - Parameters:
    ///   - firstBlock: the first block that may be asked for.
    ///   - blockLimit: the block behind the last.
    init(firstBlock: UInt32, blockLimit: UInt32) {
        firstSegment = Int(firstBlock) / Self.segmentBlockCount
        let end = (Int(blockLimit) + Self.segmentBlockCount - 1) / Self.segmentBlockCount
        segmentCount = max(0, end - firstSegment)
        segments = .allocate(capacity: max(1, segmentCount))
        segments.initialize(repeating: nil, count: max(1, segmentCount))
    }

    deinit {
        for index in 0..<segmentCount { segments[index]?.deallocate() }
        segments.deallocate()
    }

    /// The block's chunk, or nil where it was not looked up yet or the block is outside.
    func chunk(_ block: UInt32) -> UnsafeRawPointer? {
        let index = Int(block) / Self.segmentBlockCount - firstSegment
        guard index >= 0, index < segmentCount, let segment = cairn_load_acquire(segments + index) else {
            return nil
        }
        return UnsafeRawPointer(cairn_load_acquire(segment + Int(block) % Self.segmentBlockCount * 8))
    }

    /// Makes a chunk known to every reader. Under the snapshot's lock only.
    func publish(_ chunk: UnsafeRawPointer, at block: UInt32) {
        let index = Int(block) / Self.segmentBlockCount - firstSegment
        precondition(index >= 0 && index < segmentCount, "a block outside of its table was looked up")
        let segment = segments[index] ?? makeSegment(index)
        cairn_store_release(segment + Int(block) % Self.segmentBlockCount * 8, chunk)
    }

    private func makeSegment(_ index: Int) -> UnsafeMutableRawPointer {
        let byteCount = Self.segmentBlockCount * 8
        let segment = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
        segment.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        cairn_store_release(segments + index, segment)
        return segment
    }
}
