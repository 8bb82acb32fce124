import CairnStorage

// What the tests of single faults make and read their tables with.

extension Session {
    /// Makes a table with these columns.
    @discardableResult
    func makeTable(
        _ columns: NewColumn..., name: String = "T", isEmbedded: Bool = false
    ) throws -> SessionTable {
        let table = try createTable(name, isEmbedded: isEmbedded)
        for column in columns { try addColumn(column, to: table.definition.space) }
        return table
    }

    /// The table of that name.
    func known(_ name: String = "T") throws -> SessionTable {
        guard let table = try table(named: name) else { throw ModelFailure("the table \(name) is gone") }
        return table
    }

    /// Adds an index over columns at these positions.
    @discardableResult
    func index(
        _ table: SessionTable, _ kind: IndexDefinition.Kind, on positions: Int..., isUnique: Bool = false,
        isPrimaryKey: Bool = false
    ) throws -> Int {
        try addIndex(
            kind, on: positions.map { table.definition.columns[$0].id }, of: table.definition.space,
            isUnique: isUnique, isPrimaryKey: isPrimaryKey)
    }

    /// Makes the session spill what it may.
    func spill() throws {
        // A table's first row of a block looks whether there is too much in memory.
        let table = try table(named: "Spilling") ?? createTable("Spilling")
        try delete(try table.insert(), from: table)
    }
}

extension SessionTable {
    /// Sets a list of integers.
    func setNumbers(_ row: RowKey, _ position: Int, _ numbers: [Int64]) throws {
        let bytes = numbers.flatMap(\.storedBytes) + [0]
        try bytes.withUnsafeBytes { memory in
            let elements = numbers.indices.map { index -> UnsafeRawBufferPointer? in
                UnsafeRawBufferPointer(rebasing: memory[(index * 8)..<(index * 8 + 8)])
            }
            try replaceElements(row, position, 0..<(try listCount(row, position)), with: elements)
        }
    }

    func numbers(_ row: RowKey, _ position: Int) throws -> [Int64] {
        try listElements(row, position).map { element in element.map { Int64($0) } ?? 0 }
    }

    /// All rows, in order.
    var rowKeys: [RowKey] {
        var rows: [RowKey] = []
        forEachRow { rows.append($0) }
        return rows
    }
}
