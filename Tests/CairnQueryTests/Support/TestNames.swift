import CairnPredicate
import CairnQuery
import CairnStorage

/// The names of the catalogue, and those of links followed backwards: `linksFromOwner_pet` of the class that
/// `Owner.pet` links to.
struct TestNames: QueryNames {
    let schema: Schema
    /// Objects that are not of this file.
    static let foreignObject = UInt64.max
    /// An object that equals no row.
    static let missingObject = UInt64.max - 1

    static func backlinks(_ origin: String, _ link: String) -> String { "linksFrom\(origin)_\(link)" }

    private func backlinks(of table: SpaceID) -> [(name: String, property: QueryProperty)] {
        schema.tables.flatMap { origin in
            origin.columns.filter { $0.kind == .link && $0.target == table }.map {
                (Self.backlinks(origin.name, $0.name), .backlinks(origin: origin.space, link: $0.id))
            }
        }
    }

    func property(_ name: String, of table: SpaceID) -> QueryProperty? {
        CatalogueNames(schema).property(name, of: table)
            ?? backlinks(of: table).first { $0.name == name }?.property
    }

    func propertyNames(of table: SpaceID) -> [String] {
        CatalogueNames(schema).propertyNames(of: table) + backlinks(of: table).map(\.name)
    }

    func className(of table: SpaceID) -> String { CatalogueNames(schema).className(of: table) }

    func row(ofObject number: UInt64, in table: SpaceID) throws(QueryError) -> RowKey? {
        switch number {
        case Self.foreignObject: throw QueryError(.foreignObject, "The object is of another Realm.")
        case Self.missingObject: return nil
        default: return RowKey(number)
        }
    }
}

extension Session {
    /// The space of a table that must be there.
    func space(_ name: String) throws -> SpaceID {
        guard let table = try table(named: name) else { throw MissingTable(name: name) }
        return table.definition.space
    }

    struct MissingTable: Error { let name: String }

    /// Binds a predicate's text to a table.
    func bind(_ text: String, _ arguments: [Literal] = [], to table: String) throws -> BoundCondition {
        let condition = try PredicateParser.parse(text, arguments)
        return try ConditionBinder(schema, TestNames(schema: schema)).bind(condition, to: try space(table))
    }

    /// Why a predicate's text cannot be bound; nil where it can.
    func bindingError(_ text: String, _ arguments: [Literal] = [], to table: String) throws -> QueryError? {
        do {
            _ = try bind(text, arguments, to: table)
            return nil
        } catch let error as QueryError {
            return error
        }
    }

    func evaluation(_ query: QueryDescription) throws -> QueryEvaluation {
        try QueryEvaluation(query, QueryContext(self, FoldedChunks()))
    }

    /// The rows that fit a predicate's text, counted and found in every way that there is.
    func rows(_ text: String, _ arguments: [Literal] = [], of table: String) throws -> [UInt64] {
        let bound = try bind(text, arguments, to: table)
        return try rows(QueryDescription(try space(table), condition: bound))
    }

    /// The rows of a query, which must be as many as it counts, and begin with its first.
    func rows(_ query: QueryDescription) throws -> [UInt64] {
        let rows = try evaluation(query).rows()
        let count = try evaluation(query).count()
        let first = try evaluation(query).first()
        guard count == rows.count, first == rows.first else {
            throw Disagreement(
                description: "rows() gives \(rows.count) rows from \(String(describing: rows.first)) on, "
                    + "count() \(count) and first() \(String(describing: first))")
        }
        return rows.map(\.value)
    }

    /// What ways to carry out one query disagree about.
    struct Disagreement: Error, CustomStringConvertible { let description: String }

    func path(_ keyPath: String, of table: String, for use: ConditionBinder.KeyPathUse = .sort) throws
        -> ColumnPath
    {
        try ConditionBinder(schema, TestNames(schema: schema)).columnPath(
            keyPath, of: try space(table), for: use)
    }
}
