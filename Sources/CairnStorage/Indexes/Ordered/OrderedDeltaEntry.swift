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
    let place: UInt64
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

    private var start: UInt32 { startAndRemoval >> 8 }
    var isRemoval: Bool { startAndRemoval & 1 != 0 }
    var change: OrderedDelta.Change { isRemoval ? .removal : .put(payload) }

    /// The key. Valid until the delta is changed.
    @inline(__always)
    func key(_ arena: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: arena + Int(place >> 16), count: Int(place & 0xFFFF))
    }

    /// Below zero, zero or above, as the key comes before, is equal to, or comes after another's.
    @inline(__always)
    func compareKey(_ other: OrderedDeltaEntry, _ arena: UnsafeRawPointer) -> Int {
        if start != other.start { return start < other.start ? -1 : 1 }
        if head != other.head { return head < other.head ? -1 : 1 }
        return KeyBytes.compare(key(arena), other.key(arena), from: 11)
    }
}

/// Entries of a delta, sorted by their keys, each key once. Owned by the delta that made it, which
/// frees it.
struct OrderedDeltaRun {
    let entries: UnsafeMutableBufferPointer<OrderedDeltaEntry>

    var count: Int { entries.count }

    /// The index of the first entry whose key is `key` or comes after it.
    ///
    /// - Complexity: O(log n)
    func index(atOrAfter key: UnsafeRawBufferPointer, _ arena: UnsafeRawPointer) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if KeyBytes.compare(entries[middle].key(arena), key) < 0 {
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

    func free() {
        entries.deallocate()
    }
}
