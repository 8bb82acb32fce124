/// One of the two pages at the beginning of an LMDB file, as far as opening needs it.
///
///     page header            meta
///      0  page number         16  magic 0xBEEFC0DE     88  tree of the named databases (48 bytes)
///     10  flags (8 = meta)    20  data version         136  number of the last page
///                             24  address, map size    144  transaction id
///                             40  tree of the free pages (48 bytes): page size, flags, depth,
///                                 4 counts, number of the root page
struct MetaPage: Hashable {
    /// Bytes that `init` looks at.
    static let byteCount = 152
    static let magic: UInt32 = 0xBEEF_C0DE
    static let version: UInt32 = 1
    /// The page sizes LMDB makes files with: that of the machine, which is 4096 or more, but at most this.
    static let pageByteCounts = [4096, 8192, 16384, 32768]
    /// The number of a page that is not there.
    static let noPage = UInt64.max

    private static let metaFlag: UInt16 = 8

    let version: UInt32
    let pageByteCount: Int
    let freeTreeRoot: UInt64
    let lastPage: UInt64
    let transaction: UInt64

    /// Nil where the bytes are not those of a meta page of any version.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount, bytes.integer(at: 16, as: UInt32.self) == Self.magic,
            bytes.integer(at: 10, as: UInt16.self) & Self.metaFlag != 0
        else { return nil }
        version = bytes.integer(at: 20)
        pageByteCount = Int(bytes.integer(at: 40, as: UInt32.self))
        freeTreeRoot = bytes.integer(at: 80)
        lastPage = bytes.integer(at: 136)
        transaction = bytes.integer(at: 144)
    }
}

extension [UInt8] {
    /// The little-endian integer at a place that lies inside.
    func integer<Integer: FixedWidthInteger>(at offset: Int, as type: Integer.Type = Integer.self) -> Integer
    {
        precondition(
            offset >= 0 && offset + MemoryLayout<Integer>.size <= count, "a read outside of its bytes")
        return withUnsafeBytes {
            Integer(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Integer.self))
        }
    }
}
