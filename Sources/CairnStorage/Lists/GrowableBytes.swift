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
        grow(to: byteCount, appending: start, 0)
    }

    /// Appends a copy of bytes, which may be some of its own.
    mutating func append(_ bytes: UnsafeRawPointer, _ byteCount: Int) {
        if count + byteCount <= capacity {
            (start + count).copyMemory(from: bytes, byteCount: byteCount)
        } else {
            grow(to: count + byteCount, appending: bytes, byteCount)
        }
        count += byteCount
    }

    /// Moves to larger memory, and puts some bytes behind the others before the old memory goes.
    @inline(never)
    private mutating func grow(to least: Int, appending bytes: UnsafeRawPointer, _ byteCount: Int) {
        var larger = max(64, capacity)
        while larger < least { larger *= 2 }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        memory.copyMemory(from: start, byteCount: count)
        (memory + count).copyMemory(from: bytes, byteCount: byteCount)
        if capacity > 0 { start.deallocate() }
        start = memory
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
