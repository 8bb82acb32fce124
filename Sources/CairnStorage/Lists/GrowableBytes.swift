/// Memory that grows by doubling, freed with its owner.
struct GrowableBytes: ~Copyable {
    private(set) var start: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity = 0

    init() {
        start = UnsafeMutableRawPointer(mutating: ListPayload.nowhere)
    }

    deinit {
        if capacity > 0 { start.deallocate() }
    }

    /// Makes room for `byteCount` bytes in all, if there is less.
    mutating func reserve(_ byteCount: Int) {
        guard byteCount > capacity else { return }
        grow(to: byteCount)
    }

    @inline(never)
    private mutating func grow(to byteCount: Int) {
        var larger = max(64, capacity)
        while larger < byteCount { larger *= 2 }
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        bytes.copyMemory(from: start, byteCount: count)
        if capacity > 0 { start.deallocate() }
        start = bytes
        capacity = larger
    }

    /// Puts `inserted` bytes of no particular content in place of `removed` bytes at `offset`.
    ///
    /// - Complexity: O(bytes behind them), O(`inserted`) amortised at the end.
    mutating func replace(at offset: Int, removing removed: Int, inserting inserted: Int) {
        let tail = count - offset - removed
        reserve(count - removed + inserted)
        if tail > 0, removed != inserted {
            (start + offset + inserted).copyMemory(from: start + offset + removed, byteCount: tail)
        }
        count += inserted - removed
    }

    /// Makes the bytes `byteCount`, those that are new being of no particular content.
    mutating func resize(_ byteCount: Int) {
        reserve(byteCount)
        count = byteCount
    }

    /// Sets the number of bytes to `byteCount`, those that are new being zero.
    mutating func resizeWithZeros(_ byteCount: Int) {
        reserve(byteCount)
        if byteCount > count {
            (start + count).initializeMemory(as: UInt8.self, repeating: 0, count: byteCount - count)
        }
        count = byteCount
    }
}
