internal import CairnStorage

/// A few tables, each once.
struct TableSet {
    private(set) var spaces: [SpaceID] = []

    /// - Complexity: O(tables), of which a query has few.
    mutating func insert(_ space: SpaceID) {
        if !spaces.contains(space) { spaces.append(space) }
    }
}
