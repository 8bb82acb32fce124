/// An index of a table, as the catalogue records it.
package struct IndexDefinition: Hashable, Sendable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// A linear hash table: equality of the whole key.
        case hash = 1
        /// Keys in order: equality, ranges, prefixes, smallest and largest. One column.
        case ordered = 2
    }

    package var space: SpaceID
    package var kind: Kind
    package var columns: [ColumnID]
    /// Whether two rows with equal keys are refused. Hash indexes only.
    package var isUnique: Bool
    /// Whether it is the table's primary key.
    package var isPrimaryKey: Bool

    private static let uniqueFlag: UInt8 = 1
    private static let primaryKeyFlag: UInt8 = 2

    package init(
        space: SpaceID, kind: Kind, columns: [ColumnID], isUnique: Bool = false, isPrimaryKey: Bool = false
    ) {
        self.space = space
        self.kind = kind
        self.columns = columns
        self.isUnique = isUnique
        self.isPrimaryKey = isPrimaryKey
    }

    func write(to writer: inout ByteWriter) {
        writer.integer(space.value)
        writer.integer(kind.rawValue)
        writer.integer((isUnique ? Self.uniqueFlag : 0) | (isPrimaryKey ? Self.primaryKeyFlag : 0))
        writer.integer(UInt16(columns.count))
        for column in columns { writer.integer(column.value) }
    }

    init(from reader: inout ByteReader) throws(StorageError) {
        space = SpaceID(try reader.integer())
        guard let kind = Kind(rawValue: try reader.integer()) else {
            throw reader.damage("has an index of an unknown kind")
        }
        self.kind = kind
        let flags: UInt8 = try reader.integer()
        isUnique = flags & Self.uniqueFlag != 0
        isPrimaryKey = flags & Self.primaryKeyFlag != 0
        columns = []
        for _ in 0..<(try reader.integer(UInt16.self)) { columns.append(ColumnID(try reader.integer())) }
        if space.value == 0 || columns.isEmpty || (kind == .ordered && columns.count != 1) {
            throw reader.damage("has an index that cannot be")
        }
    }
}

/// A table's columns and indexes, as the catalogue records them (`docs/file-format.md`, section 3).
package struct TableDefinition: Hashable, Sendable {
    package let space: SpaceID
    package var name: String
    /// Whether its rows belong to the one row that links to them.
    package var isEmbedded = false
    /// In the order in which they were made, hidden ones included.
    package var columns: [ColumnDefinition] = []
    package var indexes: [IndexDefinition] = []
    /// The number the next column gets: 65,536 when used up.
    package var nextColumn: UInt32 = 1

    package init(space: SpaceID, name: String) {
        self.space = space
        self.name = name
    }

    /// The column's place in `columns`.
    package func position(of column: ColumnID) -> Int? {
        columns.firstIndex { $0.id == column }
    }

    /// The place of the visible column of that name.
    package func position(named name: String) -> Int? {
        columns.firstIndex { $0.name == name && !$0.isHidden }
    }

    /// The index that is the primary key.
    package var primaryKey: IndexDefinition? { indexes.first { $0.isPrimaryKey } }

    private static let recordFormat: UInt8 = 1
    private static let embeddedFlag: UInt8 = 1

    /// The record, its checksum still open.
    func record() -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt64(0))
        writer.integer(Self.recordFormat)
        writer.integer(isEmbedded ? Self.embeddedFlag : 0)
        writer.text(name)
        writer.integer(nextColumn)
        writer.integer(UInt16(columns.count))
        for column in columns { column.write(to: &writer) }
        writer.integer(UInt16(indexes.count))
        for index in indexes { index.write(to: &writer) }
        return writer.bytes
    }

    /// Reads a record whose checksum was looked at.
    init(space: SpaceID, record: UnsafeRawBufferPointer) throws(StorageError) {
        var reader = ByteReader(record, of: "definition of the table with \(space)")
        _ = try reader.integer(UInt64.self)
        guard try reader.integer(UInt8.self) == Self.recordFormat else {
            throw reader.damage("has an unknown record format")
        }
        let flags: UInt8 = try reader.integer()
        self.space = space
        isEmbedded = flags & Self.embeddedFlag != 0
        name = try reader.text()
        nextColumn = try reader.integer()
        for _ in 0..<(try reader.integer(UInt16.self)) { columns.append(try ColumnDefinition(from: &reader)) }
        for _ in 0..<(try reader.integer(UInt16.self)) { indexes.append(try IndexDefinition(from: &reader)) }
        try reader.finish()
        let ids = columns.map(\.id.value)
        guard Set(ids).count == ids.count, ids.allSatisfy({ UInt32($0) < nextColumn }), nextColumn <= 65_536
        else {
            throw reader.damage("uses a column number twice or ahead of its counter")
        }
        for index in indexes {
            let indexed = index.columns.map { id in columns.first { $0.id == id } }
            guard indexed.allSatisfy({ $0?.canBeIndexed(index.kind) == true }) else {
                throw reader.damage("has an index over a column that is not there, or cannot have one")
            }
        }
    }
}
