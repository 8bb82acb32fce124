import CairnPredicate
import TestSupport

/// Makes canonical trees: such as the parser makes.
struct RandomTrees {
    var chance: SeededGenerator

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    mutating func condition(_ depth: Int) -> Condition {
        switch depth == 0 ? 0 : number(below: 7) {
        case 1: return .not(condition(depth - 1))
        case 2, 3: return .and(many(2...4) { $0.condition(depth - 1) })
        case 4, 5: return .or(many(2...4) { $0.condition(depth - 1) })
        case 6: return .constant(chance.next() & 1 == 0)
        default: return .comparison(comparison(depth))
        }
    }

    mutating func comparison(_ depth: Int) -> Comparison {
        Comparison(
            operand(depth), pick(Comparison.Relation.allCases), operand(depth),
            options: Comparison.Options(rawValue: UInt8(number(below: 4))),
            quantifier: pick([nil, nil, nil, .any, .all]))
    }

    mutating func operand(_ depth: Int) -> Operand {
        switch depth == 0 ? number(below: 5) : number(below: 9) {
        case 0...2: return .path(path(depth))
        case 3, 4: return .literal(literal(depth))
        case 5:
            var elements = many(0...3) { $0.operand(depth - 1) }
            elements.insert(.path(path(depth - 1)), at: number(below: elements.count + 1))
            return .aggregate(elements)
        case 6:
            let inner = operand(depth - 1)
            // The negative of a number literal is a literal.
            switch inner.literal?.kind {
            case .int where inner != .literal(.int(.min)): return .path(path(depth))
            case .float, .double: return .path(path(depth))
            default: return .negation(inner)
            }
        default:
            return .arithmetic(
                operand(depth - 1), pick(Operand.ArithmeticOperator.allCases), operand(depth - 1))
        }
    }

    mutating func path(_ depth: Int) -> PropertyPath {
        let root: PropertyPath.Root
        switch depth <= 0 ? number(below: 4) : number(below: 7) {
        case 0...2: root = .object
        case 3: root = .variable(pick(Self.plainNames))
        case 4: root = .call(FunctionCall(pick(Self.callNames), many(0...3) { $0.operand(depth - 1) }))
        default: root = .subquery(Subquery(path(depth - 1), pick(Self.plainNames), condition(depth - 1)))
        }
        return PropertyPath(root: root, many(0...3) { $0.step() })
    }

    mutating func step() -> PropertyPath.Step {
        switch number(below: 10) {
        case 0: .collection(pick(PropertyPath.CollectionOperator.allCases))
        case 1: .key(pick(Self.strings))
        case 2: .index(number(below: 1000))
        case 3: .anyElement
        default: .property(pick(Self.plainNames + Self.oddNames))
        }
    }

    mutating func literal(_ depth: Int) -> Literal {
        switch depth <= 0 ? number(below: 12) : number(below: 14) {
        case 0: .null
        case 1: .bool(chance.next() & 1 == 0)
        case 2: .int(pick([0, 1, -1, .min, .max, Int64(truncatingIfNeeded: chance.next())]))
        case 3: .float(Float(bitPattern: UInt32(truncatingIfNeeded: chance.next())))
        case 4: .double(pick([0, -0.0, .nan, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude, 0.1]))
        case 5: .double(Double(bitPattern: chance.next()))
        case 6: .string(pick(Self.strings))
        case 7: .bytes(many(0...20) { UInt8(truncatingIfNeeded: $0.chance.next()) })
        case 8: .date(pick([0, -1.5, 1e9, .nan]))
        case 9: .objectID(high: chance.next(), low: UInt32(truncatingIfNeeded: chance.next()))
        case 10: pick([.uuid(high: chance.next(), low: 0), .decimal(high: 0, low: chance.next())])
        case 11: .object(chance.next())
        default: .array(many(0...3) { $0.literal(depth - 1) })
        }
    }

    private static let plainNames = [
        "age", "name", "_id", "owner2", "größe", "🐕", "first", "size", "e\u{301}",
    ]
    private static let oddNames = [
        "in", "ANY", "Self", "like", "trUe", "two words", "2nd", "a-b", "it's", "%@", "#any", "x[0]",
    ]
    private static let callNames = ["FUNCTION", "cast", "f", "größe"]
    private static let strings = [
        "", "Rex", "a\"b'c\\ %@ $0 {1}", "\n\r\t\0", "é", "e\u{301}", "👨‍👩‍👧 🚀", "%K %% @count", "\u{FFFD}",
        "#any",
    ]

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &chance) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

    mutating func many<Element>(
        _ counts: ClosedRange<Int>, _ make: (inout RandomTrees) -> Element
    ) -> [Element] {
        (0..<Int.random(in: counts, using: &chance)).map { _ in make(&self) }
    }
}
