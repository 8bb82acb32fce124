/// What changes about a table with its rows (`docs/file-format.md`, section 3, *State*).
package struct TableState: Hashable, Sendable {
    /// The key the next row gets.
    package var nextRowKey: UInt64 = 0
    package var rowCount: UInt64 = 0
    /// Blocks with at least one row.
    package var blockCount: UInt64 = 0
    /// The first block that may have a row.
    package var firstBlock: UInt32 = 0
    /// One a hash or ordered index, in the order of the definition.
    package var indexes: [IndexState] = []

    package init() {}

    /// The block behind the last one that may have a row.
    package var blockLimit: UInt32 {
        UInt32(truncatingIfNeeded: (nextRowKey + UInt64(Block.slotCount) - 1) / UInt64(Block.slotCount))
    }

    /// The record, its checksum still open.
    func record() -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt64(0))
        writer.integer(nextRowKey)
        writer.integer(rowCount)
        writer.integer(blockCount)
        writer.integer(firstBlock)
        writer.integer(UInt32(indexes.count))
        for index in indexes { index.write(to: &writer) }
        return writer.bytes
    }

    /// Reads a record whose checksum was looked at, and fits it to the definition's indexes.
    init(record: UnsafeRawBufferPointer, definition: TableDefinition) throws(StorageError) {
        var reader = ByteReader(record, of: "state of the table with \(definition.space)")
        _ = try reader.integer(UInt64.self)
        nextRowKey = try reader.integer()
        rowCount = try reader.integer()
        blockCount = try reader.integer()
        firstBlock = try reader.integer()
        var stored: [IndexState] = []
        for _ in 0..<(try reader.integer(UInt32.self)) { stored.append(try IndexState(from: &reader)) }
        try reader.finish()
        guard nextRowKey <= RowKey.limit, rowCount <= nextRowKey, blockCount <= rowCount,
            UInt64(firstBlock) + blockCount <= UInt64(blockLimit)
        else { throw reader.damage("has counts that do not fit together") }
        for index in definition.indexes {
            guard let state = stored.first(where: { $0.space == index.space }) else {
                throw reader.damage("lacks an index of the definition")
            }
            indexes.append(state)
        }
    }
}

/// What changes about an index with its entries.
package struct IndexState: Hashable, Sendable {
    package let space: SpaceID
    /// Hash indexes: the shape of the table.
    package var hash = LinearHash()
    package var entryCount: UInt64 = 0

    package init(space: SpaceID) {
        self.space = space
    }

    func write(to writer: inout ByteWriter) {
        writer.integer(space.value)
        writer.integer(hash.round)
        writer.integer(UInt8(0))
        writer.integer(hash.splitPosition)
        writer.integer(entryCount)
        writer.integer(UInt64(0))
    }

    init(from reader: inout ByteReader) throws(StorageError) {
        space = SpaceID(try reader.integer())
        let round: UInt8 = try reader.integer()
        _ = try reader.integer(UInt8.self)
        let splitPosition: UInt32 = try reader.integer()
        entryCount = try reader.integer()
        _ = try reader.integer(UInt64.self)
        guard let hash = LinearHash(round: round, splitPosition: splitPosition) else {
            throw reader.damage("has a hash index of an impossible shape")
        }
        self.hash = hash
    }
}
