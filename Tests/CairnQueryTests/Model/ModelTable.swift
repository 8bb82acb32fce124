import CairnPredicate
import CairnQuery
import CairnStorage

/// A property of a model's table.
struct ModelProperty {
    let name: String
    let kind: ValueKind
    var isList = false
    var isNullable = false
    /// Links and linking objects: the number of the other table.
    var target: Int?
    /// Linking objects: the property of the other table that is followed backwards.
    var origin: Int?
    /// The index that it has in the indexed one of two stores.
    var index: IndexDefinition.Kind?

    var isBacklinks: Bool { origin != nil }
    var isCollection: Bool { isList || isBacklinks }
    var isLink: Bool { kind == .link && !isBacklinks }
}

struct ModelRow {
    enum Cell: Hashable {
        case value(ModelValue)
        case list([ModelValue])
    }

    let key: UInt64
    /// By the numbers of the properties; backlinks have an empty list here.
    var cells: [Cell]
}

struct ModelTable {
    let name: String
    var properties: [ModelProperty]
    /// By rising key.
    var rows: [ModelRow] = []

    func property(_ name: String) -> Int? { properties.firstIndex { $0.name == name } }
}

/// Tables as plain Swift values, and what a predicate means for their rows.
///
/// Written from `docs/queries.md` and not from the engine: one row after the other, every path followed
/// value by value, every comparison made of two values.
struct Model {
    var tables: [ModelTable] { didSet { linking = Linking() } }
    private var linking = Linking()

    init(tables: [ModelTable]) { self.tables = tables }

    /// The rows that link to each row, by table and property: found once for every state of the tables.
    private final class Linking {
        var known: [[Int]: [UInt64: [ModelValue]]] = [:]
    }

    /// Where a row is, by its key.
    private func place(_ table: Int, _ key: UInt64) -> Int? {
        let rows = tables[table].rows
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].key == key ? low : nil
    }

    func row(_ table: Int, _ key: UInt64) -> ModelRow {
        guard let place = place(table, key) else { preconditionFailure("a link leads to no row") }
        return tables[table].rows[place]
    }

    mutating func set(_ table: Int, _ key: UInt64, _ property: Int, _ cell: ModelRow.Cell) {
        guard let place = place(table, key) else { preconditionFailure("a row that is not there was set") }
        tables[table].rows[place].cells[property] = cell
    }

    /// Deletes a row, and the links to it.
    mutating func delete(_ table: Int, _ key: UInt64) {
        guard let place = place(table, key) else { return }
        tables[table].rows.remove(at: place)
        let gone = ModelValue.object(key)
        for other in tables.indices {
            for (number, property) in tables[other].properties.enumerated()
            where property.isLink && property.target == table {
                for row in tables[other].rows.indices {
                    switch tables[other].rows[row].cells[number] {
                    case .value(gone): tables[other].rows[row].cells[number] = .value(.null)
                    case .list(let elements) where elements.contains(gone):
                        tables[other].rows[row].cells[number] = .list(elements.filter { $0 != gone })
                    default: break
                    }
                }
            }
        }
    }

    /// The elements of a list, or the objects that link to a row, each as often as it does.
    func elements(_ table: Int, _ row: ModelRow, _ number: Int) -> [ModelValue] {
        let property = tables[table].properties[number]
        guard let origin = property.origin, let other = property.target else {
            if case .list(let elements) = row.cells[number] { return elements }
            preconditionFailure("\(property.name) is no collection")
        }
        return origins(other, origin)[row.key] ?? []
    }

    private func origins(_ table: Int, _ property: Int) -> [UInt64: [ModelValue]] {
        if let known = linking.known[[table, property]] { return known }
        var result: [UInt64: [ModelValue]] = [:]
        for row in tables[table].rows {
            let targets: [ModelValue] =
                switch row.cells[property] {
                case .value(let value): [value]
                case .list(let values): values
                }
            for case .object(let target) in targets { result[target, default: []].append(.object(row.key)) }
        }
        linking.known[[table, property]] = result
        return result
    }

    func value(_ row: ModelRow, _ number: Int) -> ModelValue {
        if case .value(let value) = row.cells[number] { return value }
        preconditionFailure("a collection was read as a value")
    }
}
