internal import CairnStorage

/// Finds the stored bytes of the value that a `ColumnPath` leads to.
struct ColumnReader {
    private let links: LinkChain
    private let position: Int
    let kind: ValueKind

    enum Found {
        /// Valid until the session's next change.
        case value(UnsafeRawBufferPointer)
        case null
        /// A link on the way is nil.
        case broken
    }

    init(_ path: ColumnPath, _ table: SessionTable, _ context: QueryContext) throws(StorageError) {
        links = try LinkChain(path.links, from: table, context)
        position = try context.position(of: path.column, in: links.end)
        kind = links.end.definition.columns[position].kind
    }

    /// The column, where no links lead to it.
    var ownColumn: (table: SessionTable, position: Int)? { links.isEmpty ? (links.end, position) : nil }

    func find(_ row: RowKey) -> Found {
        guard let row = links.follow(row) else { return .broken }
        guard let bytes = links.end.storedBytes(row, position) else { return .null }
        return .value(bytes)
    }
}
