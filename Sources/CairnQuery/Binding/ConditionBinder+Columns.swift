internal import CairnPredicate
internal import CairnStorage

/// Comparisons of two properties.
extension ConditionBinder {
    func bind(
        _ left: PropertyPath, _ right: PropertyPath, _ comparison: Comparison, _ scope: Scope
    ) throws(QueryError) -> BoundCondition {
        let place = comparison.place
        if let quantifier = comparison.quantifier {
            throw QueryError(
                .quantifier,
                "\(quantifier.rawValue) cannot compare two properties. Compare one with a constant, or use SUBQUERY.",
                place)
        }
        let leftSide = try scalar(left, scope)
        let rightSide = try scalar(right, scope)
        if leftSide.isCalculated && rightSide.isCalculated {
            throw QueryError(
                .collectionOperator, "Only one side of a comparison may be calculated from a collection.",
                place)
        }
        guard let relation = ScalarRelation(rawValue: comparison.relation.rawValue) else {
            throw QueryError(
                .unsupportedOperator, "\(comparison.relation.rawValue) needs constants on its right side.",
                place)
        }
        try checkTypes(leftSide, relation, rightSide, comparison)
        let folding = TextFolding(comparison.options, of: leftSide.kind)
        return .comparison(leftSide.path, relation, rightSide.path, folding)
    }

    private struct ScalarSide {
        let path: ScalarPath
        let kind: ValueKind
        /// The class that a link leads to.
        let target: SpaceID?
        let description: String

        var isCalculated: Bool {
            switch path.leaf {
            case .column, .row: false
            case .count, .aggregate: true
            }
        }
    }

    private func scalar(_ path: PropertyPath, _ scope: Scope) throws(QueryError) -> ScalarSide {
        try check(path, scope)
        var table = scope.table
        var links: [BoundLink] = []
        var steps = path.steps[...]
        guard !steps.isEmpty else {
            return ScalarSide(
                path: ScalarPath(links: [], leaf: .row), kind: .link, target: table,
                description: names.className(of: table))
        }
        while let step = steps.popFirst() {
            guard case .property(let name) = step else {
                throw QueryError(
                    .unsupported, "Brackets and operators follow a map or a collection.", path.place)
            }
            let property = try resolve(name, table, path.place)
            if case .collection(let operation)? = steps.first {
                guard property.isCollection else {
                    throw QueryError(
                        .collectionOperator,
                        "@\(operation.rawValue) follows a collection, and \(property.description) is none.",
                        path.place)
                }
                let leaf = try collectionLeaf(operation, steps.dropFirst(), property, nil, path.place)
                return ScalarSide(
                    path: ScalarPath(links: links, leaf: leaf), kind: try resultKind(of: leaf, property),
                    target: nil, description: "\(property.description).@\(operation.rawValue)")
            }
            guard !property.isCollection else {
                throw QueryError(
                    .quantifier,
                    "\(property.description) is a collection, which cannot be compared with another property.",
                    path.place)
            }
            if steps.isEmpty {
                return ScalarSide(
                    path: ScalarPath(links: links, leaf: .column(property.column.id)),
                    kind: property.column.kind,
                    target: property.target, description: property.description)
            }
            guard property.column.kind == .link, let target = property.target else {
                throw QueryError(
                    .unknownProperty,
                    "\(property.description) is \(TypeNames.name(of: property.column.kind)) and has no properties.",
                    path.place)
            }
            links.append(BoundLink(column: property.column.id, target: target))
            table = target
        }
        preconditionFailure("a path without an end was followed")
    }

    private func checkTypes(
        _ left: ScalarSide, _ relation: ScalarRelation, _ right: ScalarSide, _ comparison: Comparison
    ) throws(QueryError) {
        let numbers: Set<ValueKind> = [.int, .float, .double, .decimal]
        let areNumbers = numbers.contains(left.kind) && numbers.contains(right.kind)
        let areSame = left.kind == right.kind && left.target == right.target
        // Realm wants one type; numbers that a collection gives may be compared with any number.
        guard areSame || (areNumbers && (left.isCalculated || right.isCalculated)) else {
            throw QueryError(
                .typeMismatch,
                """
                Property type mismatch: \(left.description) is \(TypeNames.name(of: left.kind)) and \
                \(right.description) is \(TypeNames.name(of: right.kind)).
                """, comparison.place)
        }
        let maker = ValueTestMaker(kind: left.kind, subject: { left.description }, place: comparison.place) {
            _ in
            nil
        }
        try maker.checkOperator(comparison.relation, comparison.options)
    }
}
