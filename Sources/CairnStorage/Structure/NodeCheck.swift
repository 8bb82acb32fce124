/// Checks what one tree page says about itself: head, bounds, and each node's place, size and flags.
///
/// Whoever reads nodes of a page that has passed can do so without another check.
struct NodeCheck {
    let tree: StructureFinding.Tree
    let page: UInt64
    let bytes: PageBytes
    let header: PageHeader

    /// Checks the whole page.
    ///
    /// - Parameter mustBeLeaf: What the page's level in the tree asks for.
    /// - Returns: Whether its nodes can be read. A wrong page number alone does not prevent that.
    func run(in version: CheckedVersion, mustBeLeaf: Bool) -> Bool {
        if header.number != page {
            note(.pageNumber, PageLayout.number, .exactly(page), header.number, version)
        }
        return hasRightFlags(version, mustBeLeaf: mustBeLeaf) && hasRightBounds(version)
            && hasRightNodes(version)
    }

    private func hasRightFlags(_ version: CheckedVersion, mustBeLeaf: Bool) -> Bool {
        let expected = mustBeLeaf ? PageFlags.leaf : PageFlags.branch
        guard header.flags != expected else { return true }
        let isOfOtherLevel = header.isLeaf || header.isBranch
        note(
            isOfOtherLevel ? .treeDepth : .pageFlags, PageLayout.flags, .exactly(UInt64(expected)),
            UInt64(header.flags), version)
        return false
    }

    private func hasRightBounds(_ version: CheckedVersion) -> Bool {
        guard header.lower >= PageLayout.headByteCount, header.lower % PageLayout.pointerByteCount == 0,
            header.lower <= header.upper
        else {
            note(.pageBounds, PageLayout.lower, .atMost(UInt64(header.upper)), UInt64(header.lower), version)
            return false
        }
        guard header.upper <= bytes.count, header.upper % NodeLayout.alignment == 0 else {
            note(.pageBounds, PageLayout.upper, .atMost(UInt64(bytes.count)), UInt64(header.upper), version)
            return false
        }
        guard header.nodeCount >= leastNodeCount else {
            note(
                .pageUnderfull, PageLayout.lower, .atLeast(UInt64(leastNodeCount)), UInt64(header.nodeCount),
                version)
            return false
        }
        return true
    }

    /// LMDB removes a branch page with one child, but may leave one in the tree of the free list.
    private var leastNodeCount: Int {
        header.isBranch && tree != .freeList ? 2 : 1
    }

    private func hasRightNodes(_ version: CheckedVersion) -> Bool {
        version.tiling.reset()
        for index in 0..<header.nodeCount where !isRight(index, version) { return false }
        if let place = version.tiling.firstBreak(upper: header.upper, nodeCount: header.nodeCount) {
            note(.nodeLayout, place, .none, UInt64(place), version)
            return false
        }
        return true
    }

    private func isRight(_ index: Int, _ version: CheckedVersion) -> Bool {
        let pointer = PageHeader.pointerOffset(index)
        guard let node = Node(index, in: bytes), node.offset >= header.upper,
            node.offset % NodeLayout.alignment == 0
        else {
            let found = bytes.load(pointer, as: UInt16.self) ?? 0
            note(.nodeOffset, pointer, .atLeast(UInt64(header.upper)), UInt64(found), version)
            return false
        }
        if header.isLeaf, !hasRightFlags(node, version) { return false }
        let byteCount = node.byteCount(isBranch: header.isBranch)
        let largest = NodeLayout.largestByteCount(pageByteCount: bytes.count)
        let room = min(bytes.count - node.offset, largest)
        guard NodeTiling.rounded(byteCount) <= bytes.count - node.offset, byteCount <= largest else {
            note(.nodeSize, node.offset, .atMost(UInt64(room)), UInt64(byteCount), version)
            return false
        }
        guard version.tiling.add(offset: node.offset, byteCount: byteCount) else {
            note(.nodeLayout, pointer, .none, UInt64(node.offset), version)
            return false
        }
        return true
    }

    /// The main tree holds records of databases alone, the other trees never do.
    private func hasRightFlags(_ node: Node, _ version: CheckedVersion) -> Bool {
        let expected = tree == .main ? NodeFlags.database : node.flags & NodeFlags.run
        guard node.flags != expected else { return true }
        note(
            .nodeFlags, node.offset + NodeLayout.flags, .exactly(UInt64(expected)), UInt64(node.flags),
            version)
        return false
    }

    private func note(
        _ kind: StructureFinding.Kind, _ offset: Int, _ expected: StructureFinding.Expectation,
        _ found: UInt64, _ version: CheckedVersion
    ) {
        version.note(kind, tree: tree, page: page, at: offset, expected: expected, found: found)
    }
}
