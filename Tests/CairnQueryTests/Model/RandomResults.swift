import CairnPredicate
import CairnQuery
import CairnStorage
import TestSupport

/// Queries by chance: conditions, sorts, distincts and limits in any order.
struct RandomResults {
    var conditions: RandomConditions

    private var model: Model { conditions.model }

    mutating func steps(_ table: Int) -> [ModelStep] {
        (0..<conditions.values.number(1...4)).map { _ in step(table) }
    }

    private mutating func step(_ table: Int) -> ModelStep {
        switch conditions.values.number(0...5) {
        case 0: return .filter(conditions.condition(table, depth: conditions.values.number(0...1)))
        case 1:
            return .limit(
                offset: conditions.values.pick([0, 0, 1, 5, 1_000]),
                count: conditions.values.pick([0, 1, 3, 20, 100, .max]))
        case 2:
            return .distinct(
                (0..<conditions.values.number(1...2)).map { _ in keyPath(table, for: .distinct) })
        default:
            return .sort(
                (0..<conditions.values.number(1...3)).map { _ in
                    (
                        keyPath(table, for: .sort), conditions.values.oneIn(2),
                        conditions.values.pick([.automatic, .automatic, .first, .last]),
                        conditions.values.oneIn(4) ? .caseInsensitive : .bytes
                    )
                })
        }
    }

    /// A path through to-one links to a value that may be used so.
    mutating func keyPath(_ table: Int, for use: ConditionBinder.KeyPathUse) -> String {
        var table = table
        var names: [String] = []
        while names.count < 3, conditions.values.oneIn(3),
            let link = model.tables[table].properties.filter({ $0.isLink && !$0.isList }).randomElement(
                using: &conditions.values.chance), let target = link.target
        {
            names.append(link.name)
            table = target
        }
        let ends = model.tables[table].properties.filter { property in
            guard !property.isCollection, property.kind != .link else { return false }
            switch use {
            case .sort: return property.kind != .binary
            case .distinct: return true
            case .aggregate: return [.int, .float, .double, .date, .decimal].contains(property.kind)
            }
        }
        guard let end = ends.randomElement(using: &conditions.values.chance) else { return "" }
        return (names + [end.name]).joined(separator: ".")
    }
}

extension Session {
    /// A query of the engine with the steps of a model's.
    func query(_ base: QueryDescription, _ steps: [ModelStep], of table: String) throws -> QueryDescription {
        let binder = ConditionBinder(schema, TestNames(schema: schema))
        var query = base
        for step in steps {
            switch step {
            case .filter(let condition):
                query = query.filtered(by: try binder.bind(condition, to: base.table))
            case .limit(let offset, let count): query = query.adding(.limit(offset: offset, count: count))
            case .distinct(let keyPaths):
                query = query.adding(.distinct(try keyPaths.map { try path($0, of: table, for: .distinct) }))
            case .sort(let keys):
                query = query.adding(
                    .sort(
                        try keys.map {
                            SortKey(
                                try path($0.keyPath, of: table), isAscending: $0.isAscending,
                                nilPlace: $0.nilPlace,
                                collation: $0.collation)
                        }))
            }
        }
        return query
    }
}
