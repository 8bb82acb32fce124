import CairnQuery
import CairnStorage

/// Putting a model into a store. Rows get the keys that they have in the model: the model is made by the same
/// changes in the same order.
extension Model {
    /// Makes the tables, and the indexes where they are wanted.
    func makeTables(in session: Session, isIndexed: Bool) throws {
        for table in tables { try session.createTable(table.name) }
        for table in tables {
            let space = try session.space(table.name)
            for property in table.properties where !property.isBacklinks {
                try session.addColumn(
                    Session.NewColumn(
                        property.name, property.kind, collection: property.isList ? .list : .none,
                        isNullable: property.isNullable, target: property.target.map { tables[$0].name }),
                    to: space)
            }
        }
        guard isIndexed else { return }
        for table in tables {
            for property in table.properties { try property.makeIndex(in: session, of: table.name) }
        }
    }

    /// Adds the rows of all tables to tables that are empty, with gaps where keys are left out.
    func insertRows(in session: Session) throws {
        for table in tables {
            let stored = try session.table(try session.space(table.name))
            var next: UInt64 = 0
            var gaps: [RowKey] = []
            for row in table.rows {
                while next <= row.key {
                    let key = try stored.insert()
                    precondition(key.value == next, "rows are numbered otherwise than expected")
                    if next != row.key { gaps.append(key) }
                    next += 1
                }
            }
            try session.delete(gaps, from: stored)
        }
        for table in tables {
            for row in table.rows {
                for number in table.properties.indices {
                    try store(row.cells[number], table, row.key, number, in: session)
                }
            }
        }
    }

    func store(
        _ cell: ModelRow.Cell, _ table: ModelTable, _ key: UInt64, _ number: Int, in session: Session
    ) throws {
        let property = table.properties[number]
        guard !property.isBacklinks else { return }
        let stored = try session.table(try session.space(table.name))
        guard let position = stored.definition.position(named: property.name) else {
            preconditionFailure("the column \(property.name) is missing")
        }
        switch cell {
        case .value(let value): try stored.setCell(RowKey(key), position, value)
        case .list(let values): try stored.setCells(RowKey(key), position, values)
        }
    }
}

extension ModelProperty {
    func makeIndex(in session: Session, of table: String) throws {
        guard let index else { return }
        let stored = try session.table(try session.space(table))
        guard let position = stored.definition.position(named: name) else { return }
        try session.addIndex(index, on: [stored.definition.columns[position].id], of: stored.definition.space)
    }
}

extension SessionTable {
    func setCell(_ row: RowKey, _ position: Int, _ value: ModelValue) throws {
        switch value {
        case .null:
            if definition.columns[position].kind == .link {
                try setLink(row, position, nil)
            } else {
                try setNull(row, position)
            }
        case .bool(let value): try setBool(row, position, value)
        case .int(let value): try set(row, position, value)
        case .float(let value): try set(row, position, value)
        case .double(let value), .date(let value): try set(row, position, value)
        case .string(let bytes), .binary(let bytes):
            try bytes.withUnsafeBytes { try setText(row, position, $0) }
        case .objectId, .uuid, .decimal:
            try (value.storedBytes ?? []).withUnsafeBytes { try setBytes(row, position, $0) }
        case .object(let target): try setLink(row, position, RowKey(target))
        }
    }

    func setCells(_ row: RowKey, _ position: Int, _ values: [ModelValue]) throws {
        let buffer = ListBuffer(layout: listLayout(position))
        for value in values {
            if let bytes = value.storedBytes {
                try bytes.withUnsafeBytes { try buffer.append($0) }
            } else {
                try buffer.append(nil)
            }
        }
        try replaceElements(row, position, 0..<(try listCount(row, position)), with: buffer)
    }
}
