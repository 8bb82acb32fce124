/// Checks the keys of one tree page: their sizes, their order, and that they lie between the
/// separators above the page, as a search for them presumes.
///
///     branch   │ –  │ g   │ p   │        the first key is not looked at
///                ↓     ↓     ↓
///     leaves   a … f  g … o  p … z      separator ≤ keys below it < next separator
struct KeyCheck {
    let tree: StructureFinding.Tree
    let order: KeyOrder
    let page: UInt64
    let bytes: PageBytes
    let header: PageHeader

    /// Notes the first thing wrong of each sort.
    ///
    /// - Parameters:
    ///   - lower: The separator that opens the page's range; nil at the left edge of the tree.
    ///   - upper: The separator that ends it; nil at the right edge.
    ///
    /// - Precondition: The page has passed `NodeCheck`.
    func run(in version: CheckedVersion, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?) {
        var previous: UnsafeRawBufferPointer?
        var isOrdered = true
        var hasRightSizes = true
        for index in firstIndex..<header.nodeCount {
            guard let node = Node(index, in: bytes), let key = node.key(in: bytes) else { return }
            if hasRightSizes, !order.byteCounts.contains(key.count) {
                hasRightSizes = false
                note(.keySize, node.offset + NodeLayout.keySize, UInt64(key.count), version)
            }
            if isOrdered, let previous, !order.precedes(previous, key) {
                isOrdered = false
                note(.keyOrder, node.offset, UInt64(index), version)
            }
            previous = key
        }
        checkEdges(version, lower: lower, upper: upper)
    }

    private var firstIndex: Int { header.isBranch ? 1 : 0 }

    private func checkEdges(
        _ version: CheckedVersion, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
    ) {
        if let lower, let first = Node(firstIndex, in: bytes), let key = first.key(in: bytes) {
            // The first separator of a branch page is past the keys of the child before it, so past
            // the page's own separator; the first key of a leaf may be equal to that.
            let isOutside = header.isBranch ? !order.precedes(lower, key) : order.precedes(key, lower)
            if isOutside { note(.keyOutsideSeparators, first.offset, UInt64(firstIndex), version) }
        }
        let lastIndex = header.nodeCount - 1
        if let upper, let last = Node(lastIndex, in: bytes), let key = last.key(in: bytes),
            lastIndex >= firstIndex, !order.precedes(key, upper)
        {
            note(.keyOutsideSeparators, last.offset, UInt64(lastIndex), version)
        }
    }

    private func note(
        _ kind: StructureFinding.Kind, _ offset: Int, _ found: UInt64, _ version: CheckedVersion
    ) {
        version.note(kind, tree: tree, page: page, at: offset, found: found)
    }
}
