import CairnStorage

/// Steps that add, change and delete rows.
extension History {
    // MARK: Inserting

    func insertRow() throws {
        guard let space = anyTable() else { return }
        try insertRow(space, finishes: chance.isOne(in: 2), setCount: chance.number(0..<4))
    }

    /// Many rows of one table, so that blocks fill.
    func insertMany() throws {
        guard let space = anyTable(where: { $0.rows.count < 700 }) else { return }
        let count = [40, 120, 460][chance.number(0..<3)]
        note("insert \(count) rows of \(model[space].name)")
        for _ in 0..<count {
            try insertRow(space, finishes: false, setCount: chance.number(0..<2), isQuiet: true)
        }
    }

    private func insertRow(_ space: SpaceID, finishes: Bool, setCount: Int, isQuiet: Bool = false) throws {
        let table = try session.table(space)
        guard let row = try addRow(table, isQuiet: isQuiet) else { return }
        for _ in 0..<setCount {
            guard let column = anyColumn(space, where: \.isValue) else { break }
            // The unique indexes but the primary key look at a fresh row when it is finished.
            let isKey = model[space].primaryKey?.columns.contains(column.id) == true
            try set(row, column, chance.value(of: column), table, checksUnique: isKey)
        }
        let isDuplicate = model[space].isDuplicate(row)
        guard isDuplicate || finishes else { return }
        try expect(isDuplicate ? .duplicateKey : nil, "a row with a key that is there") {
            try table.finishRow()
        }
        // A row that cannot be finished is deleted.
        if isDuplicate { model.delete([row], from: space) }
    }

    /// Adds a row, with a key where the table wants one; nil where the key is there already.
    private func addRow(_ table: SessionTable, isQuiet: Bool) throws -> RowKey? {
        let space = table.definition.space
        var row: RowKey?
        if let primary = model[space].primaryKey {
            let column = model[space].column(primary.columns[0])
            let key = chance.value(of: column)
            if !isQuiet { note("insert into \(model[space].name) with the key \(key as Any)") }
            let isThere = !model[space].rows(primary, [key]).isEmpty
            try expect(isThere ? .duplicateKey : nil, "a key that is there") {
                row = try insert(table, column, key)
            }
            if let row {
                try take(row, space)
                model[space].set(row, column, .value(key))
            }
        } else {
            if !isQuiet { note("insert into \(model[space].name)") }
            let new = try table.insert()
            try take(new, space)
            row = new
        }
        return row
    }

    private func take(_ row: RowKey, _ space: SpaceID) throws {
        let least = max(model[space].nextKey.value, usedKeys[space] ?? 0)
        try require(row.value == least, "the new row is \(row), wanted #\(least)")
        usedKeys[space] = row.value + 1
        model[space].insert(row)
    }

    private func insert(_ table: SessionTable, _ column: ModelColumn, _ key: [UInt8]?) throws -> RowKey {
        switch (column.kind, key) {
        case (.int, let key?) where chance.isOne(in: 2): try table.insert(key: Int64(key))
        case (.string, let key?) where chance.isOne(in: 2):
            try table.insert(key: String(decoding: key, as: UTF8.self))
        default: try key.withOptionalBytes { bytes throws(StorageError) in try table.insert(key: bytes) }
        }
    }

    // MARK: Values

    func setValue() throws {
        guard let space = anyTable(withRows: true), let row = anyRow(space),
            let column = anyColumn(space, where: \.isValue)
        else { return }
        let table = try session.table(space)
        // A row that is not finished is in none of the unique indexes.
        if model[space].indexes.contains(where: { $0.isUnique && $0.columns.contains(column.id) }) {
            try table.finishRow()
        }
        if column.kind == .string || column.kind == .binary, chance.isOne(in: 6) {
            return try copyText(row, column, table)
        }
        let bytes = chance.value(of: column)
        note(
            "set \(model[space].name) \(row).\(column.name) to \(bytes.map { "\($0.count) bytes \($0.prefix(24))" } ?? "nil")"
        )
        try set(row, column, bytes, table, checksUnique: true)
    }

