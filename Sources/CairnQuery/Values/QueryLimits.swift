/// How far queries go.
enum QueryLimits {
    /// Up to how many values IN compares one after the other; above it looks into a hash set.
    static let linearMembershipCount = 8
    /// How many single rows of one block of a linked table are looked at one by one before the whole
    /// block is evaluated.
    static let singleRowCount = 4
    /// The bytes of folded text that a session keeps.
    static let foldedByteCount = 16 << 20
    /// The rows of a table for each row that an ordered index may give before a scan is cheaper: stepping
    /// through an index costs that much more than looking at a column.
    static let scanRowsPerIndexRow = 24
    /// The rows of a table for each key that is looked up in a hash index before a scan with a set is cheaper:
    /// a look-up waits for memory several times, a row of a scan hardly once.
    static let scanRowsPerLookUp = 96
    /// How deep sub-queries may be nested: each takes some stack, and 32 of them the 512 KiB of a secondary
    /// thread in a debug build (`LimitTests`).
    static let subqueryDepth = 16
}
