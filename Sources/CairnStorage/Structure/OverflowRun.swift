/// Checks a run of overflow pages: one value on pages side by side, of which the first has a head.
///
///      0        16                                    page end
///     ┌────────┬──────────────────────────────────────┐┌───────────────────────┬──────────────┐
///     │ head   │ value                               →││→ value                │ of no use    │
///     └────────┴──────────────────────────────────────┘└───────────────────────┴──────────────┘
///
/// A run may be longer than its value needs: LMDB keeps the run where a value is replaced by a shorter
/// one in the transaction that has made it.
struct OverflowRun {
    let firstPage: UInt64
    let pageCount: UInt64

    /// Where the value begins in the first page.
    static let valueOffset = PageLayout.headByteCount

    /// The pages that a value takes.
    static func pageCount(valueByteCount: Int, pageByteCount: Int) -> UInt64 {
        UInt64((valueOffset + max(valueByteCount, 1) - 1) / pageByteCount + 1)
    }

    /// Checks the run of a leaf node's value and claims its pages.
    ///
    /// - Parameter head: A buffer for the head of the run's first page.
    /// - Returns: Nil where the run cannot be read.
    static func check(
        _ node: Node, of leaf: LeafPage, in version: CheckedVersion, head: PageBytes
    ) throws(StorageError) -> OverflowRun? {
        guard let first = node.run(in: leaf.bytes), version.isTreePage(first) else {
            leaf.note(.pageOutside, at: node.valueOffset, found: node.run(in: leaf.bytes) ?? 0, in: version)
            return nil
        }
        guard !version.isClaimed(first) else {
            leaf.note(.pageUsedTwice, at: node.valueOffset, found: first, in: version)
            return nil
        }
        guard try version.read(first, into: head), let header = PageHeader(head) else {
            leaf.note(.pageOutside, at: node.valueOffset, found: first, in: version)
            return nil
        }
        return claimed(first, header, node, leaf, version)
    }

    private static func claimed(
        _ first: UInt64, _ header: PageHeader, _ node: Node, _ leaf: LeafPage, _ version: CheckedVersion
    ) -> OverflowRun? {
        if header.number != first {
            version.note(
                .pageNumber, tree: leaf.tree, page: first, at: PageLayout.number, expected: .exactly(first),
                found: header.number)
        }
        guard header.flags == PageFlags.overflow else {
            version.note(
                .pageFlags, tree: leaf.tree, page: first, at: PageLayout.flags,
                expected: .exactly(UInt64(PageFlags.overflow)), found: UInt64(header.flags))
            return nil
        }
        let needed = pageCount(valueByteCount: node.valueByteCount, pageByteCount: version.pageByteCount)
        let count = UInt64(header.runPageCount)
        let last = first + max(count, 1) - 1
        guard count >= needed, version.isTreePage(last) else {
            version.note(
                .runPageCount, tree: leaf.tree, page: first, at: PageLayout.runPageCount,
                expected: .atLeast(needed), found: count)
            return nil
        }
        for page in first...last where !version.claim(page) {
            version.note(.pageUsedTwice, tree: leaf.tree, page: first, at: 0, found: page)
            return nil
        }
        return OverflowRun(firstPage: first, pageCount: count)
    }
}

/// A leaf page whose nodes have been checked.
struct LeafPage {
    let tree: StructureFinding.Tree
    let number: UInt64
    let bytes: PageBytes

    func note(
        _ kind: StructureFinding.Kind, at offset: Int,
        expected: StructureFinding.Expectation = .none, found: UInt64, in version: CheckedVersion
    ) {
        version.note(kind, tree: tree, page: number, at: offset, expected: expected, found: found)
    }
}
