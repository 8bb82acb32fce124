/// The identity of a file (`docs/file-format.md`, section 3, `H`): written once, never sealed.
package struct IdentityRecord: Hashable, Sendable {
    /// "CARN".
    static let magic: UInt32 = 0x4E52_4143
    /// The newest format this code writes and reads.
    package static let currentFormat: UInt16 = 1
    static let byteCount = 52
    static let encryptedFlag: UInt16 = 1

    package let format: UInt16
    package let isEncrypted: Bool
    /// Random: tells a file from its copy, whose versions start anew.
    package let fileID: UInt128
    /// Random: the seed of every hash index of the file.
    package let hashSeed: UInt64

    /// A new file's identity.
    static func make() -> IdentityRecord {
        var random = SystemRandomNumberGenerator()
        let high: UInt64 = random.next()
        let low: UInt64 = random.next()
        return IdentityRecord(
            format: currentFormat, isEncrypted: false, fileID: UInt128(high) << 64 | UInt128(low),
            hashSeed: random.next())
    }

    private init(format: UInt16, isEncrypted: Bool, fileID: UInt128, hashSeed: UInt64) {
        self.format = format
        self.isEncrypted = isEncrypted
        self.fileID = fileID
        self.hashSeed = hashSeed
    }

    /// The record, its checksum still open.
    func record() -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt64(0))
        writer.integer(Self.magic)
        writer.integer(format)
        writer.integer(isEncrypted ? Self.encryptedFlag : 0)
        writer.integer(fileID)
        writer.integer(hashSeed)
        writer.raw(repeatElement(0, count: 12))
        return writer.bytes
    }

    /// Reads the record; `notADatabase` and `newerFormat` are told before its checksum is looked at,
    /// since another format may have another length.
    init(record: UnsafeRawBufferPointer) throws(StorageError) {
        guard record.count >= 16, record.loadUnaligned(fromByteOffset: 8, as: UInt32.self) == Self.magic
        else {
            throw StorageError(
                .notADatabase,
                "The file is an LMDB file, but not a Cairn database. Check the path; the file was left as it is."
            )
        }
        let format = record.loadUnaligned(fromByteOffset: 12, as: UInt16.self)
        guard format <= Self.currentFormat else {
            throw StorageError(
                .newerFormat,
                """
                The file has format \(format), and this version of the library knows formats up to \
                \(Self.currentFormat). Open it with a newer version; the file was left as it is.
                """)
        }
        var reader = ByteReader(record, of: "identity record")
        guard format >= 1, record.count == Self.byteCount,
            RecordSeal.holds(record, seed: CatalogueKey.identity.seed)
        else { throw reader.damage("does not match its checksum") }
        _ = try reader.bytes(14)
        self.format = format
        isEncrypted = try reader.integer(UInt16.self) & Self.encryptedFlag != 0
        fileID = try reader.integer()
        hashSeed = try reader.integer()
    }
}

/// The counters of a file (`docs/file-format.md`, section 3, `C`).
package struct FileCounters: Hashable, Sendable {
    package var nextValueID: UInt64 = 1
    /// The program's own schema version.
    package var schemaVersion: UInt64 = 0
    /// The version that last changed a table's definition.
    package var catalogueVersion: UInt64 = 0
    /// 65,536 when used up.
    package var nextSpace: UInt32 = 1

    package init() {}

    /// The record, its checksum still open.
    func record() -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt64(0))
        writer.integer(nextValueID)
        writer.integer(schemaVersion)
        writer.integer(catalogueVersion)
        writer.integer(nextSpace)
        writer.raw(repeatElement(0, count: 12))
        return writer.bytes
    }

    init(record: UnsafeRawBufferPointer) throws(StorageError) {
        var reader = ByteReader(record, of: "counters record")
        _ = try reader.integer(UInt64.self)
        nextValueID = try reader.integer()
        schemaVersion = try reader.integer()
        catalogueVersion = try reader.integer()
        nextSpace = try reader.integer()
        _ = try reader.bytes(12)
        try reader.finish()
        guard nextValueID >= 1, (1...65_536).contains(nextSpace) else {
            throw reader.damage("has an impossible counter")
        }
    }
}

/// A key of the database `catalog`.
package struct CatalogueKey: Hashable, Comparable, Sendable {
    package let bytes: [UInt8]

    static let identity = CatalogueKey(bytes: [UInt8(ascii: "H")])
    static let counters = CatalogueKey(bytes: [UInt8(ascii: "C")])
    static let definitionTag = UInt8(ascii: "T")
    static let stateTag = UInt8(ascii: "S")

    static func definition(_ space: SpaceID) -> CatalogueKey { CatalogueKey(tag: definitionTag, space) }
    static func state(_ space: SpaceID) -> CatalogueKey { CatalogueKey(tag: stateTag, space) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private init(tag: UInt8, _ space: SpaceID) {
        bytes = [tag, UInt8(truncatingIfNeeded: space.value >> 8), UInt8(truncatingIfNeeded: space.value)]
    }

    /// The seed of the record's checksum.
    var seed: UInt64 { bytes.withUnsafeBytes { ByteHash.hash($0, seed: 0) } }

    package static func < (left: CatalogueKey, right: CatalogueKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
