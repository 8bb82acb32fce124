/// How one arrangement of elements becomes another one: which of the old ones go, and which of the new ones come.
///
/// What both begin and end with is passed over; of the rest, the k-th occurrence of an element is the same as
/// its k-th occurrence in the other, and of those the largest number stays that keep their order. Where no
/// element is there twice, nothing smaller would do.
///
/// - Complexity: O(n + m log m), m = the elements between the first and the last difference.
struct ArrangementDifference {
    private(set) var deletions: [Int] = []
    private(set) var insertions: [Int] = []

    init<Element: Hashable>(from old: [Element], to new: [Element]) {
        let limit = min(old.count, new.count)
        var start = 0
        while start < limit, old[start] == new[start] { start += 1 }
        var end = 0
        while end < limit - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        let oldRest = start..<(old.count - end)
        let newRest = start..<(new.count - end)
        if oldRest.isEmpty || newRest.isEmpty {
            deletions = Array(oldRest)
            insertions = Array(newRest)
            return
        }
        let partners = Self.partners(old, oldRest, new, newRest)
        let kept = Self.longestRise(of: partners)
        var isKept = Array(repeating: false, count: newRest.count)
        for (index, place) in oldRest.enumerated() {
            if kept[index] { isKept[partners[index] - start] = true } else { deletions.append(place) }
        }
        insertions = newRest.filter { !isKept[$0 - start] }
    }

    /// For each old element its place in the new arrangement, or -1.
    private static func partners<Element: Hashable>(
        _ old: [Element], _ oldRest: Range<Int>, _ new: [Element], _ newRest: Range<Int>
    ) -> [Int] {
        // A chain through the places of each element, from its first to its last.
        var first: [Element: Int] = [:]
        first.reserveCapacity(newRest.count)
        var next = Array(repeating: -1, count: newRest.count)
        for place in newRest.reversed() {
            next[place - newRest.lowerBound] = first[new[place]] ?? -1
            first[new[place]] = place
        }
        return oldRest.map { place in
            guard let partner = first[old[place]] else { return -1 }
            let following = next[partner - newRest.lowerBound]
            first[old[place]] = following < 0 ? nil : following
            return partner
        }
    }

    /// Which of some numbers are in a longest rising sequence of them; -1 is in none.
    private static func longestRise(of numbers: [Int]) -> [Bool] {
        /// For each length the index of the smallest number that a rise of it ends with.
        var ends: [Int] = []
        var previous = Array(repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() where number >= 0 {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result = Array(repeating: false, count: numbers.count)
        var index = ends.last ?? -1
        while index >= 0 {
            result[index] = true
            index = previous[index]
        }
        return result
    }
}
