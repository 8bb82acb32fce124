/// Reads the pages of a data file and reports everything that is wrong with them.
///
/// It reads by `pread` and never through LMDB, which trusts its pages: they carry no checksums, and a
/// flipped bit in one can hide keys without any error, or end the process.
///
///     meta pages ─┬─→ free list ──→ free pages ─────────────────────┐
///                 └─→ main tree ──→ named databases ──→ runs ───────┴─→ every page exactly once
///
/// **What it promises.** Where it finds nothing, every entry of every tree is found by a search, the
/// number of entries is what was stored, and each page of the file is used once. So one flipped bit in
/// the head of a page, the table of its node offsets or the head of a node is reported, or changes
/// nothing that a reader sees. Structure cannot show these:
/// - the bytes of a value, and how long it is within the pages its run has;
/// - a key whose bytes have changed and that still comes between its neighbours (none vanishes);
/// - the lowest bit of a size, where rounding to even hides it: the key or the value is then one byte
///   longer or shorter than it was;
/// - fields that LMDB does not read: paddings, the first key of a branch page, the older meta page's
///   trees, the size of the map where it is large enough.
///
/// Names and key orders of the databases are covered where the caller says which there must be.
///
/// **A live file.** The file may be open in this process or another, and be written to. The caller then
/// holds a read transaction of the version to check until the check has ended, since otherwise a writer
/// may put new pages over those of the version, and passes the transaction's id.
///
/// **Garbage.** Whatever the bytes are, the check ends, in time and memory that follow the length of the
/// file: two bits for each page, one page for each level of a tree.
package enum StructureCheck {
    /// Checks the file at a path.
    ///
    /// - Parameters:
    ///   - path: The data file. Opening it does no harm to a store that has it open in this process.
    ///   - version: The transaction id of the version to check; nil for the newest one.
    ///   - databases: The databases that the file must have, no more and no fewer, with the order of
    ///     their keys; nil for any.
    /// - Returns: The findings, as data: damage is never thrown.
    /// - Throws: `fileNotFound`, `permissionDenied`, `fileAccess`; `notFound` where the version is no
    ///   longer one of the two in the meta pages: two commits have gone by, so take a new read
    ///   transaction and check that.
    /// - Complexity: O(pages of the file).
    package static func run(
        path: String, version: UInt64? = nil, databases: [String: KeyOrder]? = nil
    ) throws(StorageError) -> StructureReport {
        try run(PageFile.open(path: path), version, databases)
    }

    /// Checks the file behind a descriptor, which stays open, and whose position is neither used nor
    /// moved. As `run(path:version:databases:)` otherwise.
    package static func run(
        descriptor: Int32, version: UInt64? = nil, databases: [String: KeyOrder]? = nil
    ) throws(StorageError) -> StructureReport {
        try run(PageFile.borrowing(descriptor: descriptor), version, databases)
    }

    private static func run(
        _ file: PageFile, _ id: UInt64?, _ databases: [String: KeyOrder]?
    ) throws(StorageError) -> StructureReport {
        let pair = try MetaPair.read(from: file)
        var recorder = FindingRecorder()
        for finding in pair.findings { recorder.note(finding) }
        guard let meta = try choose(id, from: pair) else { return StructureReport(recorder) }
        // Now that the version is known, its pages have all been written.
        try file.refreshByteCount()
        return try check(CheckedVersion(meta, of: file, recorder: recorder), databases)
    }

    /// The meta page of the version; nil where damage is the reason that there is none.
    private static func choose(_ id: UInt64?, from pair: MetaPair) throws(StorageError) -> CheckedMetaPage? {
        guard let id else { return pair.newest }
        if let page = pair.page(ofTransaction: id) { return page }
        guard pair.findings.isEmpty else { return nil }
        throw StorageError(
            .notFound,
            "Version \(id) is no longer in the meta pages, since newer ones were committed. Begin a new "
                + "read transaction and check that one.")
    }

    private static func check(
        _ version: CheckedVersion, _ databases: [String: KeyOrder]?
    ) throws(StorageError) -> StructureReport {
        var counts = try MainTreeCheck.run(of: version, expected: databases)
        counts.add(try FreeListCheck.run(of: version))
        let unaccounted = version.compareUsedWithFree()
        var report = StructureReport(version.recorder)
        report.version = version.meta.transaction
        report.pageByteCount = version.pageByteCount
        report.pageCount = version.meta.lastPage.addingReportingOverflow(1).partialValue
        report.branchPageCount = counts.branchPages
        report.leafPageCount = counts.leafPages
        report.overflowPageCount = counts.overflowPages
        report.freePageCount = version.free.count
        report.unaccountedPageCount = unaccounted
        return report
    }
}
