import CairnPredicate
import CairnStorage
import TestSupport

/// Conditions by chance that can be asked of a model's tables: every form that binds, about values that are
/// often there.
struct RandomConditions {
    var values: RandomValues
    let model: Model

    mutating func condition(_ table: Int, depth: Int, variable: String? = nil) -> Condition {
        switch depth <= 0 ? 9 : values.number(0...11) {
        case 0, 1: return .not(condition(table, depth: depth - 1, variable: variable))
        case 2, 3, 4:
            return .and(
                (0..<values.number(2...3)).map { _ in
                    condition(table, depth: depth - 1, variable: variable)
                })
        case 5, 6, 7:
            return .or(
                (0..<values.number(2...4)).map { _ in
                    condition(table, depth: depth - 1, variable: variable)
                })
        case 8 where values.oneIn(4): return .constant(values.oneIn(2))
        case 10:
            return subquery(table, depth: depth - 1, variable: variable)
                ?? condition(table, depth: 0, variable: variable)
        case 11: return pathAgainstPath(table, variable) ?? condition(table, depth: 0, variable: variable)
        default: return .comparison(comparison(table, variable))
        }
    }

    /// Whether following many elements of many elements would take the model too long.
    private var isLarge: Bool { model.tables.contains { $0.rows.count > 100 } }

    private func root(_ variable: String?) -> PropertyPath.Root { variable.map { .variable($0) } ?? .object }

    // MARK: Paths

    /// A walk to a value: its steps, where it ends, and whether it crosses a collection.
    private struct Walk {
        var steps: [PropertyPath.Step] = []
        var table: Int
        var property: Int
        var crosses = false
    }

    private mutating func walk(_ table: Int, canCross: Bool) -> Walk {
        var table = table
        var result = Walk(table: table, property: 0)
        for depth in 0... {
            let known = model.tables[table].properties
            let mayCross = canCross && !(result.crosses && isLarge)
            let choice = known.indices.filter { mayCross || !known[$0].isCollection }
            let number = values.pick(Array(choice))
            let property = known[number]
            result.steps.append(.property(property.name))
            (result.table, result.property) = (table, number)
            if property.isCollection { result.crosses = true }
            guard let target = property.target, depth < 3, !values.oneIn(4) else { return result }
            table = target
        }
        return result
    }

    private func property(_ walk: Walk) -> ModelProperty {
        model.tables[walk.table].properties[walk.property]
    }

    // MARK: Comparisons with constants

    private mutating func comparison(_ table: Int, _ variable: String?) -> Comparison {
        if values.oneIn(20) { return selfComparison(table, variable) }
        var walk = walk(table, canCross: true)
        let end = property(walk)
        // An operator is asked of the last collection; it may stand behind others.
        if end.isCollection, values.oneIn(2) {
            walk.crosses = model.crosses(walk.steps.dropLast(), table)
            return aggregate(walk, end, variable)
        }
        let samples = samples(walk)
        let path = Operand.path(PropertyPath(root: root(variable), walk.steps))
        let quantifier: Comparison.Quantifier? = walk.crosses ? (values.oneIn(3) ? .all : .any) : nil
        if walk.crosses, values.oneIn(8) {
            let literal = values.oneIn(3) ? array(end.kind, samples) : literal(end.kind, samples)
            return Comparison(.literal(literal), .isIn, path)
        }
        let (relation, literal) = test(end.kind, samples)
        var options: Comparison.Options = []
        if [.string, .binary].contains(end.kind),
            ![.less, .lessOrEqual, .greater, .greaterOrEqual].contains(relation)
        {
            options = Comparison.Options(rawValue: UInt8(values.number(0...3)))
            if relation == .like { options.remove(.diacriticInsensitive) }
        }
        if literal.kind != .array, values.oneIn(4), let turned = Self.turned[relation] {
            return Comparison(.literal(literal), turned, path, options: options, quantifier: quantifier)
        }
        return Comparison(path, relation, .literal(literal), options: options, quantifier: quantifier)
    }

    private static let turned: [Comparison.Relation: Comparison.Relation] = [
        .equal: .equal, .notEqual: .notEqual, .less: .greater, .lessOrEqual: .greaterOrEqual,
        .greater: .less, .greaterOrEqual: .lessOrEqual,
    ]

