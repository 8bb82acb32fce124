/// One change in an `OrderedDelta`: where its key's bytes are, and enough of them to tell most keys
/// apart without going there.
///
///     key bytes    0      3                 11
///                  | start | head            | the rest, only in the arena
struct OrderedDeltaEntry: BitwiseCopyable {
    /// Bytes 3 to 10, big-endian: in an index of numbers all of the value.
    let head: UInt64
    /// The key's place: its offset in the arena << 16 | its length. Of two entries the one with the
    /// higher place is the newer.
    private(set) var place: UInt64
    /// Bytes 0 to 2, space and marker, << 8, and 1 for a removal.
    private let startAndRemoval: UInt32
    /// What is put; 0 for a removal.
    let payload: UInt32

    /// - Parameters:
    ///   - key: at least `OrderedKey.minimumByteCount` bytes.
    ///   - offset: where the arena has it.
    init(_ key: UnsafeRawBufferPointer, at offset: Int, _ change: OrderedDelta.Change) {
        let start = UInt32(OrderedKey.load(key, 0, as: UInt16.self)) << 8 | UInt32(key[2])
        head = OrderedKey.load(key, 3, as: UInt64.self)
        place = UInt64(offset) << 16 | UInt64(key.count)
        switch change {
        case .put(let payload):
            startAndRemoval = start << 8
            self.payload = payload
        case .removal:
            startAndRemoval = start << 8 | 1
            payload = 0
        }
    }

    /// Notes that the key's bytes have been moved in the arena.
    mutating func moveKey(to offset: Int) {
        place = UInt64(offset) << 16 | place & 0xFFFF
    }

    private var start: UInt32 { startAndRemoval >> 8 }
    var isRemoval: Bool { startAndRemoval & 1 != 0 }
    var change: OrderedDelta.Change { isRemoval ? .removal : .put(payload) }

    /// The key. Valid until the delta is changed.
    @inline(__always)
    func key(_ arena: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: arena + Int(place >> 16), count: Int(place & 0xFFFF))
    }

    /// Below zero, zero or above, as the key comes before, is equal to, or comes after bytes of any
    /// length.
    @inline(__always)
    func compareKey(_ probe: OrderedDeltaProbe, _ arena: UnsafeRawPointer) -> Int {
        if start != probe.start { return start < probe.start ? -1 : 1 }
        if head != probe.head { return head < probe.head ? -1 : 1 }
        return KeyBytes.compare(key(arena), probe.bytes)
    }

    /// Below zero, zero or above, as the key comes before, is equal to, or comes after another's.
    @inline(__always)
    func compareKey(_ other: OrderedDeltaEntry, _ arena: UnsafeRawPointer) -> Int {
        if start != other.start { return start < other.start ? -1 : 1 }
        if head != other.head { return head < other.head ? -1 : 1 }
        return KeyBytes.compare(key(arena), other.key(arena), from: 11)
    }
}

/// Bytes that entries are compared with, taken apart like theirs. What is missing of the first eleven
/// bytes counts as zero, which is not more than any byte: the order stays that of the bytes, but for
/// equal ones, which are looked at whole.
struct OrderedDeltaProbe {
    let start: UInt32
    let head: UInt64
    /// Valid as long as the caller's.
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        var start: UInt32 = 0
        var head: UInt64 = 0
        if bytes.count >= OrderedKey.minimumByteCount {
            start = UInt32(OrderedKey.load(bytes, 0, as: UInt16.self)) << 8 | UInt32(bytes[2])
            head = OrderedKey.load(bytes, 3, as: UInt64.self)
        } else {
            for index in 0..<3 { start = start << 8 | UInt32(index < bytes.count ? bytes[index] : 0) }
            for index in 3..<11 { head = head << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        }
        self.start = start
        self.head = head
    }
}

/// Entries of a delta, sorted by their keys, each key once. Owned by the delta that made it, which
/// frees it.
struct OrderedDeltaRun {
    let entries: UnsafeMutableBufferPointer<OrderedDeltaEntry>

