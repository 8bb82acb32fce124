/// One version of a file under check: its bounds, which of its pages have been met, what was found.
///
/// What all parts of the check share. One thread only.
final class CheckedVersion {
    let file: PageFile
    let meta: CheckedMetaPage
    let pageByteCount: Int
    /// The number of whole pages that the file holds.
    let filePageCount: UInt64
    /// Pages of trees and overflow runs, and the meta pages.
    private(set) var used: PageSet
    /// Pages on the free list.
    private(set) var free: PageSet
    var recorder: FindingRecorder
    /// Whether a part of a tree could not be walked: the pages below it are then unknown, so neither
    /// counts nor unaccounted pages say anything.
    var isIncomplete = false
    var tiling: NodeTiling

    /// LMDB does not write a page that a transaction took at the end of the file and gave back, so the
    /// file may end before its last page, where all pages missing are free. This many are followed
    /// (2 MiB of bits); their number comes from a field of the file, and must not be believed further.
    static let missingPageLimit: UInt64 = 1 << 24

    init(_ meta: CheckedMetaPage, of file: PageFile, recorder: FindingRecorder) {
        self.file = file
        self.meta = meta
        self.recorder = recorder
        pageByteCount = Int(meta.pageByteCount)
        filePageCount = file.byteCount / meta.pageByteCount
        let bound = min(meta.lastPage, filePageCount + Self.missingPageLimit) + 1
        used = PageSet(bound: bound)
        free = PageSet(bound: bound)
        for page in 0..<MetaLayout.firstTreePage { _ = used.insert(page) }
        tiling = NodeTiling(pageByteCount: pageByteCount)
    }

    /// Whether a page may belong to a tree: no meta page, not past the last page, and in the file.
    func isTreePage(_ page: UInt64) -> Bool {
        page >= MetaLayout.firstTreePage && page <= meta.lastPage && page < filePageCount
    }

    /// Notes that a page is used.
    ///
    /// - Returns: False where it was used already: whoever asks must not go there again.
    func claim(_ page: UInt64) -> Bool {
        used.insert(page)
    }

    func isClaimed(_ page: UInt64) -> Bool {
        used.contains(page)
    }

    /// Whether the free list may hold a page.
    func canBeFree(_ page: UInt64) -> Bool {
        page >= MetaLayout.firstTreePage && page <= meta.lastPage && page < free.bound
    }

    /// Notes that a page is on the free list. False where it was there already.
    func addFree(_ page: UInt64) -> Bool {
        free.insert(page)
    }

    /// Reads a page of a tree.
    ///
    /// - Parameter bytes: A buffer for the page, or a shorter one for its beginning.
    /// - Returns: Whether the page may belong to a tree and is in the file.
    func read(_ page: UInt64, into bytes: PageBytes) throws(StorageError) -> Bool {
        guard isTreePage(page) else { return false }
        return try file.read(at: page * UInt64(pageByteCount), into: bytes)
    }

    /// Notes pages that are both used and free and, after a complete walk, those that are neither.
    ///
    /// - Returns: The number of pages that are neither, 0 after an incomplete walk.
    func compareUsedWithFree() -> UInt64 {
        used.forEachShared(with: free) { page in
            note(.freePageInUse, tree: .freeList, page: page, at: 0, found: page)
        }
        if meta.lastPage >= used.bound {
            note(
                .metaLastPage, tree: nil, page: UInt64(meta.index), at: MetaLayout.lastPage,
                expected: .atMost(used.bound - 1), found: meta.lastPage)
            isIncomplete = true
        }
        guard !isIncomplete else { return 0 }
        var count: UInt64 = 0
        used.forEachMissing(alsoFrom: free) { page in
            count += 1
            note(.pageUnaccounted, tree: nil, page: page, at: 0, found: page)
        }
        return count
    }

    func note(
        _ kind: StructureFinding.Kind, tree: StructureFinding.Tree?, page: UInt64, at offset: Int,
        expected: StructureFinding.Expectation = .none, found: UInt64
    ) {
        recorder.note(
            StructureFinding(
                kind: kind, tree: tree, page: page, offset: offset, expected: expected, found: found))
    }
}
