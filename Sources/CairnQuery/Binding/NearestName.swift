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

    /// Levenshtein's distance.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        guard left.count <= 128, right.count <= 128 else { return .max }
        var row = Array(0...right.count)
        for (place, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for (column, other) in right.enumerated() {
                let change = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
