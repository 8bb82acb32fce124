/// The two meta pages of a file, read so that a writer at work cannot mix them up.
struct MetaPair {
    private(set) var findings: [StructureFinding] = []
    /// The usable ones, in the order of their pages.
    private(set) var usable: [CheckedMetaPage] = []

    /// How often to read the first page again while a writer changes it. A commit takes longer than
    /// reading two pages, so more than a few tries are not to be expected.
    private static let attemptLimit = 8

    /// Reads both pages, and the first once more: where it has changed meanwhile, all of it anew.
    static func read(from file: PageFile) throws(StorageError) -> MetaPair {
        let before = PageBytes(byteCount: MetaLayout.byteCount)
        let second = PageBytes(byteCount: MetaLayout.byteCount)
        let after = PageBytes(byteCount: MetaLayout.byteCount)
        var pair = MetaPair()
        for _ in 0..<attemptLimit {
            pair = MetaPair()
            let first = try file.read(at: 0, into: before) ? CheckedMetaPage(before, index: 0) : nil
            pair.add(first, index: 0)
            // LMDB looks for the second page where the first one's page size says.
            guard let first, CheckedMetaPage.isPageSize(first.pageByteCount) else { return pair }
            let isThere = try file.read(at: first.pageByteCount, into: second)
            pair.add(isThere ? CheckedMetaPage(second, index: 1) : nil, index: 1)
            if try file.read(at: 0, into: after), after.holdsSameBytes(as: before) { break }
        }
        pair.compare()
        return pair
    }

    private mutating func add(_ page: CheckedMetaPage?, index: Int) {
        guard let page else {
            findings.append(
                StructureFinding(
                    kind: .metaMissing, tree: nil, page: UInt64(index), offset: 0, expected: .none, found: 0))
            return
        }
        findings += page.findings
        if page.isUsable { usable.append(page) }
    }

    /// Each commit writes the other page with the next id, so the ids of two good pages are neighbours;
    /// in a new file both are 0.
    private mutating func compare() {
        guard usable.count == MetaLayout.pageCount else { return }
        let (first, second) = (usable[0], usable[1])
        if first.pageByteCount != second.pageByteCount {
            findings.append(
                second.finding(
                    .metaPageSize, at: MetaLayout.freeRecord + RecordLayout.padding,
                    .exactly(first.pageByteCount), second.pageByteCount))
            usable.removeLast()
        }
        let older = min(first.transaction, second.transaction)
        let newer = max(first.transaction, second.transaction)
        if newer - older != 1, newer != 0 {
            findings.append(
                second.finding(
                    .metaTransaction, at: MetaLayout.transaction, .none, second.transaction))
        }
    }

    /// The page that LMDB would begin from.
    var newest: CheckedMetaPage? {
        // Of two equal ids LMDB takes the first page.
        usable.reduce(nil as CheckedMetaPage?) { best, page in
            if let best, best.transaction >= page.transaction { return best }
            return page
        }
    }

    /// The page of a version.
    func page(ofTransaction id: UInt64) -> CheckedMetaPage? {
        usable.first { $0.transaction == id }
    }
}
