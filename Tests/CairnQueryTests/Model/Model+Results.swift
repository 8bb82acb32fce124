import CairnPredicate
import CairnQuery
import CairnStorage

/// A step of a model's query.
enum ModelStep {
    case filter(Condition)
    case sort(
        [(keyPath: String, isAscending: Bool, nilPlace: SortKey.NilPlace, collation: SortKey.Collation)])
    case distinct([String])
    case limit(offset: Int, count: Int)
}

/// What a key path leads to.
enum ModelFound: Hashable {
    case value(ModelValue)
    case null
    /// A link on the way is nil.
    case broken
}

extension Model {
    /// The rows that are left of some by steps, in their order.
    ///
    /// A filter behind a sort or a distinct is asked before both of them, and one behind a limit where it stands.
    func rows(_ base: [UInt64], _ steps: [ModelStep], of table: Int) -> [UInt64] {
        var rows = base
        var rest: [ModelStep] = []
        for step in steps {
            switch step {
            case .filter(let condition):
                let isLimited = rest.contains { if case .limit = $0 { true } else { false } }
                if isLimited {
                    rows = rest.reduce(rows) { apply($1, to: $0, of: table) }
                    rest = []
                }
                rows = rows.filter { holds(condition, table, row(table, $0)) }
            default: rest.append(step)
            }
        }
        return rest.reduce(rows) { apply($1, to: $0, of: table) }
    }

    private func apply(_ step: ModelStep, to rows: [UInt64], of table: Int) -> [UInt64] {
        switch step {
        case .filter: preconditionFailure("a filter is asked elsewhere")
        case .limit(let offset, let count): return Array(rows.dropFirst(offset).prefix(count))
        case .distinct(let keyPaths):
            var known: Set<[ModelFound]> = []
            return rows.filter { row in
                known.insert(keyPaths.map { canonical(find($0, table, row)) }).inserted
            }
        case .sort(let keys):
            return rows.enumerated().sorted { left, right in
                for key in keys {
                    let order = order(
                        find(key.keyPath, table, left.element), find(key.keyPath, table, right.element),
                        key.isAscending, key.nilPlace, key.collation)
                    if order != 0 { return order < 0 }
                }
                return left.offset < right.offset
            }.map(\.element)
        }
    }

    func find(_ keyPath: String, _ table: Int, _ row: UInt64) -> ModelFound {
        var table = table
        var row = row
        let names = keyPath.split(separator: ".").map(String.init)
        for (place, name) in names.enumerated() {
            guard let number = tables[table].property(name) else { preconditionFailure("no \(name)") }
            let value = value(self.row(table, row), number)
            if place + 1 == names.count { return value == .null ? .null : .value(value) }
            guard case .object(let next) = value, let target = tables[table].properties[number].target else {
                return .broken
            }
            (table, row) = (target, next)
        }
        return .null
    }

    private func order(
        _ left: ModelFound, _ right: ModelFound, _ isAscending: Bool, _ nilPlace: SortKey.NilPlace,
        _ collation: SortKey.Collation
    ) -> Int {
        if case .value(let left) = left, case .value(let right) = right {
            let order = ModelOrder.order(left, right, collation)
            return isAscending ? order : -order
        }
        return place(left, isAscending, nilPlace) - place(right, isAscending, nilPlace)
    }

    /// Before, among or behind the values.
    private func place(_ found: ModelFound, _ isAscending: Bool, _ nilPlace: SortKey.NilPlace) -> Int {
        switch (found, nilPlace) {
        case (.value, _): 0
        case (.null, .automatic): isAscending ? -1 : 1
        case (.broken, .automatic): isAscending ? 2 : -2
        case (.null, .first): -1
        case (.broken, .first): -2
        case (.null, .last): 1
        case (.broken, .last): 2
        }
    }

    /// One of all the forms that are one value.
    private func canonical(_ found: ModelFound) -> ModelFound {
        switch found {
        case .broken: .null
        case .null: .null
        case .value(let value): .value(ModelOrder.canonical(value))
        }
    }
}

/// The order of sorting: as of comparisons, with NaN before every number.
enum ModelOrder {
    static func order(_ left: ModelValue, _ right: ModelValue, _ collation: SortKey.Collation) -> Int {
        let isLeftNaN = isNaN(left)
        let isRightNaN = isNaN(right)
        if isLeftNaN || isRightNaN { return (isLeftNaN ? 0 : 1) - (isRightNaN ? 0 : 1) }
        let options: Comparison.Options = collation == .caseInsensitive ? .caseInsensitive : []
        return ModelComparison.order(
            ModelComparison.folded(left, options), ModelComparison.folded(right, options)) ?? 0
    }

    static func isNaN(_ value: ModelValue) -> Bool {
        switch value {
        case .float(let value): value.isNaN
        case .double(let value), .date(let value): value.isNaN
        case .decimal(let value): value == .nan
        default: false
        }
    }

    static func canonical(_ value: ModelValue) -> ModelValue {
        switch value {
        // NaN equals nothing, so one value stands for all of them.
        case .float(let value) where value.isNaN: .text("NaN")
        case .double(let value) where value.isNaN: .text("NaN")
        case .date(let value) where value.isNaN: .text("NaN")
        case .float(let value): .float(value == 0 ? 0 : value)
        case .double(let value): .double(value == 0 ? 0 : value)
        case .date(let value): .date(value == 0 ? 0 : value)
        case .decimal(.finite(0, _)): .decimal(.finite(0, exponent: 0))
        case .decimal(.finite(let coefficient, let exponent)) where coefficient % 10 == 0:
            canonical(.decimal(.finite(coefficient / 10, exponent: exponent + 1)))
        default: value
        }
    }
}
