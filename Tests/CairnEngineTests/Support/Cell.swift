import CairnStorage

/// What a row has in a column, as stored bytes: equal cells are equal bit by bit.
enum Cell: Hashable {
    /// Nil for null.
    case value([UInt8]?)
    case link(RowKey?)
    case list([[UInt8]?])
    case links([RowKey])

    /// The rows it leads to, each as often as it does.
    var targets: [RowKey] {
        switch self {
        case .link(let target): target.map { [$0] } ?? []
        case .links(let targets): targets
        case .value, .list: []
        }
    }

    /// The bytes of a value that is not null.
    var valueBytes: [UInt8]? {
        if case .value(let bytes) = self { bytes } else { nil }
    }

    /// The elements of a list; none of anything else.
    var elements: [[UInt8]?] {
        if case .list(let elements) = self { elements } else { [] }
    }
}

extension SessionTable {
    /// Reads a cell through the functions that are made for its kind.
    func cell(_ row: RowKey, _ position: Int) throws -> Cell {
        let column = definition.columns[position]
        if column.collection == .list {
            return column.kind == .link
                ? .links(try listElements(row, position).map { RowKey($0.map { UInt64($0) } ?? 0) })
                : .list(try listElements(row, position))
        }
        if column.kind == .link { return .link(link(row, position)) }
        let bytes = fixedOrText(row, position, column)
        guard column.isNullable, isNull(row, position) else { return .value(bytes) }
        try require(!bytes.contains { $0 != 0 }, "a null value of \(column.name) is not zero")
        return .value(nil)
    }

    private func fixedOrText(_ row: RowKey, _ position: Int, _ column: ColumnDefinition) -> [UInt8] {
        switch column.kind {
        case .bool: [bool(row, position) ? 1 : 0]
        case .int: value(row, position, as: Int64.self).storedBytes
        case .date, .double: value(row, position, as: UInt64.self).storedBytes
        case .float: value(row, position, as: UInt32.self).storedBytes
        case .string, .binary: Array(text(row, position))
        case .objectId: Array(bytes(row, position, count: 12))
        case .uuid, .decimal: Array(bytes(row, position, count: 16))
        case .link, .backlinks: preconditionFailure("a link has no bytes of its own")
        }
    }

    /// The elements of a list, run by run, which must follow each other.
    func listElements(_ row: RowKey, _ position: Int, in range: Range<Int>? = nil) throws -> [[UInt8]?] {
        var elements: [[UInt8]?] = []
        var fault: String?
        let first = range?.lowerBound ?? 0
        try forEachRun(row, position, in: range) { run, index throws(StorageError) in
            if index != first + elements.count {
                fault = "a run begins at \(index), not at \(first + elements.count)"
            }
            for place in 0..<run.count { elements.append(run.element(at: place).map(Array.init)) }
        }
        if let fault { throw ModelFailure(fault) }
        let count = try range?.count ?? listCount(row, position)
        try require(count == elements.count, "a list of \(count) elements has runs of \(elements.count)")
        return elements
    }
}

extension FixedWidthInteger {
    var storedBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

    init(_ stored: [UInt8]) {
        self = Self(littleEndian: stored.withUnsafeBytes { $0.loadUnaligned(as: Self.self) })
    }
}

extension [UInt8]? {
    /// The bytes of a key that may be null.
    func withOptionalBytes<Result>(
        _ body: (UnsafeRawBufferPointer?) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        guard let self else { return try body(nil) }
        return try self.withBytes { bytes throws(StorageError) in try body(bytes) }
    }
}
