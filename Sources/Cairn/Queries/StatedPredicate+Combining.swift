internal import CairnPredicate

// Several predicates as one. Each has numbered its objects and knows its places in its own text: both are
// moved on to where they are in the whole.
extension StatedPredicate {
    /// The parts joined to one condition, and their texts to one text if all have one.
    ///
    /// - Complexity: O(size of the parts).
    static func combined(
        _ parts: [StatedPredicate], _ connective: String, empty: String, _ join: ([Condition]) -> Condition
    ) -> StatedPredicate {
        if parts.count == 1 { return parts[0] }
        var conditions: [Condition] = []
        var values = PredicateArguments()
        var text = ""
        for part in parts {
            if !text.isEmpty { text += connective }
            text += "("
            let numbers = part.objects.map { values.number(of: $0) }
            conditions.append(PredicateMove(numbers: numbers, bytes: text.utf8.count).moved(part.condition))
            text += (part.text ?? "") + ")"
        }
        let isText = parts.allSatisfy { $0.text != nil }
        return StatedPredicate(
            condition: join(conditions), objects: values.objects,
            text: isText ? (parts.isEmpty ? empty : text) : nil
        )
    }

    /// The opposite.
    func negated() -> StatedPredicate {
        let beginning = "NOT ("
        let move = PredicateMove(numbers: [], bytes: beginning.utf8.count)
        return StatedPredicate(
            condition: .not(move.moved(condition)), objects: objects, text: text.map { beginning + $0 + ")" })
    }
}

/// Moves a tree into a greater one.
struct PredicateMove {
    /// The new numbers of its objects, by the old ones; empty where they stay.
    let numbers: [UInt64]
    /// How much further on it stands in the text.
    let bytes: Int

    func moved(_ condition: Condition) -> Condition {
        switch condition {
        case .constant: condition
        case .comparison(let comparison): .comparison(moved(comparison))
        case .not(let part): .not(moved(part))
        case .and(let parts): .and(parts.map { moved($0) })
        case .or(let parts): .or(parts.map { moved($0) })
        }
    }

    private func moved(_ comparison: Comparison) -> Comparison {
        Comparison(
            moved(comparison.left), comparison.relation, moved(comparison.right), options: comparison.options,
            quantifier: comparison.quantifier, place: moved(comparison.place))
    }

    private func moved(_ operand: Operand) -> Operand {
        switch operand {
        case .literal(let literal): .literal(moved(literal))
        case .path(let path): .path(moved(path))
        case .aggregate(let operands): .aggregate(operands.map { moved($0) })
        case .negation(let operand): .negation(moved(operand))
        case .arithmetic(let left, let symbol, let right): .arithmetic(moved(left), symbol, moved(right))
        }
    }

    func moved(_ path: PropertyPath) -> PropertyPath {
        let root: PropertyPath.Root =
            switch path.root {
            case .object, .variable: path.root
            case .subquery(let subquery):
                .subquery(
                    Subquery(moved(subquery.collection), subquery.variable, moved(subquery.condition)))
            case .call(let call): .call(FunctionCall(call.name, call.arguments.map { moved($0) }))
            }
        return PropertyPath(root: root, path.steps, place: moved(path.place))
    }

    private func moved(_ literal: Literal) -> Literal {
        switch literal {
        case .object(let number) where !numbers.isEmpty: .object(numbers[Int(number)])
        case .array(let elements) where !numbers.isEmpty: .array(elements.map { moved($0) })
        default: literal
        }
    }

    private func moved(_ place: Place) -> Place {
        Place(place.range.map { ($0.lowerBound + bytes)..<($0.upperBound + bytes) })
    }
}
