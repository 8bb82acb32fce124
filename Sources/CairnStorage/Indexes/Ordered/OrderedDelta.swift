internal import Glibc

/// What a write session has changed in the database `ordered` and has not written yet: keys that
/// are put and keys that are removed. The last change of a key wins.
///
/// Changes are noted in a log. The first read after a change sorts the log and makes a **run** of it:
///
///     oldest  [ run ······································· ] [ run ······· ] [ run ·· ] [ log ]  newest
///                                                                                sorted │ as it came
///
/// A read looks at all runs at once, the newest first where a key is in several. So that there are
/// few, a new run is merged with the one before it while that is less than four times as large: n
/// changes lie in at most log₄ n runs, and each was copied O(log n) times on average, also when every
/// change is followed by a read. (One run, merged at each read, would cost n copies then; a tree of
/// nodes keeps single changes cheap too, but costs more than a log when a million come at once, which
/// is the common case. Four and not two: reading goes through half as many runs, and copying an entry
/// costs less than comparing it.)
///
/// Layers of a session are **marks**: runs below the newest mark are not merged with those above it,
/// so that going back to a mark only forgets runs.
///
/// For one thread at a time, that of the session.
package final class OrderedDelta {
    /// What happens to a key.
    package enum Change: Hashable, Sendable {
        /// The key is there from now on, with this payload: 0 in an ordered index, the number of links
        /// among backlinks.
        case put(UInt32)
        /// The key is gone; also for a key that was not there.
        case removal
    }

    /// A point to go back to. Marks are a stack.
    package struct Mark: Sendable {
        fileprivate let depth: Int
        fileprivate let serial: UInt64
    }

    private struct Layer {
        let serial: UInt64
        let runCount: Int
        let arenaCount: Int
    }

    /// The bytes of all keys, one behind the other. Never shrinks but by `rollBack` and `reset`.
    private var arena: UnsafeMutableRawPointer
    private var arenaCount = 0
    private var arenaCapacity = OrderedDelta.firstArenaCapacity
    /// Where the keys of the log begin in the arena.
    private var logStart = 0
    private var log: [OrderedDeltaEntry] = []
    private var runs: [OrderedDeltaRun] = []
    private var layers: [Layer] = []
    private var lastSerial: UInt64 = 0
    /// Changes whenever what an open cursor has seen may not hold any more.
    ///
    /// Read at each step of a cursor; unchecked, since no access to it spans any other code.
    @exclusivity(unchecked) private(set) var generation: UInt64 = 0

    private static var firstArenaCapacity: Int { 4096 }
    /// A run is merged with the one before it while that is less than so many times as large.
    private static var growth: Int { 4 }
    /// From how many entries on the keys of a run are moved into its order.
    private static var keySortingThreshold: Int { 1024 }

    package init() {
        arena = Self.resize(nil, to: Self.firstArenaCapacity)
    }

    deinit {
        for run in runs { run.free() }
        free(arena)
    }

    /// Whether there is no change.
    package var isEmpty: Bool { log.isEmpty && runs.isEmpty }

    /// The memory held, in bytes, keys and entries: what decides about a spill.
    ///
    /// - Complexity: O(number of runs)
    package var byteCount: Int {
        let entryCount = runs.reduce(log.capacity) { $0 + $1.count }
        return arenaCapacity + entryCount * MemoryLayout<OrderedDeltaEntry>.stride
    }
}

// MARK: - Changing

extension OrderedDelta {
    /// Notes that a key is there from now on.
    ///
    /// - Precondition: the bytes are a key that an `OrderedKeyBuffer` has built.
    /// - Complexity: O(1) amortised, and the copy of the key.
    package func put(_ key: UnsafeRawBufferPointer, payload: UInt32 = 0) {
        append(key, .put(payload))
    }

    /// Notes that a key is gone.
    ///
    /// - Precondition, complexity: those of `put`.
    package func remove(_ key: UnsafeRawBufferPointer) {
        append(key, .removal)
    }

    private func append(_ key: UnsafeRawBufferPointer, _ change: Change) {
        precondition(
            key.count >= OrderedKey.minimumByteCount && key.count <= OrderedKey.maximumByteCount,
            "Bytes that are no key of the ordered entries cannot be changed there.")
        generation &+= 1
        if arenaCount + key.count > arenaCapacity {
            arenaCapacity *= 2
            arena = Self.resize(arena, to: arenaCapacity)
        }
        log.append(OrderedDeltaEntry(key, at: arenaCount, change))
        (arena + arenaCount).copyMemory(from: key.baseAddress.unsafelyUnwrapped, byteCount: key.count)
        arenaCount += key.count
    }

    /// Forgets everything, the marks too, and gives the memory back.
    package func reset() {
        generation &+= 1
        for run in runs { run.free() }
        runs = []
        log = []
        layers = []
        arenaCount = 0
        logStart = 0
        arenaCapacity = Self.firstArenaCapacity
        arena = Self.resize(arena, to: arenaCapacity)
    }

