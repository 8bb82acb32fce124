/// Checks the free list: a tree from transaction ids to the pages that each of them has given back.
///
///      0        8        16                      value end
///     ┌────────┬────────┬────────┬─────┬─ ─ ─ ─ ─┐
///     │ count n│ page   │ page   │ …   │ of no   │    n page numbers, falling
///     └────────┴────────┴────────┴─────┴use ─ ─ ─┘
///
/// LMDB may keep a record longer than its count asks for, and one with no page at all.
struct FreeListCheck {
    private let version: CheckedVersion
    /// For values on overflow pages.
    private let buffer: PageBytes

    /// Walks the free list and notes all its pages in the version.
    static func run(of version: CheckedVersion) throws(StorageError) -> TreeCounts {
        let check = FreeListCheck(
            version: version, buffer: PageBytes(byteCount: version.pageByteCount))
        let record = version.meta.freeRecord
        return try TreeCheck.run(record, of: version) { node, leaf, run throws(StorageError) in
            check.checkTransaction(node, leaf)
            try check.checkValue(node, leaf, run)
        }
    }

    /// The id must be of a transaction that there was.
    private func checkTransaction(_ node: Node, _ leaf: LeafPage) {
        let offset = node.offset + NodeLayout.key
        guard node.keyByteCount == NodeLayout.integerKeyByteCount,
            let id = leaf.bytes.load(offset, as: UInt64.self)
        else { return }  // A wrong size is noted with the key.
        guard id == 0 || id > version.meta.transaction else { return }
        leaf.note(
            .freeTransaction, at: offset, expected: .atMost(version.meta.transaction), found: id, in: version)
    }

    private func checkValue(_ node: Node, _ leaf: LeafPage, _ run: OverflowRun?) throws(StorageError) {
        guard let run else {
            var list = FreePages(node, leaf)
            list.read(leaf.bytes, from: node.valueOffset, to: node.valueOffset + node.valueByteCount, version)
            return list.end(version)
        }
        var list = FreePages(node, leaf)
        var rest = node.valueByteCount
        var start = OverflowRun.valueOffset
        for page in run.firstPage..<run.firstPage + run.pageCount where rest > 0 {
            guard try version.read(page, into: buffer) else {
                return leaf.note(.pageOutside, at: node.valueOffset, found: page, in: version)
            }
            let end = min(buffer.count, start + rest)
            list.read(buffer, from: start, to: end, version)
            rest -= end - start
            start = 0
        }
        list.end(version)
    }
}

/// Reads one record of the free list, piece by piece, since it may span pages.
private struct FreePages {
    private let node: Node
    private let leaf: LeafPage
    /// How many numbers are still to come; nil before the count was read.
    private var remaining: UInt64?
    private var previous = UInt64.max
    private var isOrdered = true

    private static let numberByteCount = MemoryLayout<UInt64>.size

    init(_ node: Node, _ leaf: LeafPage) {
        self.node = node
        self.leaf = leaf
    }

    /// Reads the numbers in a part of a page.
    mutating func read(_ bytes: PageBytes, from start: Int, to end: Int, _ version: CheckedVersion) {
        for offset in stride(from: start, through: end - Self.numberByteCount, by: Self.numberByteCount) {
            guard let number = bytes.load(offset, as: UInt64.self) else { return }
            guard let remaining else {
                remaining = number
                continue
            }
            guard remaining > 0 else { return }
            self.remaining = remaining - 1
            add(number, version)
        }
    }

    private mutating func add(_ page: UInt64, _ version: CheckedVersion) {
        if isOrdered, page >= previous {
            isOrdered = false
            note(.freeOrder, expected: .atMost(previous), found: page, version)
        }
        previous = page
        guard version.canBeFree(page) else {
            return note(.freePageOutside, expected: .atMost(version.meta.lastPage), found: page, version)
        }
        if !version.addFree(page) { note(.freePageTwice, found: page, version) }
    }

    /// After the last part: the record must have held its count, and as many numbers as that said.
    func end(_ version: CheckedVersion) {
        let isWhole = node.valueByteCount % Self.numberByteCount == 0
        guard remaining != 0 || !isWhole else { return }
        note(.freeRecord, expected: .none, found: UInt64(node.valueByteCount), version)
    }

    private func note(
        _ kind: StructureFinding.Kind, expected: StructureFinding.Expectation = .none, found: UInt64,
        _ version: CheckedVersion
    ) {
        leaf.note(kind, at: node.offset, expected: expected, found: found, in: version)
    }
}