    var count: Int { entries.count }

    /// The index of the first entry, of those from `start` on, whose key is the probe or comes after
    /// it.
    ///
    /// - Complexity: O(log n), n = the distance from `start`.
    func index(atOrAfter probe: OrderedDeltaProbe, from start: Int, _ arena: UnsafeRawPointer) -> Int {
        var low = start
        var step = 1
        // Where only a few entries lie between two bounds, the second is found near the first.
        while low + step <= entries.count && entries[low + step - 1].compareKey(probe, arena) < 0 {
            low += step
            step *= 2
        }
        var high = min(low + step - 1, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].compareKey(probe, arena) < 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Makes a run of changes in the order they were made; sorts them in their place.
    ///
    /// - Complexity: O(n log n); O(n) where they are sorted already.
    static func sorting(
        _ log: UnsafeMutableBufferPointer<OrderedDeltaEntry>, _ arena: UnsafeRawPointer
    ) -> OrderedDeltaRun {
        var sorted = log
        sorted.sort { left, right in
            let order = left.compareKey(right, arena)
            return order != 0 ? order < 0 : left.place < right.place
        }
        var kept = 0
        for entry in log {
            // The newer of two with one key stands behind the older, and takes its place.
            if kept == 0 || log[kept - 1].compareKey(entry, arena) != 0 { kept += 1 }
            log[kept - 1] = entry
        }
        let entries = UnsafeMutableBufferPointer<OrderedDeltaEntry>.allocate(capacity: kept)
        _ = entries.initialize(from: log[..<kept])
        return OrderedDeltaRun(entries: entries)
    }

    /// Makes one run of two; where both have a key, the newer's entry stays.
    ///
    /// - Complexity: O(n)
    static func merging(
        older: OrderedDeltaRun, newer: OrderedDeltaRun, _ arena: UnsafeRawPointer
    ) -> OrderedDeltaRun {
        let room = UnsafeMutableBufferPointer<OrderedDeltaEntry>.allocate(capacity: older.count + newer.count)
        var count = 0
        var left = 0
        var right = 0
        while left < older.count && right < newer.count {
            let order = older.entries[left].compareKey(newer.entries[right], arena)
            if order < 0 {
                room[count] = older.entries[left]
                left += 1
            } else {
                room[count] = newer.entries[right]
                right += 1
                if order == 0 { left += 1 }
            }
            count += 1
        }
        for rest in [older.entries[left...], newer.entries[right...]] {
            _ = UnsafeMutableBufferPointer(rebasing: room[count...]).initialize(from: rest)
            count += rest.count
        }
        // What stays unused of the room is the number of keys that both had.
        return OrderedDeltaRun(entries: UnsafeMutableBufferPointer(rebasing: room[..<count]))
    }

    /// Moves the keys into the order of the entries, so that going through the run goes through memory
    /// from front to back and not from cache miss to cache miss: *measured*, a million random
    /// keys over a million committed ones: 110 ns a step instead of 400; sorting takes 270 instead of 210.
    ///
    /// - Parameter region: where the arena has the keys of this run and of no other.
    /// - Returns: how much of the region is still used: keys that were replaced are left out.
    func sortKeys(_ arena: UnsafeMutableRawPointer, in region: Range<Int>) -> Int {
        let room = UnsafeMutableRawPointer.allocate(byteCount: region.count, alignment: 8)
        defer { room.deallocate() }
        var used = 0
        for index in entries.indices {
            let key = entries[index].key(arena)
            UnsafeMutableRawBufferPointer(start: room + used, count: key.count).copyMemory(from: key)
            entries[index].moveKey(to: region.lowerBound + used)
            used += key.count
        }
        (arena + region.lowerBound).copyMemory(from: room, byteCount: used)
        return used
    }

    func free() {
        entries.deallocate()
    }
}
