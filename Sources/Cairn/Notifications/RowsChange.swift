/// How an ordered collection has changed. Places rise, and none is in two of the three.
struct RowsChange: Equatable {
    /// In the collection as it was.
    var deletions: [Int] = []
    /// In the collection as it is.
    var insertions: [Int] = []
    /// In the collection as it was.
    var modifications: [Int] = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
