/// Leaves the smallest entries of many, in any order.
enum SortSelection {
    /// Keeps at least `count` entries, among them the `count` smallest and all that equal the largest of these.
    static func keepSmallest(_ count: Int, of entries: inout [SortEntry]) {
        guard count > 0, count < entries.count else { return }
        // A sorted buffer of the best so far; what is larger than its last is passed over.
        var best: [SortEntry] = []
        var bound = UInt64.max
        let room = max(count * 4, 256)
        for entry in entries where entry.bits <= bound {
            best.append(entry)
            if best.count > room {
                RadixSort.sort(&best)
                bound = best[count - 1].bits
                best.removeAll { $0.bits > bound }
                // Many equal ones: they all stay, and there is no use in sorting again soon.
                if best.count > room / 2 { break }
            }
        }
        if best.count > room / 2 {
            let limit = bound
            let kept = entries.filter { $0.bits <= limit }
            if kept.count < entries.count { entries = kept }
            return
        }
        entries = best
    }
}
