package import CairnPredicate
package import CairnStorage

/// Binds a predicate's tree to the classes of a file: names become columns, constants become tests of the
/// column's kind, and what cannot be asked is refused with a sentence.
package struct ConditionBinder {
    let schema: Schema
    let names: any QueryNames
    /// How many sub-queries are around what is bound.
    var subqueryDepth = 0

    package init(_ schema: Schema, _ names: any QueryNames) {
        self.schema = schema
        self.names = names
    }

    /// What a path begins at.
    struct Scope {
        let table: SpaceID
        /// The name of the element within a sub-query; nil outside.
        var variable: String?
    }

    /// Binds a condition on the objects of a class.
    package func bind(_ condition: Condition, to table: SpaceID) throws(QueryError) -> BoundCondition {
        try bind(condition, Scope(table: table))
    }

    func bind(_ condition: Condition, _ scope: Scope) throws(QueryError) -> BoundCondition {
        switch condition {
        case .constant(let value): return .constant(value)
        case .not(let inner): return .negation(of: try bind(inner, scope))
        case .and(let parts):
            var bound: [BoundCondition] = []
            for part in parts { bound.append(try bind(part, scope)) }
            return .allOf(bound)
        case .or(let parts):
            var bound: [BoundCondition] = []
            bound.reserveCapacity(parts.count)
            for part in parts { bound.append(try bind(part, scope)) }
            return .anyOf(bound)
        case .comparison(let comparison): return try bind(comparison, scope)
        }
    }

    private func bind(_ comparison: Comparison, _ scope: Scope) throws(QueryError) -> BoundCondition {
        if comparison.relation == .matches {
            throw QueryError(
                .unsupportedOperator,
                "MATCHES is not supported. LIKE has ? and *, and CONTAINS is there too.",
                comparison.place)
        }
        let left = try simplified(comparison.left, comparison.place)
        let right = try simplified(comparison.right, comparison.place)
        switch (left, right) {
        case (.path(let path), .constant(let literal)):
            return try bind(path, comparison.relation, literal, comparison, scope)
        case (.constant(let literal), .path(let path)):
            return try bindTurned(literal, path, comparison, scope)
        case (.path(let left), .path(let right)):
            return try bind(left, right, comparison, scope)
        case (.constant, .constant):
            throw QueryError(
                .unsupported, "A comparison needs a property on one of its sides.", comparison.place)
        }
    }

    // MARK: Operands

    enum Side {
        case path(PropertyPath)
        case constant(Literal)
    }

    private func simplified(_ operand: Operand, _ place: Place) throws(QueryError) -> Side {
        switch operand {
        case .literal(let literal): return .constant(literal)
        case .path(let path):
            if case .call(let call) = path.root {
                throw QueryError(.unsupported, "The function \(call.name) is not supported.", path.place)
            }
            return .path(path)
        case .aggregate:
            throw QueryError(
                .unsupported, "A collection in braces holds constants only, not properties.", place)
        case .negation, .arithmetic:
            throw QueryError(.unsupported, "Arithmetic is not supported in predicates.", place)
        }
    }

    // MARK: A constant on the left

    private func bindTurned(
        _ literal: Literal, _ path: PropertyPath, _ comparison: Comparison, _ scope: Scope
    ) throws(QueryError) -> BoundCondition {
        if comparison.relation == .isIn {
            return try bindMembership(of: literal, in: path, comparison, scope)
        }
        guard let turned = ElementCondition.turned(comparison.relation) else {
            throw QueryError(
                .unsupportedOperator,
                "\(comparison.relation.rawValue) wants its property on the left and the constant on the right.",
                comparison.place)
        }
        return try bind(path, turned, literal, comparison, scope)
    }

    /// `value IN list` is `ANY list == value`; `{many} IN list` is `ANY list IN {many}`, as in Realm. Options
    /// are dropped, as there.
    private func bindMembership(
        of literal: Literal, in path: PropertyPath, _ comparison: Comparison, _ scope: Scope
    ) throws(QueryError) -> BoundCondition {
        var any = comparison
        any.quantifier = comparison.quantifier ?? .any
        any.options = []
        if case .array = literal { return try bind(path, .isIn, literal, any, scope) }
        return try bind(path, .equal, literal, any, scope)
    }

    // MARK: A path and a constant

    private func bind(
        _ path: PropertyPath, _ relation: Comparison.Relation, _ literal: Literal, _ comparison: Comparison,
        _ scope: Scope
    ) throws(QueryError) -> BoundCondition {
        let asked = AskedTest(
            relation: relation, literal: literal, options: comparison.options,
            quantifier: comparison.quantifier, place: path.place)
        if case .subquery(let subquery) = path.root {
            return try bind(subquery, path.steps[...], asked, scope)
        }
        try check(path, scope)
        if path.steps.isEmpty {
            try asked.refuseQuantifier()
            return try bindSelf(asked, scope)
        }
        let bound = try bind(path.steps[...], asked, scope.table)
        if comparison.quantifier != nil, !bound.crossesCollection {
            throw QueryError(
                .quantifier,
                "\(comparison.quantifier?.rawValue ?? "ANY") needs a path that crosses a collection.",
                comparison.place)
        }
        return bound.condition
    }

    /// Whether the path begins at what the scope is about.
    func check(_ path: PropertyPath, _ scope: Scope) throws(QueryError) {
        switch path.root {
        case .object:
            guard let variable = scope.variable else { return }
            throw QueryError(
                .unsupported,
                "Within SUBQUERY every path begins with $\(variable): properties of the object outside cannot be used.",
                path.place)
        case .variable(let name):
            guard name == scope.variable else {
                let known = scope.variable.map { ", only of $\($0)" } ?? ": only SUBQUERY has variables"
                throw QueryError(.unsupported, "Nothing is known of $\(name)\(known).", path.place)
            }
        case .subquery:
            throw QueryError(
                .unsupported, "A SUBQUERY is followed by .@count, which is compared with a number.",
                path.place)
        case .call(let call):
            throw QueryError(.unsupported, "The function \(call.name) is not supported.", path.place)
        }
    }

    /// `SELF == object`, `$d IN objects`.
    private func bindSelf(_ asked: AskedTest, _ scope: Scope) throws(QueryError) -> BoundCondition {
        let maker = ValueTestMaker(
            kind: .link, subject: { names.className(of: scope.table) }, place: asked.place
        ) { number throws(QueryError) in try names.row(ofObject: number, in: scope.table) }
        let test = try maker.make(asked.relation, asked.literal, asked.options)
        var rows: [RowKey] = []
        if case .words(let words) = test.kind { rows = Set(words).map { RowKey($0 - 1) }.sorted() }
        // The object itself is never nil.
        return test.isNegated ? .negation(of: .rows(rows)) : rows.isEmpty ? .constant(false) : .rows(rows)
    }

    private func bind(
        _ subquery: Subquery, _ steps: ArraySlice<PropertyPath.Step>, _ asked: AskedTest, _ scope: Scope
    ) throws(QueryError) -> BoundCondition {
        guard steps.count == 1, steps.first == .collection(.count) else {
            throw QueryError(
                .unsupported, "A SUBQUERY is followed by .@count, which is compared with a number.",
                asked.place)
        }
        try asked.refuseQuantifier()
        try check(subquery.collection, scope)
        var steps = subquery.collection.steps
        steps.append(.collection(.count))
        return try bind(steps[...], asked, scope.table, matching: subquery).condition
    }
}
