/// What the hot paths of a session need to know of a column, without the reference counts that a copy
/// of its definition costs. Kept in raw memory by `SessionTable`, one a position.
@usableFromInline @frozen
struct ColumnFacts: BitwiseCopyable {
    /// Whether an index covers the column, so that a change must go the long way.
    @usableFromInline let isIndexed: Bool
    @usableFromInline let isNullable: Bool
    @usableFromInline let isList: Bool
    @usableFromInline let kind: ValueKind
    @usableFromInline let shape: SlotShape
    @usableFromInline let id: ColumnID
    @usableFromInline let overflowSpace: SpaceID?

    init(_ column: ColumnDefinition, isIndexed: Bool) {
        self.isIndexed = isIndexed
        isNullable = column.isNullable
        isList = column.collection == .list
        kind = column.kind
        shape = column.shape
        id = column.id
        overflowSpace = column.overflowSpace
    }
}

/// The same of an index.
struct IndexFacts: BitwiseCopyable {
    let space: SpaceID
    let kind: IndexDefinition.Kind
    let isUnique: Bool
    let isPrimaryKey: Bool
    /// The position of its only column; -1 where it has several.
    let position: Int

    init(_ index: IndexDefinition, in table: TableDefinition) {
        space = index.space
        kind = index.kind
        isUnique = index.isUnique
        isPrimaryKey = index.isPrimaryKey
        position = index.columns.count == 1 ? table.position(of: index.columns[0]) ?? -1 : -1
    }
}

/// The other end of a link column: the table, and the position of the mirror in it; of a mirror, those
/// of the link. Good as long as the session's schema stays what it is.
struct Counterpart {
    /// The session keeps its tables as long as its schema has them.
    unowned(unsafe) let table: SessionTable
    let position: Int
}
