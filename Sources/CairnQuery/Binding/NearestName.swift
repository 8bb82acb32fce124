/// The name that was probably meant.
package enum NearestName {
    /// The candidate with the fewest letters to change, insert or remove; nil where none is close.
    package static func find(_ name: String, in candidates: [String]) -> String? {
        let wanted = Array(name.lowercased())
        var best: (name: String, distance: Int)?
        for candidate in candidates.sorted() {
            let distance = distance(wanted, Array(candidate.lowercased()))
            if distance <= max(1, max(wanted.count, candidate.count) / 3),
                distance < best?.distance ?? .max
            {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// The letters to change, insert, remove or exchange with their neighbour (the restricted form of Damerau's
    /// and Levenshtein's distance).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        guard left.count <= 128, right.count <= 128 else { return .max }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (place, letter) in left.enumerated() {
            var row = [place + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, row[column] + 1)
                if place > 0, column > 0, letter == right[column - 1], left[place - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }
}
