import CairnPredicate

/// A tree as the scripts show it: each node in parentheses, its kind first.
///
/// It is written apart from the printer of the target, so that a mistake in that one shows.
enum TreeOutline {
    static func of(_ condition: Condition) -> String {
        switch condition {
        case .constant(let value): "(always \(value))"
        case .not(let part): "(not \(of(part)))"
        case .and(let parts): "(and \(parts.map(of).joined(separator: " ")))"
        case .or(let parts): "(or \(parts.map(of).joined(separator: " ")))"
        case .comparison(let comparison): of(comparison)
        }
    }

    static func of(_ comparison: Comparison) -> String {
        let quantifier = comparison.quantifier.map { "\($0) " } ?? ""
        var options = ""
        if comparison.options.contains(.caseInsensitive) { options += "/c" }
        if comparison.options.contains(.diacriticInsensitive) { options += "/d" }
        return
            "(\(quantifier)\(comparison.relation)\(options) \(of(comparison.left)) \(of(comparison.right)))"
    }

    static func of(_ operand: Operand) -> String {
        switch operand {
        case .literal(let literal): of(literal)
        case .path(let path): of(path)
        case .aggregate(let operands): "{\(operands.map(of).joined(separator: ", "))}"
        case .negation(let operand): "(negation \(of(operand)))"
        case .arithmetic(let left, let symbol, let right): "(\(symbol) \(of(left)) \(of(right)))"
        }
    }

    static func of(_ path: PropertyPath) -> String {
        let root =
            switch path.root {
            case .object: "self"
            case .variable(let name): "$\(name)"
            case .call(let call): "(call \(([call.name] + call.arguments.map(of)).joined(separator: " ")))"
            case .subquery(let subquery):
                "(subquery \(of(subquery.collection)) $\(subquery.variable) \(of(subquery.condition)))"
            }
        return root + path.steps.map(of).joined()
    }

    private static func of(_ step: PropertyPath.Step) -> String {
        switch step {
        case .property(let name): ".\(name)"
        case .collection(let name): ".@\(name)"
        case .key(let key): "[\(key.debugDescription)]"
        case .index(let index): "[\(index)]"
        case .anyElement: "[any]"
        }
    }

    static func of(_ literal: Literal) -> String {
        switch literal {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .float(let value): "float:\(value)"
        case .double(let value): "double:\(value)"
        case .string(let value): value.debugDescription
        case .bytes(let value): "bytes:\(value)"
        case .date(let value): "date:\(value)"
        case .objectID(let high, let low): "objectID:\(high):\(low)"
        case .uuid(let high, let low): "uuid:\(high):\(low)"
        case .decimal(let high, let low): "decimal:\(high):\(low)"
        case .object(let number): "object:\(number)"
        case .array(let elements): "[\(elements.map(of).joined(separator: ", "))]"
        }
    }
}
