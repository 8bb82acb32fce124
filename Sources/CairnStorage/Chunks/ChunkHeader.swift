/// The first 48 bytes of a column chunk or directory, read once and checked
/// (`docs/file-format.md`, section 4.1).
///
/// The one place where a header is read from bytes that are not trusted yet.
package struct ChunkHeader: Equatable, Sendable {
    /// The bytes that every column chunk and directory begins with. A null bitmap follows in all but
    /// packed ones.
    package static let byteCount = ChunkLayout.bitmap

    /// The version that wrote the chunk.
    package let version: Version
    /// How the bytes behind the header are to be read. Never `bucket`.
    package let encoding: ChunkEncoding
    /// The shape of the slots, as stored: a directory has none.
    package let storedShape: UInt8
    /// `ChunkLayout.hasZoneMap`, `ChunkLayout.hasZoneValue`.
    package let flags: UInt8
    /// The slots of the chunk, of the decoded one where it is packed: 0 … 448.
    package let slotCount: Int
    /// The two bytes that a directory and a packed chunk use for themselves.
    package let extra: UInt16
    /// The bytes of the heap, of the decoded chunk where it is packed.
    package let heapByteCount: Int
    /// The four bytes that only a packed chunk uses.
    package let reserved: UInt32

    /// Reads the header of a column chunk or directory.
    ///
    /// - Throws: `damaged` for bytes that end too early, another format, an encoding that is none or
    ///   is a bucket's, flags that do not exist, or more than 448 slots.
    package init(_ chunk: UnsafeRawBufferPointer) throws(StorageError) {
        let encoding = try Self.encoding(of: chunk)
        guard encoding != .bucket, chunk.count >= Self.byteCount else {
            throw ChunkValidator.damage("is not a column's, or ends within its header")
        }
        func field<T: FixedWidthInteger>(_ offset: Int, as type: T.Type = T.self) -> T {
            T(littleEndian: chunk.loadUnaligned(fromByteOffset: offset, as: T.self))
        }
        self.encoding = encoding
        version = Version(field(ChunkLayout.version))
        storedShape = chunk[ChunkLayout.shape]
        flags = chunk[ChunkLayout.flags]
        slotCount = Int(field(ChunkLayout.slotCount, as: UInt16.self))
        extra = field(ChunkLayout.extra)
        heapByteCount = Int(field(ChunkLayout.heapByteCount, as: UInt32.self))
        reserved = field(ChunkLayout.reserved)
        guard slotCount <= Block.slotCount else { throw ChunkValidator.damage("has more than 448 slots") }
        guard flags & ~(ChunkLayout.hasZoneMap | ChunkLayout.hasZoneValue) == 0 else {
            throw ChunkValidator.damage("has flags that do not exist")
        }
    }

    /// How a record of the database `chunks` is to be read: any of them, buckets too.
    ///
    /// - Throws: `damaged` for bytes that end too early, another chunk format, or no encoding.
    package static func encoding(of chunk: UnsafeRawBufferPointer) throws(StorageError) -> ChunkEncoding {
        guard chunk.count > ChunkLayout.encoding else {
            throw ChunkValidator.damage("ends within its header")
        }
        guard chunk[ChunkLayout.format] == ChunkLayout.currentFormat else {
            throw ChunkValidator.damage("has another format than 1")
        }
        guard let encoding = ChunkEncoding(rawValue: chunk[ChunkLayout.encoding]) else {
            throw ChunkValidator.damage("has an encoding that does not exist")
        }
        return encoding
    }
}
