/// A meta page, as the file has it: the root of one version.
struct CheckedMetaPage {
    /// 0 or 1.
    let index: Int
    let header: PageHeader
    let magic: UInt32
    let version: UInt32
    let address: UInt64
    let mapSize: UInt64
    let freeRecord: DatabaseRecord
    let mainRecord: DatabaseRecord
    let lastPage: UInt64
    let transaction: UInt64

    /// Nil where the buffer is too short.
    init?(_ bytes: PageBytes, index: Int) {
        let page = UInt64(index)
        guard let header = PageHeader(bytes),
            let magic = bytes.load(MetaLayout.magic, as: UInt32.self),
            let version = bytes.load(MetaLayout.version, as: UInt32.self),
            let address = bytes.load(MetaLayout.address, as: UInt64.self),
            let mapSize = bytes.load(MetaLayout.mapSize, as: UInt64.self),
            let free = DatabaseRecord(.freeList, in: bytes, page: page, offset: MetaLayout.freeRecord),
            let main = DatabaseRecord(.main, in: bytes, page: page, offset: MetaLayout.mainRecord),
            let lastPage = bytes.load(MetaLayout.lastPage, as: UInt64.self),
            let transaction = bytes.load(MetaLayout.transaction, as: UInt64.self)
        else { return nil }
        self.index = index
        self.header = header
        self.magic = magic
        self.version = version
        self.address = address
        self.mapSize = mapSize
        freeRecord = free
        mainRecord = main
        self.lastPage = lastPage
        self.transaction = transaction
    }

    /// The page size of the file: an unchecked number.
    var pageByteCount: UInt64 { UInt64(freeRecord.padding) }

    /// Whether a page size is one that LMDB makes.
    static func isPageSize(_ byteCount: UInt64) -> Bool {
        guard let size = Int(exactly: byteCount) else { return false }
        return PageLayout.byteCounts.contains(size) && size.nonzeroBitCount == 1
    }

    /// Whether LMDB, and this check, can go on from the page at all.
    var isUsable: Bool {
        magic == MetaLayout.magicNumber && version == MetaLayout.versionNumber
            && Self.isPageSize(pageByteCount) && header.flags & PageFlags.meta != 0
    }

    /// What is wrong with the page by itself.
    var findings: [StructureFinding] {
        guard magic == MetaLayout.magicNumber else {
            return [
                finding(
                    .metaMagic, at: MetaLayout.magic, .exactly(UInt64(MetaLayout.magicNumber)), UInt64(magic))
            ]
        }
        let page = UInt64(index)
        let pageCount = max(lastPage, 1).multipliedReportingOverflow(by: pageByteCount)
        let claims: [(Bool, StructureFinding)] = [
            (
                header.number == page,
                finding(.metaHead, at: PageLayout.number, .exactly(page), header.number)
            ),
            (
                header.flags == PageFlags.meta,
                finding(
                    .metaHead, at: PageLayout.flags, .exactly(UInt64(PageFlags.meta)), UInt64(header.flags))
            ),
            (
                version == MetaLayout.versionNumber,
                finding(
                    .metaVersion, at: MetaLayout.version, .exactly(UInt64(MetaLayout.versionNumber)),
                    UInt64(version))
            ),
            (
                Self.isPageSize(pageByteCount),
                finding(
                    .metaPageSize, at: MetaLayout.freeRecord + RecordLayout.padding, .none, pageByteCount)
            ),
            (address == 0, finding(.metaAddress, at: MetaLayout.address, .exactly(0), address)),
            (
                !pageCount.overflow && mapSize > pageCount.partialValue,
                finding(.metaMapSize, at: MetaLayout.mapSize, .atLeast(pageCount.partialValue), mapSize)
            ),
            (lastPage >= 1, finding(.metaLastPage, at: MetaLayout.lastPage, .atLeast(1), lastPage)),
            (
                transaction == 0 || transaction % UInt64(MetaLayout.pageCount) == page,
                finding(.metaTransaction, at: MetaLayout.transaction, .none, transaction)
            ),
        ]
        return claims.filter { !$0.0 }.map(\.1)
            + freeRecord.findings(lastPage: lastPage) + mainRecord.findings(lastPage: lastPage)
    }

    /// A finding about a field of the page.
    func finding(
        _ kind: StructureFinding.Kind, at field: Int, _ expected: StructureFinding.Expectation,
        _ found: UInt64
    ) -> StructureFinding {
        StructureFinding(
            kind: kind, tree: nil, page: UInt64(index), offset: field, expected: expected, found: found)
    }
}
