/// The record of a tree, as the file has it, and where it stands.
struct DatabaseRecord {
    let tree: StructureFinding.Tree
    /// The page that holds the record.
    let page: UInt64
    /// Where in that page it begins.
    let offset: Int

    let padding: UInt32
    let flags: UInt16
    let depth: Int
    let branchPageCount: UInt64
    let leafPageCount: UInt64
    let overflowPageCount: UInt64
    let entryCount: UInt64
    let root: UInt64

    /// Nil where the record does not lie inside the page.
    init?(_ tree: StructureFinding.Tree, in bytes: PageBytes, page: UInt64, offset: Int) {
        guard let padding = bytes.load(offset + RecordLayout.padding, as: UInt32.self),
            let flags = bytes.load(offset + RecordLayout.flags, as: UInt16.self),
            let depth = bytes.load(offset + RecordLayout.depth, as: UInt16.self),
            let branches = bytes.load(offset + RecordLayout.branchPageCount, as: UInt64.self),
            let leaves = bytes.load(offset + RecordLayout.leafPageCount, as: UInt64.self),
            let overflow = bytes.load(offset + RecordLayout.overflowPageCount, as: UInt64.self),
            let entries = bytes.load(offset + RecordLayout.entryCount, as: UInt64.self),
            let root = bytes.load(offset + RecordLayout.root, as: UInt64.self)
        else { return nil }
        self.tree = tree
        self.page = page
        self.offset = offset
        self.padding = padding
        self.flags = flags
        self.depth = Int(depth)
        branchPageCount = branches
        leafPageCount = leaves
        overflowPageCount = overflow
        entryCount = entries
        self.root = root
    }

    var isEmpty: Bool { root == RecordLayout.noPage }

    var order: KeyOrder { flags & RecordFlags.integerKeys != 0 ? .integers : .bytes }

    /// A finding about a field of the record.
    func finding(
        _ kind: StructureFinding.Kind, at field: Int, expected: StructureFinding.Expectation, found: UInt64
    ) -> StructureFinding {
        StructureFinding(
            kind: kind, tree: tree, page: page, offset: offset + field, expected: expected, found: found)
    }

    /// What is wrong with the record as such, without looking at the tree.
    ///
    /// - Parameter lastPage: The last page of the version.
    func findings(lastPage: UInt64) -> [StructureFinding] {
        [paddingFinding, flagsFinding, depthFinding, rootFinding(lastPage: lastPage)].compactMap { $0 }
            + countFindings
    }

    private var paddingFinding: StructureFinding? {
        // The free list's padding is the page size, which the meta page checks.
        guard tree != .freeList, padding != 0 else { return nil }
        return finding(
            .treePadding, at: RecordLayout.padding, expected: .exactly(0), found: UInt64(padding))
    }

    private var flagsFinding: StructureFinding? {
        let integerKeys = RecordFlags.integerKeys
        let (required, allowed): (UInt16, UInt16) =
            switch tree {
            case .freeList: (integerKeys, integerKeys | RecordFlags.noFolder)
            case .main: (0, 0)
            case .named: (0, integerKeys)
            }
        guard flags & required != required || flags & ~allowed != 0 else { return nil }
        return finding(
            .treeFlags, at: RecordLayout.flags, expected: .exactly(UInt64(flags & allowed | required)),
            found: UInt64(flags))
    }

    private var depthFinding: StructureFinding? {
        guard depth > RecordLayout.largestDepth else { return nil }
        return finding(
            .treeDepth, at: RecordLayout.depth, expected: .atMost(UInt64(RecordLayout.largestDepth)),
            found: UInt64(depth))
    }

    private func rootFinding(lastPage: UInt64) -> StructureFinding? {
        if isEmpty {
            guard depth != 0 else { return nil }
            return finding(.treeRoot, at: RecordLayout.depth, expected: .exactly(0), found: UInt64(depth))
        }
        if depth == 0 {
            return finding(
                .treeRoot, at: RecordLayout.root, expected: .exactly(RecordLayout.noPage), found: root)
        }
        guard root < MetaLayout.firstTreePage || root > lastPage else { return nil }
        return finding(.treeRoot, at: RecordLayout.root, expected: .atMost(lastPage), found: root)
    }

    /// The counts of an empty tree. Those of another one need a walk.
    private var countFindings: [StructureFinding] {
        isEmpty ? findings(counted: TreeCounts()) : []
    }

    /// Where the record's counts differ from what a walk has counted.
    func findings(counted: TreeCounts) -> [StructureFinding] {
        let comparisons: [(StructureFinding.Kind, Int, UInt64, UInt64)] = [
            (.entryCount, RecordLayout.entryCount, counted.entries, entryCount),
            (.branchPageCount, RecordLayout.branchPageCount, counted.branchPages, branchPageCount),
            (.leafPageCount, RecordLayout.leafPageCount, counted.leafPages, leafPageCount),
            (.overflowPageCount, RecordLayout.overflowPageCount, counted.overflowPages, overflowPageCount),
        ]
        return comparisons.compactMap { kind, field, counted, recorded in
            counted == recorded
                ? nil : finding(kind, at: field, expected: .exactly(counted), found: recorded)
        }
    }
}
