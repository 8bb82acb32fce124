/// Walks one tree from its root, page by page, and checks each page once.
///
/// It keeps the pages on the path to where it is, and no more; a page is gone into only when it is
/// claimed for the first time, so a cycle ends at its first repetition.
struct TreeCheck {
    /// What is done with an entry of a leaf page, after its node was checked and its run claimed.
    typealias Visit = (Node, LeafPage, OverflowRun?) throws(StorageError) -> Void

    private struct Level {
        let bytes: PageBytes
        let header: PageHeader
        let number: UInt64
        /// The child to go into next.
        var next = 0
    }

    private let record: DatabaseRecord
    private let version: CheckedVersion
    private var path: [Level] = []
    private var counts = TreeCounts()
    private var isComplete = true
    private let leafBytes: PageBytes
    private let runHead = PageBytes(byteCount: PageLayout.headByteCount)
    /// Buffers of levels that have been left.
    private var spare: [PageBytes] = []

    private var tree: StructureFinding.Tree { record.tree }

    private init(_ record: DatabaseRecord, _ version: CheckedVersion) {
        self.record = record
        self.version = version
        leafBytes = PageBytes(byteCount: version.pageByteCount)
    }

    /// Checks the tree that a record describes, and the record against it.
    ///
    /// - Precondition: The record's own findings have been noted.
    /// - Complexity: O(pages of the tree), with one page in memory for each level.
    static func run(
        _ record: DatabaseRecord, of version: CheckedVersion, visit: Visit
    ) throws(StorageError) -> TreeCounts {
        guard !record.isEmpty else { return TreeCounts() }
        guard record.findings(lastPage: version.meta.lastPage).isEmpty else {
            version.isIncomplete = true
            return TreeCounts()
        }
        var check = TreeCheck(record, version)
        try check.walk(visit)
        if check.isComplete {
            for finding in record.findings(counted: check.counts) { version.recorder.note(finding) }
        } else {
            version.isIncomplete = true
        }
        return check.counts
    }

    private mutating func walk(_ visit: Visit) throws(StorageError) {
        try enter(
            record.root, from: record.page, at: record.offset + RecordLayout.root, visit)
        while let level = path.last {
            guard level.next < level.header.nodeCount, let node = Node(level.next, in: level.bytes) else {
                spare.append(level.bytes)
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            try enter(node.child, from: level.number, at: node.offset, visit)
        }
    }

    /// Checks a page; a branch page then is the end of the path, a leaf page is done with.
    private mutating func enter(
        _ page: UInt64, from parent: UInt64, at offset: Int, _ visit: Visit
    ) throws(StorageError) {
        let isLeaf = path.count + 1 == record.depth
        let bytes = isLeaf ? leafBytes : spare.popLast() ?? PageBytes(byteCount: version.pageByteCount)
        guard try read(page, from: parent, at: offset, into: bytes), let header = PageHeader(bytes),
            NodeCheck(tree: tree, page: page, bytes: bytes, header: header)
                .run(in: version, mustBeLeaf: isLeaf)
        else {
            isComplete = false
            return
        }
        KeyCheck(tree: tree, order: record.order, page: page, bytes: bytes, header: header)
            .run(in: version, lower: lowerSeparator, upper: upperSeparator)
        if isLeaf {
            counts.leafPages += 1
            try visitEntries(LeafPage(tree: tree, number: page, bytes: bytes), header.nodeCount, visit)
        } else {
            counts.branchPages += 1
            path.append(Level(bytes: bytes, header: header, number: page))
        }
    }

    private func read(
        _ page: UInt64, from parent: UInt64, at offset: Int, into bytes: PageBytes
    ) throws(StorageError) -> Bool {
        guard version.isTreePage(page) else {
            version.note(.pageOutside, tree: tree, page: parent, at: offset, found: page)
            return false
        }
        guard version.claim(page) else {
            version.note(.pageUsedTwice, tree: tree, page: parent, at: offset, found: page)
            return false
        }
        guard try version.read(page, into: bytes) else {
            version.note(.pageOutside, tree: tree, page: parent, at: offset, found: page)
            return false
        }
        return true
    }

    private mutating func visitEntries(
        _ leaf: LeafPage, _ count: Int, _ visit: Visit
    ) throws(StorageError) {
        counts.entries += UInt64(count)
        for index in 0..<count {
            guard let node = Node(index, in: leaf.bytes) else { return }
            guard node.hasRun else {
                try visit(node, leaf, nil)
                continue
            }
            guard let run = try OverflowRun.check(node, of: leaf, in: version, head: runHead)
            else {
                isComplete = false
                continue
            }
            counts.overflowPages += run.pageCount
            try visit(node, leaf, run)
        }
    }

    /// The key at or after which the page about to be checked begins: the nearest above that counts.
    private var lowerSeparator: UnsafeRawBufferPointer? {
        for level in path.reversed() where level.next > 1 {
            return Node(level.next - 1, in: level.bytes)?.key(in: level.bytes)
        }
        return nil
    }

    /// The key before which it ends.
    private var upperSeparator: UnsafeRawBufferPointer? {
        for level in path.reversed() where level.next < level.header.nodeCount {
            return Node(level.next, in: level.bytes)?.key(in: level.bytes)
        }
        return nil
    }
}