    private mutating func selfComparison(_ table: Int, _ variable: String?) -> Comparison {
        let rows = model.tables[table].rows.map { ModelValue.object($0.key) }
        let path = Operand.path(PropertyPath(root: root(variable), []))
        let (relation, literal) = test(.link, rows)
        return Comparison(path, relation, .literal(literal))
    }

    private mutating func aggregate(_ walk: Walk, _ end: ModelProperty, _ variable: String?) -> Comparison {
        var steps = walk.steps
        var kind = ValueKind.int
        var candidates: [(number: Int?, kind: ValueKind)] = []
        let numbers: [ValueKind] = [.int, .float, .double, .decimal, .date]
        if let target = end.target {
            for (number, property) in model.tables[target].properties.enumerated()
            where !property.isCollection && numbers.contains(property.kind) {
                candidates.append((number, property.kind))
            }
        } else if numbers.contains(end.kind) {
            candidates.append((nil, end.kind))
        }
        var canBeNull = false
        if !candidates.isEmpty, !values.oneIn(3) {
            let of = values.pick(candidates)
            var operations: [PropertyPath.CollectionOperator] = [.min, .max]
            // The model adds no decimals: their exponents are far apart here.
            if of.kind != .date, of.kind != .decimal { operations += [.sum, .avg] }
            let operation = values.pick(operations)
            steps.append(.collection(operation))
            if let number = of.number, let target = end.target {
                steps.append(.property(model.tables[target].properties[number].name))
            }
            kind = of.kind
            if operation == .sum, kind == .float { kind = .double }
            if operation == .avg { kind = .double }
            canBeNull = operation != .sum
        } else {
            steps.append(.collection(.count))
        }
        var (relation, literal) = test(kind, kind == .int ? [.int(0), .int(1), .int(2)] : [])
        if !canBeNull, literal == .null { (relation, literal) = (.equal, values.value(kind).literal) }
        return Comparison(
            .path(PropertyPath(root: root(variable), steps)), relation, .literal(literal),
            quantifier: walk.crosses ? .any : nil)
    }

    // MARK: Constants

    /// Values that rows have at the end of a path.
    private func samples(_ walk: Walk) -> [ModelValue] {
        model.tables[walk.table].rows.prefix(40).flatMap { row -> [ModelValue] in
            switch row.cells[walk.property] {
            case .value(let value): [value]
            case .list(let values): Array(values.prefix(3))
            }
        }
    }

    private mutating func constant(_ kind: ValueKind, _ samples: [ModelValue]) -> ModelValue {
        if !samples.isEmpty, !values.oneIn(4) { return values.pick(samples) }
        if kind == .link { return values.oneIn(2) ? .null : .object(TestNames.missingObject) }
        return values.oneIn(10) ? .null : values.value(kind)
    }

    private mutating func literal(_ kind: ValueKind, _ samples: [ModelValue]) -> Literal {
        let numbers: [ValueKind] = [.int, .float, .double, .decimal]
        // A number of another kind.
        if numbers.contains(kind), values.oneIn(4) { return values.value(values.pick(numbers)).literal }
        return constant(kind, samples).literal
    }

    private mutating func array(_ kind: ValueKind, _ samples: [ModelValue]) -> Literal {
        let count = values.pick([0, 1, 2, 3, 12, 100])
        return .array((0..<count).map { _ in literal(kind, samples) })
    }

    private mutating func test(_ kind: ValueKind, _ samples: [ModelValue]) -> (Comparison.Relation, Literal) {
        let relation = values.pick(Self.relations(kind))
        switch relation {
        case .isIn: return (relation, array(kind, samples))
        case .between:
            var bounds = [literal(kind, samples), literal(kind, samples)]
            for place in bounds.indices where bounds[place] == .null {
                bounds[place] = values.value(kind).literal
            }
            return (relation, .array(bounds))
        case .beginsWith, .endsWith, .contains: return (relation, part(kind, samples).literal)
        case .like: return (relation, pattern(kind, samples).literal)
        default: return (relation, literal(kind, samples))
        }
    }

