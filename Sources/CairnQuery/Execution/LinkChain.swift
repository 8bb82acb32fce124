internal import CairnStorage

/// To-one links that lead from a row to another, one after the other.
struct LinkChain {
    private let links: [(table: SessionTable, position: Int, target: SessionTable)]
    /// Where they lead to; without links the table they begin at.
    let end: SessionTable

    init(_ path: [BoundLink], from table: SessionTable, _ context: QueryContext) throws(StorageError) {
        var table = table
        var links: [(table: SessionTable, position: Int, target: SessionTable)] = []
        for link in path {
            let target = try context.session.table(link.target)
            links.append((table, try context.position(of: link.column, in: table), target))
            table = target
        }
        self.links = links
        end = table
    }

    var isEmpty: Bool { links.isEmpty }

    /// The row at the end; nil where a link on the way is nil, or comes out of damaged bytes and names a row
    /// that there never was.
    @inline(__always)
    func follow(_ row: RowKey) -> RowKey? {
        var row = row
        for link in links {
            guard let next = link.table.link(row, link.position), next.value < link.target.rowKeyLimit else {
                return nil
            }
            row = next
        }
        return row
    }
}
