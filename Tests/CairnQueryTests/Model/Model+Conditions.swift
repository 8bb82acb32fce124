import CairnPredicate
import CairnStorage

extension Model {
    /// The rows for which a condition holds.
    func rows(_ condition: Condition, of table: Int) -> [UInt64] {
        tables[table].rows.filter { holds(condition, table, $0) }.map(\.key)
    }

    func holds(_ condition: Condition, _ table: Int, _ row: ModelRow) -> Bool {
        switch condition {
        case .constant(let value): value
        case .not(let inner): !holds(inner, table, row)
        case .and(let parts): parts.allSatisfy { holds($0, table, row) }
        case .or(let parts): parts.contains { holds($0, table, row) }
        case .comparison(let comparison): holds(comparison, table, row)
        }
    }

    private func holds(_ comparison: Comparison, _ table: Int, _ row: ModelRow) -> Bool {
        switch (comparison.left, comparison.right) {
        case (.path(let path), .literal(let literal)):
            return holds(path, comparison, literal, table, row)
        case (.literal(let literal), .path(let path)):
            var turned = comparison
            switch comparison.relation {
            case .less: turned.relation = .greater
            case .lessOrEqual: turned.relation = .greaterOrEqual
            case .greater: turned.relation = .less
            case .greaterOrEqual: turned.relation = .lessOrEqual
            case .isIn:
                turned.quantifier = comparison.quantifier ?? .any
                turned.options = []
                if literal.kind != .array { turned.relation = .equal }
            default: break
            }
            return holds(path, turned, literal, table, row)
        case (.path(let left), .path(let right)):
            return ModelComparison.holds(
                values(left, table, row)[0], comparison.relation, values(right, table, row)[0],
                comparison.options)
        default: preconditionFailure("a comparison of these is never bound")
        }
    }

    private func holds(
        _ path: PropertyPath, _ comparison: Comparison, _ literal: Literal, _ table: Int, _ row: ModelRow
    ) -> Bool {
        let isFloat = endsInFloat(path, table)
        let constant = isFloat ? Self.rounded(literal) : literal
        let values = values(path, table, row)
        switch comparison.quantifier {
        case .all: return values.allSatisfy { Self.fits($0, comparison, constant) }
        case .any: return values.contains { Self.fits($0, comparison, constant) }
        case nil: return Self.fits(values[0], comparison, constant)
        }
    }

    /// Whether a value of a list fits a comparison with a constant.
    func fits(_ value: ModelValue, _ comparison: Comparison, _ kind: ValueKind) -> Bool {
        guard let literal = comparison.right.literal else {
            preconditionFailure("values meet constants only")
        }
        return Self.fits(value, comparison, kind == .float ? Self.rounded(literal) : literal)
    }

    private static func fits(_ value: ModelValue, _ comparison: Comparison, _ literal: Literal) -> Bool {
        switch (comparison.relation, literal) {
        case (.between, .array(let bounds)):
            return ModelComparison.holds(value, .greaterOrEqual, ModelValue(bounds[0]), [])
                && ModelComparison.holds(value, .lessOrEqual, ModelValue(bounds[1]), [])
        case (.isIn, .array(let members)):
            return members.contains {
                ModelComparison.areEqual(value, ModelValue($0), comparison.options)
            }
        case (.beginsWith, .null), (.endsWith, .null), (.contains, .null):
            // Binary contains nil wherever it is not null.
            if case .binary = value { return true } else { return false }
        default:
            return ModelComparison.holds(value, comparison.relation, ModelValue(literal), comparison.options)
        }
    }

    // MARK: Paths

    /// The values that a path leads to: one, or as many as the collections that it crosses have.
    private func values(_ path: PropertyPath, _ table: Int, _ row: ModelRow) -> [ModelValue] {
        if case .subquery(let subquery) = path.root {
            return [.int(Int64(count(subquery, table, row)))]
        }
        return values(path.steps[...], table, .object(row.key))
    }

    private func count(_ subquery: Subquery, _ table: Int, _ row: ModelRow) -> Int {
        let steps = subquery.collection.steps
        let owners = values(steps.dropLast(), table, .object(row.key))
        guard let owner = owners.first, case .object(let key) = owner else { return 0 }
        let (ownerTable, number) = end(steps, table)
        let property = tables[ownerTable].properties[number]
        guard let target = property.target else { preconditionFailure("a sub-query is about objects") }
        return elements(ownerTable, self.row(ownerTable, key), number).count { element in
            guard case .object(let key) = element else { return false }
            return holds(subquery.condition, target, self.row(target, key))
        }
    }

    /// The table and the number of the property that steps end at.
    private func end(_ steps: [PropertyPath.Step], _ table: Int) -> (table: Int, property: Int) {
        var table = table
        var result = (table: table, property: -1)
        for step in steps {
            guard case .property(let name) = step, let number = tables[table].property(name) else { break }
            result = (table, number)
            table = tables[table].properties[number].target ?? table
        }
        return result
    }

    /// - Parameter from: the object that the steps begin at, or null.
    private func values(_ steps: ArraySlice<PropertyPath.Step>, _ table: Int, _ from: ModelValue)
        -> [ModelValue]
    {
        guard case .property(let name)? = steps.first else { return [from] }
        guard let number = tables[table].property(name) else { preconditionFailure("no property \(name)") }
        let property = tables[table].properties[number]
        let rest = steps.dropFirst()
        var row: ModelRow?
        if case .object(let key) = from { row = self.row(table, key) }
        if property.isCollection {
            let elements = row.map { self.elements(table, $0, number) } ?? []
            if case .collection(let operation)? = rest.first {
                return [aggregate(operation, elements, property, rest.dropFirst())]
            }
            return elements.flatMap { values(rest, property.target ?? table, $0) }
        }
        let next = row.map { value($0, number) } ?? .null
        guard !rest.isEmpty, let target = property.target else { return [next] }
        return values(rest, target, next)
    }

    private func aggregate(
        _ operation: PropertyPath.CollectionOperator, _ elements: [ModelValue], _ property: ModelProperty,
        _ rest: ArraySlice<PropertyPath.Step>
    ) -> ModelValue {
        if operation == .count { return .int(Int64(elements.count)) }
        var kind = property.kind
        var values = elements
        if case .property(let name)? = rest.first, let target = property.target,
            let number = tables[target].property(name)
        {
            kind = tables[target].properties[number].kind
            values = elements.map { element in
                guard case .object(let key) = element else { return .null }
                return value(row(target, key), number)
            }
        }
        return ModelAggregate.calculate(operation, values, kind)
    }

    /// Whether a path ends in a float, whose constants are rounded.
    private func endsInFloat(_ path: PropertyPath, _ table: Int) -> Bool {
        guard case .object = path.root else {
            if case .variable = path.root { return endsInFloat(path.steps, table) }
            return false
        }
        return endsInFloat(path.steps, table)
    }

    private func endsInFloat(_ steps: [PropertyPath.Step], _ table: Int) -> Bool {
        guard !steps.isEmpty else { return false }
        var names = steps
        for (place, step) in steps.enumerated() {
            guard case .collection(let operation) = step else { continue }
            guard operation == .min || operation == .max else { return false }
            names.remove(at: place)
        }
        let end = end(names, table)
        return tables[end.table].properties[end.property].kind == .float
    }

    private static func rounded(_ literal: Literal) -> Literal {
        switch literal {
        case .int(let value): .float(Float(value))
        case .double(let value): .float(Float(value))
        case .decimal(let high, let low): .float(Float(ModelDecimal(low: low, high: high).double))
        case .array(let members): .array(members.map(rounded))
        default: literal
        }
    }
}
