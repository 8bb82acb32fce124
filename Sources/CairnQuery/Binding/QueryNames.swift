package import CairnStorage

/// What a predicate's names and objects stand for: what the layer above knows and the catalogue does not.
package protocol QueryNames {
    /// The property of a class, by any of its names; nil where there is none.
    func property(_ name: String, of table: SpaceID) -> QueryProperty?

    /// The names of a class's properties, for suggestions.
    func propertyNames(of table: SpaceID) -> [String]

    func className(of table: SpaceID) -> String

    /// The row that the object of `Literal.object` is, which is compared with rows of `table`; nil for one that
    /// equals no row (not added, or deleted).
    ///
    /// - Throws: `foreignObject`, `typeMismatch`.
    func row(ofObject number: UInt64, in table: SpaceID) throws(QueryError) -> RowKey?
}

/// What a property is.
package enum QueryProperty: Hashable, Sendable {
    /// A column of the class's table.
    case column(ColumnID)
    /// A link column of another table, followed backwards.
    case backlinks(origin: SpaceID, link: ColumnID)
}

/// The names of the catalogue itself, for files whose classes are not known.
package struct CatalogueNames: QueryNames {
    private let schema: Schema

    package init(_ schema: Schema) { self.schema = schema }

    package func property(_ name: String, of table: SpaceID) -> QueryProperty? {
        guard let definition = schema[table], let position = definition.position(named: name),
            !definition.columns[position].isHidden
        else { return nil }
        return .column(definition.columns[position].id)
    }

    package func propertyNames(of table: SpaceID) -> [String] {
        schema[table]?.columns.filter { !$0.isHidden }.map(\.name) ?? []
    }

    package func className(of table: SpaceID) -> String { schema[table]?.name ?? "a removed class" }

    package func row(ofObject number: UInt64, in table: SpaceID) throws(QueryError) -> RowKey? {
        RowKey(number)
    }
}
