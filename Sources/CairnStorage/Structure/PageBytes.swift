internal import Glibc

/// A buffer for one page, and the one place where fields are read out of a page.
///
/// Every read says whether it lies inside; none traps, whatever offset the file made up.
final class PageBytes {
    private let memory: UnsafeMutableRawBufferPointer

    /// - Parameter byteCount: The page size, one of `PageLayout.byteCounts`, or less for a part.
    init(byteCount: Int) {
        memory = .allocate(byteCount: byteCount, alignment: MemoryLayout<UInt64>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        memory.deallocate()
    }

    var count: Int { memory.count }

    /// The little-endian number at a byte offset, or nil where it does not lie inside the page.
    func load<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: Number.Type) -> Number? {
        guard offset >= 0, offset <= memory.count - MemoryLayout<Number>.size else { return nil }
        return Number(littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Some bytes of the page, or nil where they do not all lie inside. Valid until the page is refilled.
    func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, count >= 0, offset <= memory.count, count <= memory.count - offset else {
            return nil
        }
        return UnsafeRawBufferPointer(rebasing: memory[offset..<offset + count])
    }

    /// Overwrites the page from its beginning.
    ///
    /// - Parameter fill: Gets the memory still to be filled and the number of bytes filled so far,
    ///   and returns how many it has added: 0 ends the filling.
    /// - Returns: Whether the page is full.
    func refill<Failure: Error>(
        _ fill: (UnsafeMutableRawBufferPointer, Int) throws(Failure) -> Int
    ) throws(Failure) -> Bool {
        var filled = 0
        while filled < memory.count {
            let added = try fill(UnsafeMutableRawBufferPointer(rebasing: memory[filled...]), filled)
            guard added > 0 else { return false }
            filled += added
        }
        return true
    }

    /// Whether two pages hold the same bytes.
    func holdsSameBytes(as other: PageBytes) -> Bool {
        memory.count == other.memory.count
            && memcmp(memory.baseAddress!, other.memory.baseAddress!, memory.count) == 0
    }
}
