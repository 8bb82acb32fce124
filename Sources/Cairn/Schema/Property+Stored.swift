internal import CairnStorage

extension Property {
    /// The property that a column of a file would be, under its stored name.
    ///
    /// - Parameter target: the name of the table that a link leads to.
    init(
        stored column: ColumnDefinition, target: String?, isIndexed: Bool = false, isPrimaryKey: Bool = false
    ) {
        let type = PropertyType(stored: column.kind)
        self.init(
            name: column.name, columnName: column.name, type: type, isArray: column.collection == .list,
            isIndexed: isIndexed,
            isOptional: column.isNullable || (type == .object && column.collection == .none),
            objectClassName: target, isPrimaryKey: isPrimaryKey)
    }
}

extension PropertyType {
    /// The type of the properties that are kept in columns of a kind.
    init(stored kind: ValueKind) {
        self =
            switch kind {
            case .bool: .bool
            case .int: .int
            case .float: .float
            case .double: .double
            case .date: .date
            case .string: .string
            case .binary: .data
            case .objectId: .objectId
            case .uuid: .UUID
            case .decimal: .decimal128
            case .link, .backlinks: .object
            }
    }
}
