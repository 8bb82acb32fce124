internal import CairnStorage

/// Finds the stored bytes of the value that a `ColumnPath` leads to.
struct ColumnReader {
    private let links: [(table: SessionTable, position: Int)]
    private let table: SessionTable
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
        var table = table
        var links: [(table: SessionTable, position: Int)] = []
        for link in path.links {
            links.append((table, try context.position(of: link.column, in: table)))
            table = try context.session.table(link.target)
        }
        self.links = links
        self.table = table
        position = try context.position(of: path.column, in: table)
        kind = table.definition.columns[position].kind
    }

    var hasLinks: Bool { !links.isEmpty }

    /// The column, where no links lead to it.
    var ownColumn: (table: SessionTable, position: Int)? { links.isEmpty ? (table, position) : nil }

    func find(_ row: RowKey) -> Found {
        var row = row
        for link in links {
            guard let next = link.table.link(row, link.position) else { return .broken }
            row = next
        }
        guard let bytes = table.storedBytes(row, position) else { return .null }
        return .value(bytes)
    }

    func isBroken(_ row: RowKey) -> Bool {
        guard hasLinks, case .broken = find(row) else { return false }
        return true
    }
}
