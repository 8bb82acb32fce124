/// What `verify` found, and what it looked at.
package struct VerifyReport: Sendable {
    /// The version that was checked.
    package var version = Version(0)
    /// What is wrong, in the order in which it was met; not more than a thousand.
    package var findings: [VerifyFinding] = []
    /// How many findings there were beyond these, at least.
    package var omittedFindingCount = 0
    /// Whether nothing is wrong but, perhaps, lost space.
    package var isSound = false
    /// Whether the contents were read. They are not where the pages are damaged: LMDB trusts its pages.
    package var coversContents = false

    /// What the check of the pages looked at.
    package var structure = StructureReport()

    package var tableCount = 0
    package var rowCount: UInt64 = 0
    /// Records of the databases `chunks`, `ordered`, `values` and `changes`.
    package var chunkCount: UInt64 = 0
    package var orderedCount: UInt64 = 0
    package var valueCount: UInt64 = 0
    package var changeCount: UInt64 = 0
}

/// How far `verify` has come.
package struct VerifyProgress: Sendable {
    /// Records that were read, of those of all databases. The pages are checked before the first.
    package var recordCount: UInt64
    package var totalCount: UInt64
}