    /// `realloc`, which moves pages and not bytes when the memory is large.
    private static func resize(_ memory: UnsafeMutableRawPointer?, to count: Int) -> UnsafeMutableRawPointer {
        guard let resized = realloc(memory, count) else {
            fatalError("No memory is left for the pending changes of ordered indexes (\(count) bytes).")
        }
        return resized
    }
}

// MARK: - Layers

extension OrderedDelta {
    /// Marks this point: the start of a layer.
    ///
    /// - Complexity: that of a read.
    package func mark() -> Mark {
        settle()
        lastSerial += 1
        layers.append(Layer(serial: lastSerial, runCount: runs.count, arenaCount: arenaCount))
        return Mark(depth: layers.count - 1, serial: lastSerial)
    }

    /// Undoes exactly the changes since the mark, and ends it and every later one.
    ///
    /// - Complexity: O(number of runs undone)
    package func rollBack(to mark: Mark) {
        let layer = layer(of: mark)
        generation &+= 1
        log.removeAll(keepingCapacity: true)
        for run in runs[layer.runCount...] { run.free() }
        runs.removeSubrange(layer.runCount...)
        arenaCount = layer.arenaCount
        logStart = arenaCount
        layers.removeSubrange(mark.depth...)
    }

    /// Ends the mark, and every later one, and keeps the changes: they belong to the layer below now.
    /// Without it nothing goes wrong, but reads go through the runs of every layer.
    ///
    /// - Complexity: O(n) at worst, n = the changes since the mark before this one; amortised as a
    ///   read.
    package func release(_ mark: Mark) {
        let layer = layer(of: mark)
        generation &+= 1
        // As long as the mark is there, this merges nothing with the runs below it.
        settle()
        layers.removeSubrange(mark.depth...)
        let above = runs[layer.runCount...]
        runs.removeSubrange(layer.runCount...)
        for run in above { push(run) }
    }

    private func layer(of mark: Mark) -> Layer {
        guard mark.depth < layers.count, layers[mark.depth].serial == mark.serial else {
            fatalError("A mark of pending index changes was used after it had ended.")
        }
        return layers[mark.depth]
    }
}

// MARK: - Reading

extension OrderedDelta {
    /// What happens to one key; nil: nothing, it is as committed.
    ///
    /// - Complexity: O(log² n), n = the number of changes, after the log has been sorted.
    package func change(of key: UnsafeRawBufferPointer) -> Change? {
        settle()
        let probe = OrderedDeltaProbe(key)
        for run in runs.reversed() {
            let index = run.index(atOrAfter: probe, from: 0, arena)
            if index < run.count && run.entries[index].compareKey(probe, arena) == 0 {
                return run.entries[index].change
            }
        }
        return nil
    }

    /// Goes through all changes in the order of the keys, each key once with its last change: the
    /// commit. The key's bytes are valid during the call.
    ///
    /// - Complexity: O(n log n)
    package func forEachSorted<Failure: Error>(
        _ body: (_ key: UnsafeRawBufferPointer, _ change: Change) throws(Failure) -> Void
    ) throws(Failure) {
        var scan = OrderedDeltaScan(self, within: nil, .ascending)
        let opened = generation
        while let entry = scan.next() {
            try body(entry.key(scan.arena), entry.change)
            guard opened == generation else {
                fatalError("Pending index changes were changed while they were written.")
            }
        }
    }

    /// Makes a run of the log.
    ///
    /// - Complexity: O(m log m + amortised O(m log n)), m = the length of the log, n = all changes.
    private func settle() {
        guard !log.isEmpty else { return }
        let run = log.withUnsafeMutableBufferPointer { OrderedDeltaRun.sorting($0, arena) }
        if run.count >= Self.keySortingThreshold {
            arenaCount = logStart + run.sortKeys(arena, in: logStart..<arenaCount)
        }
        logStart = arenaCount
        // A log of a million entries is not kept for the next one.
        log.removeAll(keepingCapacity: log.capacity <= 4096)
        push(run)
    }

    /// Adds a run that is newer than all others.
    private func push(_ newest: OrderedDeltaRun) {
        let floor = layers.last?.runCount ?? 0
        var run = newest
        while runs.count > floor, let last = runs.last, last.count < Self.growth * run.count {
            let merged = OrderedDeltaRun.merging(older: last, newer: run, arena)
            last.free()
            run.free()
            runs.removeLast()
            run = merged
        }
        runs.append(run)
    }

    /// The runs, the oldest first, and the bytes of their keys: valid until the generation changes.
    func settledRuns() -> (runs: [OrderedDeltaRun], arena: UnsafeRawPointer) {
        settle()
        return (runs, UnsafeRawPointer(arena))
    }
}