    static func relations(_ kind: ValueKind) -> [Comparison.Relation] {
        switch kind {
        case .bool, .objectId, .uuid, .link, .backlinks: [.equal, .notEqual, .isIn]
        case .int, .float, .double, .date, .decimal:
            [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn]
        case .string, .binary:
            [
                .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .beginsWith,
                .endsWith, .contains, .like,
            ]
        }
    }

    /// A piece of a text that is there: of a string whole scalars.
    private mutating func part(_ kind: ValueKind, _ samples: [ModelValue]) -> ModelValue {
        switch constant(kind, samples) {
        case .string(let bytes):
            let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[range(scalars.count)])
            return .text(String(text))
        case .binary(let bytes): return .binary(Array(bytes[range(bytes.count)]))
        case let other: return other
        }
    }

    private mutating func range(_ count: Int) -> Range<Int> {
        let start = values.oneIn(2) ? 0 : values.number(0...count)
        return start..<(values.oneIn(2) ? count : values.number(start...count))
    }

    private mutating func pattern(_ kind: ValueKind, _ samples: [ModelValue]) -> ModelValue {
        switch part(kind, samples) {
        case .string(let bytes):
            var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
            for place in scalars.indices where values.oneIn(3) { scalars[place] = values.pick(["?", "*"]) }
            if values.oneIn(2) { scalars.append("*") }
            if values.oneIn(2) { scalars.insert("*", at: 0) }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return .text(String(text))
        case .binary(var bytes):
            for place in bytes.indices where values.oneIn(3) { bytes[place] = values.pick([0x2A, 0x3F]) }
            return .binary((values.oneIn(2) ? [0x2A] : []) + bytes + (values.oneIn(2) ? [0x2A] : []))
        case let other: return other
        }
    }

    /// A comparison of a value of a list, which is SELF.
    mutating func elementComparison(_ kind: ValueKind, _ samples: [ModelValue]) -> Comparison {
        let (relation, literal) = test(kind, samples)
        return Comparison(.path(PropertyPath([])), relation, .literal(literal))
    }

    // MARK: Sub-queries, and two properties

    private mutating func subquery(_ table: Int, depth: Int, variable: String?) -> Condition? {
        let walk = walk(table, canCross: true)
        let end = property(walk)
        guard end.isCollection, let target = end.target, !model.crosses(walk.steps.dropLast(), table) else {
            return nil
        }
        let name = "v\(depth)\(variable ?? "")"
        let subquery = Subquery(
            PropertyPath(root: root(variable), walk.steps), name,
            condition(target, depth: isLarge ? 0 : min(depth, 2), variable: name))
        var (relation, literal) = test(.int, [.int(0), .int(1), .int(2)])
        if literal == .null { (relation, literal) = (.greater, .int(0)) }
        return .comparison(
            Comparison(
                .path(PropertyPath(root: .subquery(subquery), [.collection(.count)])), relation,
                .literal(literal)))
    }

    private mutating func pathAgainstPath(_ table: Int, _ variable: String?) -> Condition? {
        let left = walk(table, canCross: false)
        let kind = property(left).kind
        for _ in 0..<20 {
            let right = walk(table, canCross: false)
            guard property(right).kind == kind, property(right).target == property(left).target else {
                continue
            }
            let relation = values.pick(Self.relations(kind).filter { $0 != .isIn && $0 != .between })
            var options: Comparison.Options = []
            if [.string, .binary].contains(kind), values.oneIn(3),
                [.equal, .notEqual, .contains].contains(relation)
            {
                options = .caseInsensitive
            }
            return .comparison(
                Comparison(
                    .path(PropertyPath(root: root(variable), left.steps)), relation,
                    .path(PropertyPath(root: root(variable), right.steps)), options: options))
        }
        return nil
    }
}

extension Model {
    /// Whether steps cross a collection.
    func crosses(_ steps: ArraySlice<PropertyPath.Step>, _ table: Int) -> Bool {
        var table = table
        for case .property(let name) in steps {
            guard let number = tables[table].property(name) else { return false }
            let property = tables[table].properties[number]
            if property.isCollection { return true }
            table = property.target ?? table
        }
        return false
    }
}
