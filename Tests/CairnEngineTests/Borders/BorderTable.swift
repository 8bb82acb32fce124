import CairnStorage

/// A table whose values follow from the row keys, and the rows that must be in it.
struct BorderTable {
    let name: String
    /// The kinds of its columns, each nullable.
    let kinds: [ValueKind]
    /// How the values of a column differ from row to row.
    let style: ValueStyle
    private(set) var rows: [RowKey] = []
    private(set) var nextKey: UInt64 = 0

    enum ValueStyle: Int, CaseIterable {
        case equal
        case few
        case rising
        case mixed
    }

    init(name: String, kinds: [ValueKind], style: ValueStyle) {
        self.name = name
        self.kinds = kinds
        self.style = style
    }

    // MARK: Changing the table and what is wanted

    func make(in session: Session) throws {
        let table = try session.createTable(name)
        for (position, kind) in kinds.enumerated() {
            try session.addColumn(
                .init("\(kind) \(position)", kind, isNullable: true), to: table.definition.space)
        }
        try session.addColumn(.init("list", .int, collection: .list), to: table.definition.space)
    }

    mutating func insert(_ count: Int, in session: Session) throws {
        let table = try session.known(name)
        for _ in 0..<count {
            let row = try table.insert()
            try require(row.value == nextKey, "\(name): the new row is \(row), wanted #\(nextKey)")
            nextKey += 1
            rows.append(row)
            for position in kinds.indices { try set(row, position, table) }
            if row.value % 3 == 0 { try table.setNumbers(row, kinds.count, numbers(row)) }
        }
    }

    mutating func delete(_ gone: [RowKey], in session: Session) throws {
        try session.delete(gone, from: try session.known(name))
        let gone = Set(gone)
        rows.removeAll { gone.contains($0) }
    }

    private func set(_ row: RowKey, _ position: Int, _ table: SessionTable) throws {
        guard let value = value(row, kinds[position]) else { return try table.setNull(row, position) }
        try value.withBytes { bytes throws(StorageError) in
            switch kinds[position] {
            case .bool: try table.setBool(row, position, bytes[0] != 0)
            case .int, .double, .date: try table.set(row, position, bytes.loadUnaligned(as: UInt64.self))
            case .float: try table.set(row, position, bytes.loadUnaligned(as: UInt32.self))
            case .string, .binary: try table.setText(row, position, bytes)
            default: try table.setBytes(row, position, bytes)
            }
        }
    }

    // MARK: The values

    private func numbers(_ row: RowKey) -> [Int64] {
        row.value % 3 == 0 ? (0..<Int64(row.value % 13)).map { $0 * Int64(row.value) } : []
    }

    private func value(_ row: RowKey, _ kind: ValueKind) -> [UInt8]? {
        let number: UInt64 =
            switch style {
            case .equal: 7
            case .few: row.value % 5
            case .rising: row.value * 3
            case .mixed: (row.value &+ 1) &* 0x9E37_79B9_7F4A_7C15
            }
        if style != .equal, row.value % 7 == 3 { return nil }
        switch kind {
        case .bool: return [UInt8(number & 1)]
        case .int: return number.storedBytes
        case .float: return Float(number % 100_000).bitPattern.storedBytes
        case .double, .date: return (Double(number % 100_000) / 4).bitPattern.storedBytes
        case .string, .binary: return text(number)
        default: return Array((number.storedBytes + number.storedBytes).prefix(kind.elementByteCount ?? 0))
        }
    }

    private func text(_ number: UInt64) -> [UInt8] {
        let text = Array("\(number)".utf8)
        return number % 11 == 0 ? text + [UInt8](repeating: 0x20, count: Int(number % 40)) : text
    }

    // MARK: Comparing

    func compare(_ session: Session) throws {
        let table = try session.known(name)
        try require(
            table.rowCount == rows.count, "\(name) counts \(table.rowCount) rows, wanted \(rows.count)")
        try require(table.rowKeys == rows, "\(name) has the rows \(table.rowKeys), wanted \(rows)")
        for position in kinds.indices {
            for row in rows {
                let found = try table.cell(row, position).valueBytes
                let wanted = value(row, kinds[position])
                try require(
                    found == wanted,
                    "\(name) \(row).\(kinds[position]): \(found as Any), wanted \(wanted as Any)")
            }
        }
        for row in rows {
            let found = try table.numbers(row, kinds.count)
            try require(found == numbers(row), "\(name) \(row): list \(found), wanted \(numbers(row))")
        }
        for number in nextKey..<(nextKey + 2) {
            try require(!table.contains(RowKey(number)), "\(name) has #\(number)")
        }
        try session.throwDamage()
    }
}
