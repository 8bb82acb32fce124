internal import Glibc

/// Where the chunks of one column are, block by block, for one session: two levels, so that an empty
/// stretch costs nothing.
///
///     segments ─┬─ nil
///               ├─ segment ── 64 pointers to chunk headers │ 64 layer numbers
///               └─ …
///
/// A pointer is nil until the chunk is first asked for. A layer number of 0 means that the chunk is
/// not the session's own; a higher one names the layer of the write that owns it.
///
/// A raw structure, kept in memory that `SessionTable` owns: reading a property must cost no
/// reference count, no exclusivity check and no call.
@usableFromInline @frozen
package struct BlockTable {
    /// The blocks of a segment.
    @inlinable package static var segmentBlockCount: Int { 64 }
    @usableFromInline static let layersOffset = 512
    @usableFromInline static let segmentByteCount = 512 + 128

    @usableFromInline var segments: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    @usableFromInline var segmentCount: Int
    @usableFromInline var firstSegment: Int

    package init() {
        segments = nil
        segmentCount = 0
        firstSegment = 0
    }

    /// The segment of a block, or nil.
    @inlinable @inline(__always)
    func segment(of block: UInt32) -> UnsafeMutableRawPointer? {
        let index = Int(block >> 6) &- firstSegment
        guard UInt(bitPattern: index) < UInt(bitPattern: segmentCount) else { return nil }
        return segments.unsafelyUnwrapped[index]
    }

    /// The block's chunk, or nil where it has not been looked up.
    @inlinable @inline(__always)
    package func chunk(_ block: UInt32) -> UnsafeRawPointer? {
        guard let segment = segment(of: block) else { return nil }
        return segment.load(fromByteOffset: Int(block & 63) &* 8, as: UnsafeRawPointer?.self)
    }

    /// The block's chunk if the layer owns it and so may write to it.
    @inlinable @inline(__always)
    package func chunk(_ block: UInt32, ownedBy layer: UInt16) -> UnsafeMutableRawPointer? {
        guard let segment = segment(of: block) else { return nil }
        let offset = Int(block & 63)
        guard segment.load(fromByteOffset: 512 &+ offset &* 2, as: UInt16.self) == layer else { return nil }
        return segment.load(fromByteOffset: offset &* 8, as: UnsafeMutableRawPointer?.self)
    }

    /// The layer that owns the block's chunk, or 0.
    package func layer(_ block: UInt32) -> UInt16 {
        guard let segment = segment(of: block) else { return 0 }
        return segment.load(fromByteOffset: Self.layersOffset + Int(block & 63) * 2, as: UInt16.self)
    }

    /// Puts a chunk's pointer into the table.
    package mutating func set(_ block: UInt32, _ chunk: UnsafeRawPointer?, layer: UInt16) {
        let segment = makeSegment(of: block)
        let offset = Int(block & 63)
        segment.storeBytes(of: chunk, toByteOffset: offset * 8, as: UnsafeRawPointer?.self)
        segment.storeBytes(of: layer, toByteOffset: Self.layersOffset + offset * 2, as: UInt16.self)
    }

    private mutating func makeSegment(of block: UInt32) -> UnsafeMutableRawPointer {
        if let segment = segment(of: block) { return segment }
        let index = Int(block >> 6)
        if segmentCount == 0 {
            resize(first: index, count: 1)
        } else if index < firstSegment {
            let last = firstSegment + segmentCount
            resize(first: index, count: last - index)
        } else if index >= firstSegment + segmentCount {
            resize(first: firstSegment, count: max(index - firstSegment + 1, segmentCount * 2))
        }
        let segment = UnsafeMutableRawPointer.allocate(byteCount: Self.segmentByteCount, alignment: 8)
        memset(segment, 0, Self.segmentByteCount)
        segments.unsafelyUnwrapped[index - firstSegment] = segment
        return segment
    }

    private mutating func resize(first: Int, count: Int) {
        let new = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: count)
        new.initialize(repeating: nil, count: count)
        if let segments {
            for index in 0..<segmentCount { new[firstSegment + index - first] = segments[index] }
            segments.deallocate()
        }
        segments = new
        segmentCount = count
        firstSegment = first
    }

    /// Forgets the pointers to chunks that no layer owns and that the test names.
    package mutating func forgetChunks(where isNamed: (UnsafeRawPointer) -> Bool) {
        for index in 0..<segmentCount {
            guard let segment = segments.unsafelyUnwrapped[index] else { continue }
            for offset in 0..<Self.segmentBlockCount {
                let layer = segment.load(fromByteOffset: Self.layersOffset + offset * 2, as: UInt16.self)
                let chunk = segment.load(fromByteOffset: offset * 8, as: UnsafeRawPointer?.self)
                guard layer == 0, let chunk, isNamed(chunk) else { continue }
                segment.storeBytes(of: nil, toByteOffset: offset * 8, as: UnsafeRawPointer?.self)
            }
        }
    }

    /// Forgets every pointer. The chunks are not the table's to free.
    package mutating func reset() {
        guard let segments else { return }
        for index in 0..<segmentCount { segments[index]?.deallocate() }
        segments.deallocate()
        self = BlockTable()
    }
}
