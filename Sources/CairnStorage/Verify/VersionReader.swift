internal import CairnLMDB

/// Reads the records of one version as they are stored: nothing is validated.
///
/// Only for a version whose pages were found sound: LMDB trusts them.
final class VersionReader {
    private let held: HeldTransaction
    let contents: StoreContents

    init(_ held: HeldTransaction, _ contents: StoreContents) {
        self.held = held
        self.contents = contents
    }

    var version: Version { held.version }

    /// Calls the body with every entry of a database, in the order of the keys.
    ///
    /// Throws what LMDB answers instead of an entry, and what the body throws.
    func forEachEntry(
        of database: Database, _ body: (Cursor.Entry) throws(StorageError) -> Void
    ) throws(StorageError) {
        var cursor = try reading { () throws(LMDBError) in try self.held.transaction.cursor(database) }
        while let entry = try Self.next(&cursor, contents) { try body(entry) }
    }

    private static func next(
        _ cursor: inout Cursor, _ contents: StoreContents
    ) throws(StorageError) -> Cursor.Entry? {
        do throws(LMDBError) {
            return try cursor.next()
        } catch {
            throw contents.failure(error, .reading)
        }
    }

    /// Calls the body with the directory of each block of a table that has one, in order.
    func forEachDirectory(
        of table: SpaceID, _ body: (UInt32, UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) {
        var cursor = try reading { () throws(LMDBError) in
            try self.held.transaction.cursor(self.contents.chunks)
        }
        var wanted: ChunkKey? = ChunkKey(table, 0, .directory)
        while let start = wanted {
            guard let entry = try Self.seek(&cursor, start, contents), entry.key.count == 8 else { return }
            let key = ChunkKey(entry.integerKey)
            guard key.space == table else { return }
            if key.column == .directory { try body(key.block, entry.value) }
            wanted = key.block == UInt32.max ? nil : ChunkKey(table, key.block + 1, .directory)
        }
    }

    private static func seek(
        _ cursor: inout Cursor, _ key: ChunkKey, _ contents: StoreContents
    ) throws(StorageError) -> Cursor.Entry? {
        do throws(LMDBError) {
            return try cursor.seek(atOrAfter: key.value)
        } catch {
            throw contents.failure(error, .reading)
        }
    }

    /// The stored bytes of a chunk, or nil.
    func chunk(_ key: ChunkKey) throws(StorageError) -> UnsafeRawBufferPointer? {
        try reading { () throws(LMDBError) in try self.held.transaction.get(self.contents.chunks, key.value) }
    }

    /// The stored bytes of a large value, or nil.
    func value(_ id: ValueID) throws(StorageError) -> UnsafeRawBufferPointer? {
        try reading { () throws(LMDBError) in try self.held.transaction.get(self.contents.values, id.value) }
    }

    func statistics(of database: Database) throws(StorageError) -> Statistics {
        try reading { () throws(LMDBError) in try self.held.transaction.statistics(database) }
    }

    private func reading<Result: ~Copyable>(
        _ body: () throws(LMDBError) -> Result
    ) throws(StorageError) -> Result {
        do throws(LMDBError) {
            return try body()
        } catch {
            throw contents.failure(error, .reading)
        }
    }
}
