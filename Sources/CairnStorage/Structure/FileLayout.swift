// Where LMDB 0.9 keeps what in its data file, on a 64-bit little-endian machine.
//
// The file is a row of pages of one size. Page n begins at byte n × page size. Pages 0 and 1 are the
// meta pages, the rest belongs to trees, to values too large for a tree page, or is free.

/// The head that every page begins with, the later pages of an overflow run excepted.
///
///      0               8    10   12   14   16
///     ┌───────────────┬────┬────┬────┬────┬──────────────────────┬───────────┬──────────────────┐
///     │ page number   │ pad│flag│ low│ up │ offsets of nodes, in │ free space│ nodes, in no     │
///     │               │    │    │    │    │ the order of keys    │           │ order, no gaps   │
///     └───────────────┴────┴────┴────┴────┴──────────────────────┴───────────┴──────────────────┘
///                               └ page count of an overflow run  ↑ lower     ↑ upper    page end
///
/// The padding is read on pages of duplicates only, which the format does not use; it is not checked.
enum PageLayout {
    static let number = 0
    static let padding = number + MemoryLayout<UInt64>.size
    static let flags = padding + MemoryLayout<UInt16>.size
    static let lower = flags + MemoryLayout<UInt16>.size
    static let upper = lower + MemoryLayout<UInt16>.size
    /// The first page of an overflow run holds a 32-bit page count in place of the two bounds.
    static let runPageCount = lower
    static let headByteCount = upper + MemoryLayout<UInt16>.size
    /// The size of one entry of the table of node offsets.
    static let pointerByteCount = MemoryLayout<UInt16>.size

    /// LMDB takes the system's page size, but no more than the 16-bit offsets can reach.
    static let byteCounts = 1 << 12...1 << 15
}

/// What the flags of a page may be. Other bits live in memory only, or mark pages of duplicates.
enum PageFlags {
    static let branch: UInt16 = 0x01
    static let leaf: UInt16 = 0x02
    static let overflow: UInt16 = 0x04
    static let meta: UInt16 = 0x08
}

/// One entry of a tree page.
///
///             0    2    4    6    8          8 + key size
///            ┌────┬────┬────┬────┬──────────┬─────────────────────────────┐
///     leaf   │ value   │flag│ key│ key      │ value, or the number of the │ + a byte, where
///            │ size    │    │size│          │ first page of its run       │ the sum is odd
///            ├────┴────┴────┼────┼──────────┼─────────────────────────────┘
///     branch │ page number  │ key│ key      │ + a byte, where the sum is odd
///            └──────────────┴────┴──────────┘
///
/// The first key of a branch page is never looked at and mostly empty.
enum NodeLayout {
    static let low = 0
    static let flags = low + MemoryLayout<UInt32>.size
    static let keySize = flags + MemoryLayout<UInt16>.size
    static let key = keySize + MemoryLayout<UInt16>.size
    /// Nodes begin at even offsets.
    static let alignment = 2
    /// What stands in the place of a value that has pages of its own.
    static let runReferenceByteCount = MemoryLayout<UInt64>.size
    static let keyByteCounts = 1...511
    static let integerKeyByteCount = MemoryLayout<UInt64>.size

    /// The largest node without its rounding: two of them fit a page. Larger values get their own pages.
    static func largestByteCount(pageByteCount: Int) -> Int {
        let half = (pageByteCount - PageLayout.headByteCount) / 2
        return half / alignment * alignment - PageLayout.pointerByteCount
    }
}

/// What the flags of a leaf node may be.
enum NodeFlags {
    /// The value is on overflow pages.
    static let run: UInt16 = 0x01
    /// The value is the record of a named database.
    static let database: UInt16 = 0x02
}

/// The record of one tree: 48 bytes, twice in each meta page, and once for each named database.
///
///      0        4    6    8            16          24          32          40           48
///     ┌────────┬────┬────┬────────────┬───────────┬───────────┬───────────┬────────────┐
///     │ pad    │flag│dep.│ branches   │ leaves    │ overflow p│ entries   │ root page  │
///     └────────┴────┴────┴────────────┴───────────┴───────────┴───────────┴────────────┘
///
/// The padding of the free list's record in a meta page holds the page size.
enum RecordLayout {
    static let padding = 0
    static let flags = padding + MemoryLayout<UInt32>.size
    static let depth = flags + MemoryLayout<UInt16>.size
    static let branchPageCount = depth + MemoryLayout<UInt16>.size
    static let leafPageCount = branchPageCount + MemoryLayout<UInt64>.size
    static let overflowPageCount = leafPageCount + MemoryLayout<UInt64>.size
    static let entryCount = overflowPageCount + MemoryLayout<UInt64>.size
    static let root = entryCount + MemoryLayout<UInt64>.size
    static let byteCount = root + MemoryLayout<UInt64>.size

    /// The root of a tree without entries.
    static let noPage = UInt64.max
    /// LMDB's cursors hold no more levels than this.
    static let largestDepth = 32
}

/// What the flags of a tree's record may be.
enum RecordFlags {
    static let integerKeys: UInt16 = 0x08
    /// "The file is no folder": an option of the environment, kept with the flags of the free list.
    static let noFolder: UInt16 = 0x4000
}

/// A meta page, after its page head. Transaction n writes meta page n mod 2.
///
///     16      20        24          32         40               88            136       144       152
///     ┌───────┬─────────┬───────────┬──────────┬────────────────┬─────────────┬─────────┬─────────┐
///     │ magic │ version │ address 0 │ map size │ free list      │ main tree   │ last    │ trans-  │
///     │       │         │           │          │ (record)       │ (record)    │ page    │ action  │
///     └───────┴─────────┴───────────┴──────────┴────────────────┴─────────────┴─────────┴─────────┘
enum MetaLayout {
    static let magic = PageLayout.headByteCount
    static let version = magic + MemoryLayout<UInt32>.size
    static let address = version + MemoryLayout<UInt32>.size
    static let mapSize = address + MemoryLayout<UInt64>.size
    static let freeRecord = mapSize + MemoryLayout<UInt64>.size
    static let mainRecord = freeRecord + RecordLayout.byteCount
    static let lastPage = mainRecord + RecordLayout.byteCount
    static let transaction = lastPage + MemoryLayout<UInt64>.size
    static let byteCount = transaction + MemoryLayout<UInt64>.size

    static let magicNumber: UInt32 = 0xBEEF_C0DE
    static let versionNumber: UInt32 = 1
    static let pageCount = 2
    /// The lowest page that a tree can have.
    static let firstTreePage = UInt64(pageCount)
}