    /// Sets a text to that of a row of the same column, perhaps its own, where it lies.
    private func copyText(_ row: RowKey, _ column: ModelColumn, _ table: SessionTable) throws {
        let space = table.definition.space
        guard let source = chance.isOne(in: 3) ? row : anyRow(space) else { return }
        let bytes = model[space].cell(source, column).valueBytes ?? []
        note("set \(model[space].name) \(row).\(column.name) to that of \(source), \(bytes.count) bytes")
        let isRefused = model[space].refuses(row, column, bytes)
        let position = try position(column, table)
        try expect(isRefused ? .duplicateKey : nil, "\(column.name) of another row") {
            try table.setText(row, position, table.text(source, position))
        }
        if !isRefused { model[space].set(row, column, .value(bytes)) }
    }

    private func set(
        _ row: RowKey, _ column: ModelColumn, _ bytes: [UInt8]?, _ table: SessionTable, checksUnique: Bool
    ) throws {
        let space = table.definition.space
        let isRefused = checksUnique && model[space].refuses(row, column, bytes)
        try expect(isRefused ? .duplicateKey : nil, "\(column.name) of another row") {
            try write(row, try position(column, table), column.kind, bytes, table)
        }
        if !isRefused { model[space].set(row, column, .value(bytes)) }
    }

    private func write(
        _ row: RowKey, _ position: Int, _ kind: ValueKind, _ bytes: [UInt8]?, _ table: SessionTable
    ) throws {
        guard let bytes else { return try table.setNull(row, position) }
        switch kind {
        case .bool: try table.setBool(row, position, bytes[0] != 0)
        case .int: try table.set(row, position, Int64(bytes))
        case .float: try table.set(row, position, Float(bitPattern: UInt32(bytes)))
        case .double, .date: try table.set(row, position, Double(bitPattern: UInt64(bytes)))
        case .string where chance.isOne(in: 3):
            try table.setText(row, position, String(decoding: bytes, as: UTF8.self))
        case .string, .binary:
            try bytes.withBytes { bytes throws(StorageError) in try table.setText(row, position, bytes) }
        case .objectId, .uuid, .decimal:
            try bytes.withBytes { bytes throws(StorageError) in try table.setBytes(row, position, bytes) }
        case .link, .backlinks: preconditionFailure("a link has no bytes of its own")
        }
    }

    // MARK: Deleting

    func deleteRows() throws {
        guard let space = anyTable(withRows: true) else { return }
        var rows: [RowKey] = []
        for _ in 0..<chance.number(1..<4) {
            if let row = chance.isOne(in: 3) ? anyTarget(space) : anyRow(space) { rows.append(row) }
        }
        let isMissing = chance.isOne(in: 12)
        if isMissing { rows.append(RowKey(model[space].nextKey.value + 5)) }
        note("delete \(rows) of \(model[space].name)")
        try expect(isMissing ? .notFound : nil, "a row that is not there") {
            if rows.count == 1 {
                try session.delete(rows[0], from: try session.table(space))
            } else {
                try session.delete(rows, from: try session.table(space))
            }
        }
        if !isMissing { model.delete(rows, from: space) }
    }

    /// A stretch of rows, so that blocks die; the first ones often.
    func deleteMany() throws {
        guard let space = anyTable(withRows: true) else { return }
        let keys = model[space].keys
        let start = chance.isOne(in: 2) ? 0 : chance.number(0..<keys.count)
        let end = chance.isOne(in: 8) ? keys.count : min(keys.count, start + chance.number(1..<500))
        let rows = Array(keys[start..<end])
        note("delete \(rows.count) rows of \(model[space].name) from \(rows[0])")
        try session.delete(rows, from: try session.table(space))
        model.delete(rows, from: space)
    }
}
