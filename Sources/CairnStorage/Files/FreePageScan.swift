/// Reads LMDB's tree of free pages by `pread`, to tell a cut file from one that merely ends early.
///
/// A commit may end with pages that it took and gave back again; LMDB counts them as used and never writes
/// them. Such a file is shorter than its last page says, and healthy: every missing page is a free one.
/// (Seen with LMDB 0.9.24: a large value that is put and removed in one transaction.)
struct FreePageScan {
    private static let headerByteCount = 16
    private static let branchFlag: UInt16 = 1
    private static let leafFlag: UInt16 = 2
    private static let overflowFlag: UInt16 = 4
    private static let bigNodeFlag: UInt16 = 1

    private let pageByteCount: Int
    /// Whole pages that the file has.
    private let pageCount: UInt64
    private let lastPage: UInt64

    private var missing: Set<UInt64> = []
    private var seen: Set<UInt64> = []

    /// Whether every page from the end of the file to the last page of `meta` is on the free list.
    ///
    /// False too when the list itself lies behind the end, or is damaged.
    ///
    /// - Complexity: O(n), n = the pages of the free list.
    static func missingPagesAreFree(
        in file: borrowing FileDescriptor, of meta: MetaPage, fileByteCount: Int
    ) throws(SystemFailure) -> Bool {
        let pageCount = UInt64(fileByteCount / meta.pageByteCount)
        var scan = FreePageScan(
            pageByteCount: meta.pageByteCount, pageCount: pageCount, lastPage: meta.lastPage)
        guard try scan.walk(file, from: meta.freeTreeRoot) else { return false }
        return UInt64(scan.missing.count) == meta.lastPage - pageCount + 1
    }

    private init(pageByteCount: Int, pageCount: UInt64, lastPage: UInt64) {
        self.pageByteCount = pageByteCount
        self.pageCount = pageCount
        self.lastPage = lastPage
    }

    /// Goes through the tree; false where something in it is not as it must be.
    private mutating func walk(
        _ file: borrowing FileDescriptor, from root: UInt64
    ) throws(SystemFailure) -> Bool {
        var open = root == MetaPage.noPage ? [] : [root]
        while let number = open.popLast() {
            guard number < pageCount, seen.insert(number).inserted else { return false }
            let page = try file.read(at: Int(number) * pageByteCount, count: pageByteCount)
            guard let nodes = nodes(of: page) else { return false }
            let flags: UInt16 = page.integer(at: 10)
            if flags & Self.branchFlag != 0 {
                open += nodes.map { child(of: page, at: $0) }
            } else if flags & Self.leafFlag != 0 {
                for node in nodes {
                    guard try noteList(file, page, at: node) else { return false }
                }
            } else {
                return false
            }
        }
        return true
    }

    /// Where the nodes of a page begin; nil where that cannot be.
    private func nodes(of page: [UInt8]) -> [Int]? {
        guard page.count == pageByteCount else { return nil }
        let lower = Int(page.integer(at: 12, as: UInt16.self))
        guard lower >= Self.headerByteCount, lower <= pageByteCount else { return nil }
        let starts = stride(from: Self.headerByteCount, to: lower - 1, by: 2)
            .map { Int(page.integer(at: $0, as: UInt16.self)) }
        // A node of this tree: 8 bytes of its own and, in a leaf, 8 of key and 8 of value at least.
        return starts.allSatisfy { $0 >= lower && $0 + 8 <= pageByteCount } ? starts : nil
    }

    private func child(of page: [UInt8], at node: Int) -> UInt64 {
        UInt64(page.integer(at: node, as: UInt32.self))
            | UInt64(page.integer(at: node + 4, as: UInt16.self)) << 32
    }

    /// Notes the pages of one entry: a count and as many page numbers, in the leaf or in pages of its own.
    private mutating func noteList(
        _ file: borrowing FileDescriptor, _ page: [UInt8], at node: Int
    ) throws(SystemFailure) -> Bool {
        let byteCount = Int(page.integer(at: node, as: UInt32.self))
        let flags: UInt16 = page.integer(at: node + 4)
        let start = node + 8 + Int(page.integer(at: node + 6, as: UInt16.self))
        if flags & Self.bigNodeFlag == 0 {
            return note(page, from: start, byteCount: byteCount)
        }
        guard start + 8 <= pageByteCount else { return false }
        let first: UInt64 = page.integer(at: start)
        let run = (Self.headerByteCount + byteCount - 1) / pageByteCount + 1
        guard first < pageCount, UInt64(run) <= pageCount - first else { return false }
        let pages = try file.read(
            at: Int(first) * pageByteCount, count: Self.headerByteCount + byteCount)
        guard pages.count == Self.headerByteCount + byteCount,
            pages.integer(at: 10, as: UInt16.self) & Self.overflowFlag != 0
        else { return false }
        return note(pages, from: Self.headerByteCount, byteCount: byteCount)
    }

    private mutating func note(_ bytes: [UInt8], from start: Int, byteCount: Int) -> Bool {
        guard byteCount >= 8, start + byteCount <= bytes.count else { return false }
        let count: UInt64 = bytes.integer(at: start)
        guard count <= UInt64(byteCount / 8 - 1) else { return false }
        for index in 0..<Int(count) {
            let number: UInt64 = bytes.integer(at: start + 8 * (index + 1))
            if number >= pageCount && number <= lastPage { missing.insert(number) }
        }
        return true
    }
}
