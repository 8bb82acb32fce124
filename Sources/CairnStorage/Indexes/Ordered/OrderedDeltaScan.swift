/// Which way a scan goes.
package enum ScanOrder: Sendable {
    case ascending
    case descending
}

/// Goes through the changes of a delta in the order of their keys, each key once with its last
/// change.
///
/// Valid until the delta's generation changes; whoever owns it checks that.
struct OrderedDeltaScan: ~Copyable {
    /// The bytes of the keys.
    let arena: UnsafeRawPointer
    /// What is left of each run that has something left, the newest run first. Owned.
    private let cursors: UnsafeMutableBufferPointer<RunCursor>
    private var liveCount = 0
    private let isDescending: Bool

    private struct RunCursor: BitwiseCopyable {
        /// The next entry.
        var next: UnsafePointer<OrderedDeltaEntry>
        /// How many are left, that one included.
        var leftCount: Int
    }

    /// - Parameter bounds: nil: all changes.
    /// - Complexity: O(log² n), n = the number of changes, after the log has been sorted.
    init(_ delta: OrderedDelta, within bounds: OrderedBounds?, _ order: ScanOrder) {
        let (runs, arena) = delta.settledRuns()
        self.arena = arena
        isDescending = order == .descending
        cursors = .allocate(capacity: runs.count)
        if let bounds {
            guard !bounds.isEmpty else { return }
            bounds.lower.withUnsafeBytes { lower in
                bounds.upper.withUnsafeBytes { upper in
                    open(
                        runs, from: OrderedDeltaProbe(lower),
                        to: upper.isEmpty ? nil : OrderedDeltaProbe(upper))
                }
            }
        } else {
            open(runs, from: nil, to: nil)
        }
    }

    /// Stands at the first entry of each run, or at the last.
    private mutating func open(
        _ runs: [OrderedDeltaRun], from lower: OrderedDeltaProbe?, to upper: OrderedDeltaProbe?
    ) {
        for run in runs.reversed() {
            let low = lower.map { run.index(atOrAfter: $0, from: 0, arena) } ?? 0
            let high = upper.map { run.index(atOrAfter: $0, from: low, arena) } ?? run.count
            guard low < high, let base = run.entries.baseAddress else { continue }
            let first = base + (isDescending ? high - 1 : low)
            cursors.initializeElement(
                at: liveCount, to: RunCursor(next: UnsafePointer(first), leftCount: high - low))
            liveCount += 1
        }
    }

    deinit {
        cursors.deallocate()
    }

    /// The next change, or nil at the end.
    ///
    /// - Complexity: O(number of runs)
    mutating func next() -> OrderedDeltaEntry? {
        guard liveCount > 0 else { return nil }
        var best = 0
        var bestEntry = cursors[0].next.pointee
        var index = 1
        while index < liveCount {
            let entry = cursors[index].next.pointee
            let order = entry.compareKey(bestEntry, arena)
            if order == 0 {
                // The same key in an older run: a newer change has replaced it.
                if advance(index) { index += 1 }
                continue
            }
            if (order < 0) != isDescending {
                best = index
                bestEntry = entry
            }
            index += 1
        }
        advance(best)
        return bestEntry
    }

    /// Steps within one run. False if it had nothing left and was taken out.
    @discardableResult
    private mutating func advance(_ index: Int) -> Bool {
        // Changed as a whole: with its fields changed in place Swift 6.3 does not compile this file for the
        // thread sanitizer.
        var cursor = cursors[index]
        cursor.leftCount &-= 1
        if cursor.leftCount > 0 {
            cursor.next += isDescending ? -1 : 1
            cursors[index] = cursor
            return true
        }
        liveCount &-= 1
        for later in index..<liveCount { cursors[later] = cursors[later + 1] }
        return false
    }
}
