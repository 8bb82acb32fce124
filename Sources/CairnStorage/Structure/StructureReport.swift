/// What a structure check found, and what it looked at.
package struct StructureReport: Sendable {
    /// The transaction id of the version that was checked; nil where no meta page could be used.
    package var version: UInt64?
    /// What is wrong, in the order in which it was met; not more than a thousand.
    package var findings: [StructureFinding] = []
    /// How many findings there were beyond these.
    package var omittedFindingCount = 0
    /// Whether nothing is wrong but, perhaps, lost space.
    package var isSound = false

    /// The page size of the file in bytes; 0 where it is not known.
    package var pageByteCount = 0
    /// The number of pages of the version, meta pages included.
    package var pageCount: UInt64 = 0
    /// Branch pages of all trees, the free list's included.
    package var branchPageCount: UInt64 = 0
    package var leafPageCount: UInt64 = 0
    package var overflowPageCount: UInt64 = 0
    /// Pages that the free list holds.
    package var freePageCount: UInt64 = 0
    /// Pages that are neither in use nor free; 0 where damage hides a part of a tree.
    package var unaccountedPageCount: UInt64 = 0
}

extension StructureReport {
    /// A report without pages: of a file whose meta pages are no use.
    init(_ recorder: FindingRecorder) {
        findings = recorder.findings
        omittedFindingCount = recorder.omittedCount
        isSound = recorder.damageCount == 0
    }
}
