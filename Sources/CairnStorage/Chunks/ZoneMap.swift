/// The smallest and largest value of a chunk, for scans to skip by (`docs/file-format.md`, section 4.1).
enum ZoneMap {
    /// Computes the zone map of a plain chunk and writes it into the chunk's header.
    ///
    /// Null slots, dead rows, NaN and links to nothing take no part. Kinds without an order of their
    /// own in eight bytes (bool, decimal, collections, backlinks) have none.
    ///
    /// - Complexity: O(448).
    static func write(
        kind: ValueKind, shape: SlotShape, directory: DirectoryView, slotCount: Int,
        into chunk: UnsafeMutableRawPointer
    ) {
        guard shape != .list else { return }
        let slots = UnsafeRawPointer(chunk + ChunkLayout.slots)
        let scan = ZoneScan(directory: directory, header: ChunkView(chunk), slotCount: slotCount)
        switch kind {
        case .int:
            store(scan.range { slots.loadUnaligned(fromByteOffset: $0 &* 8, as: Int64.self) }, into: chunk) {
                UInt64(bitPattern: $0)
            }
        case .link:
            let range = scan.range(where: { $0 != 0 }) {
                slots.loadUnaligned(fromByteOffset: $0 &* 8, as: UInt64.self)
            }
            store(range, into: chunk) { $0 }
        case .double, .date:
            let range = scan.range(where: { $0 == $0 }) {
                slots.loadUnaligned(fromByteOffset: $0 &* 8, as: Double.self)
            }
            store(range, into: chunk) { $0.bitPattern }
        case .float:
            let range = scan.range(where: { $0 == $0 }) {
                Double(slots.loadUnaligned(fromByteOffset: $0 &* 4, as: Float.self))
            }
            store(range, into: chunk) { $0.bitPattern }
        case .string, .binary:
            store(textRange(scan, slots: slots, slotCount: slotCount), into: chunk) { $0 }
        case .objectId:
            let range = scan.range {
                UInt64(bigEndian: slots.loadUnaligned(fromByteOffset: $0 &* 12, as: UInt64.self))
            }
            store(range, into: chunk) { $0 }
        case .uuid:
            let range = scan.range {
                UInt64(bigEndian: slots.loadUnaligned(fromByteOffset: $0 &* 16, as: UInt64.self))
            }
            store(range, into: chunk) { $0 }
        case .bool, .decimal, .backlinks:
            break
        }
    }

    private static func store<T>(
        _ range: (minimum: T, maximum: T)?, into chunk: UnsafeMutableRawPointer, _ bits: (T) -> UInt64
    ) {
        let header = ChunkView(chunk)
        if let range {
            header.setZone(minimum: bits(range.minimum), maximum: bits(range.maximum), hasValue: true)
        } else {
            header.setZone(minimum: 0, maximum: 0, hasValue: false)
        }
    }

    /// The range of the texts' first eight bytes, read as big-endian numbers with zeros behind a
    /// shorter text: two texts in order have prefixes in order.
    ///
    /// Of a large value the slot holds four bytes only: it counts with the lowest and the highest
    /// prefix it may have.
    private static func textRange(
        _ scan: ZoneScan, slots: UnsafeRawPointer, slotCount: Int
    ) -> (minimum: UInt64, maximum: UInt64)? {
        let heap = slots + slotCount &* 16
        var hasLargeValue = false
        let range = scan.range { slot in
            let text = slots + slot &* 16
            let count = Int(text.loadUnaligned(as: UInt32.self))
            if count <= TextSlot.inPlaceLimit {
                return UInt64(
                    bigEndian: text.loadUnaligned(fromByteOffset: TextSlot.inPlace, as: UInt64.self))
            }
            if count <= TextSlot.heapLimit {
                let offset = Int(text.loadUnaligned(fromByteOffset: TextSlot.heapOffset, as: UInt32.self))
                return UInt64(bigEndian: heap.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            hasLargeValue = true
            let four = UInt32(bigEndian: text.loadUnaligned(fromByteOffset: TextSlot.prefix, as: UInt32.self))
            return UInt64(four) << 32
        }
        guard let range, hasLargeValue else { return range }
        // The largest four bytes of any text bound every large value's prefix.
        return (range.minimum, range.maximum | 0xFFFF_FFFF)
    }
}

/// One pass over the values of a chunk that take part in its zone map.
private struct ZoneScan {
    let directory: DirectoryView
    let header: ChunkView
    let slotCount: Int

    @inline(__always)
    func range<T: Comparable>(
        where takesPart: (T) -> Bool = { _ in true }, _ value: (Int) -> T
    ) -> (minimum: T, maximum: T)? {
        var result: (minimum: T, maximum: T)?
        for index in 0..<((slotCount + 63) / 64) {
            var word = directory.liveWord(index) & ~header.word(index)
            while word != 0 {
                let next = value(index &* 64 &+ word.trailingZeroBitCount)
                word &= word &- 1
                guard takesPart(next) else { continue }
                guard let known = result else {
                    result = (next, next)
                    continue
                }
                result = (min(known.minimum, next), max(known.maximum, next))
            }
        }
        return result
    }
}
