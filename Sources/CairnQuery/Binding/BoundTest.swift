internal import CairnPredicate

/// A test of one value, with how it was written, for `explain`.
package struct BoundTest: Sendable {
    let test: ValueTest
    private let origin: Origin

    /// What it comes from. Made into words only when somebody asks: a query is bound far more often than explained.
    private indirect enum Origin: Sendable {
        case asked(AskedTest)
        case negated(Origin)
        /// An IN made of several equalities.
        case merged(Int)

        var text: String {
            switch self {
            case .asked(let asked): asked.text
            case .negated(let inner): "NOT " + inner.text
            case .merged(let count): "IN \(count) values"
            }
        }
    }

    init(_ test: ValueTest, _ asked: AskedTest) {
        self.test = test
        origin = .asked(asked)
    }

    /// - Parameter count: how many equalities it stands for.
    init(merging count: Int, into test: ValueTest) {
        self.test = test
        origin = .merged(count)
    }

    private init(_ test: ValueTest, _ origin: Origin) {
        self.test = test
        self.origin = origin
    }

    var inverted: BoundTest { BoundTest(test.inverted, .negated(origin)) }

    /// As it was written, without what it is asked of: `> 3`.
    var text: String { origin.text }
}

extension BoundTest: Hashable {
    /// Whether they ask the same, however it was written.
    package static func == (left: BoundTest, right: BoundTest) -> Bool { left.test == right.test }

    package func hash(into hasher: inout Hasher) { hasher.combine(test) }
}

/// What is asked of the value at the end of a path.
struct AskedTest: Sendable {
    let relation: Comparison.Relation
    let literal: Literal
    let options: Comparison.Options
    let quantifier: Comparison.Quantifier?
    let place: Place

    func refuseQuantifier() throws(QueryError) {
        guard let quantifier else { return }
        throw QueryError(
            .quantifier, "\(quantifier.rawValue) needs a path that crosses a collection.", place)
    }

    /// As it was written, but for the path.
    var text: String {
        if case .array(let members) = literal, members.count > 8 {
            return "\(relation.rawValue) \(members.count) values"
        }
        let right = Condition.comparison(
            Comparison(.path(PropertyPath([.property("x")])), relation, .literal(literal), options: options))
        return String(right.description.dropFirst(2).prefix(80))
    }
}
