internal import CairnPredicate
internal import CairnStorage

/// Following paths, step by step, to the value that a test is about.
extension ConditionBinder {
    /// A condition that was bound along a path.
    struct BoundPath {
        var condition: BoundCondition
        /// What it gives where a link on the way to it is nil.
        var whenNil: Bool
        var crossesCollection = false
    }

    /// - Parameter subquery: whose elements the `@count` at the end counts.
    func bind(
        _ steps: ArraySlice<PropertyPath.Step>, _ asked: AskedTest, _ table: SpaceID,
        matching subquery: Subquery? = nil
    ) throws(QueryError) -> BoundPath {
        guard let step = steps.first else { preconditionFailure("a path that has ended was followed") }
        let name = try propertyName(step, asked.place)
        let property = try resolve(name, table, asked.place)
        let rest = steps.dropFirst()
        if case .collection(let operation)? = rest.first {
            return try bind(operation, rest.dropFirst(), of: property, asked, subquery)
        }
        if property.isCollection { return try crossing(property, rest, asked, subquery) }
        guard !rest.isEmpty else {
            let test = try test(property.column.kind, property, asked)
            return BoundPath(
                condition: .value(property.column.id, bound(test, asked)), whenNil: test.acceptsNull)
        }
        guard property.column.kind == .link, let target = property.target else {
            throw QueryError(
                .unknownProperty,
                "\(property.description) is \(TypeNames.name(of: property.column.kind)) and has no properties.",
                asked.place)
        }
        let inner = try bind(rest, asked, target, matching: subquery)
        return BoundPath(
            condition: .link(property.column.id, target: target, inner.condition, whenNil: inner.whenNil),
            whenNil: inner.whenNil, crossesCollection: inner.crossesCollection)
    }

    private func propertyName(_ step: PropertyPath.Step, _ place: Place) throws(QueryError) -> String {
        switch step {
        case .property(let name): return name
        case .collection(let operation):
            throw QueryError(
                .collectionOperator,
                "@\(operation.rawValue) follows a collection, as in list.@\(operation.rawValue).",
                place)
        case .key, .index, .anyElement:
            throw QueryError(
                .unsupported, "Brackets after a path are for maps and AnyRealmValue, which this is not.",
                place)
        }
    }

    /// A property, with what binding needs to know of it.
    struct ResolvedProperty {
        /// A hidden one for linking objects.
        let column: ColumnDefinition
        /// The class linked to, or linking here.
        let target: SpaceID?
        let names: any QueryNames
        let table: SpaceID
        let name: String

        /// `Dog.age`. Made only for messages.
        var description: String { "\(names.className(of: table)).\(name)" }

        var isCollection: Bool { column.collection == .list || column.kind == .backlinks }

        var elements: BoundElements { BoundElements(column: column.id, target: target) }
    }

    func resolve(_ name: String, _ table: SpaceID, _ place: Place) throws(QueryError) -> ResolvedProperty {
        switch names.property(name, of: table) {
        case .column(let id):
            if let position = schema[table]?.position(of: id), let definition = schema[table] {
                let column = definition.columns[position]
                return ResolvedProperty(
                    column: column, target: column.target, names: names, table: table, name: name)
            }
        case .backlinks(let origin, let link):
            if let place = schema[origin]?.position(of: link),
                let mirror = schema[origin]?.columns[place].backlinkColumn,
                let position = schema[table]?.position(of: mirror), let definition = schema[table]
            {
                return ResolvedProperty(
                    column: definition.columns[position], target: origin, names: names, table: table,
                    name: name)
            }
        case nil: break
        }
        throw unknown(name, table, place)
    }

    private func unknown(_ name: String, _ table: SpaceID, _ place: Place) -> QueryError {
        let known = names.propertyNames(of: table)
        let advice =
            NearestName.find(name, in: known).map { " Did you mean '\($0)'?" }
            ?? (known.isEmpty ? "" : " It has \(known.sorted().joined(separator: ", ")).")
        return QueryError(
            .unknownProperty, "The class \(names.className(of: table)) has no property '\(name)'.\(advice)",
            place)
    }

    func test(
        _ kind: ValueKind, _ property: ResolvedProperty, _ asked: AskedTest
    ) throws(QueryError) -> ValueTest {
        let maker = ValueTestMaker(kind: kind, subject: { property.description }, place: asked.place) {
            number throws(QueryError) in
            guard let target = property.target else { return nil }
            return try names.row(ofObject: number, in: target)
        }
        return try maker.make(asked.relation, asked.literal, asked.options)
    }

    func bound(_ test: ValueTest, _ asked: AskedTest) -> BoundTest {
        BoundTest(test, asked)
    }

    // MARK: Collections

    private func crossing(
        _ property: ResolvedProperty, _ rest: ArraySlice<PropertyPath.Step>, _ asked: AskedTest,
        _ subquery: Subquery?
    ) throws(QueryError) -> BoundPath {
        if subquery != nil {
            throw QueryError(
                .unsupported,
                "The collection of a SUBQUERY is the last step of its path, and the only collection on it.",
                asked.place)
        }
        guard let quantifier = asked.quantifier else {
            throw QueryError(
                .quantifier,
                "\(property.description) is a collection: write ANY, NONE or ALL before the comparison, or use @count.",
                asked.place)
        }
        let isAll = quantifier == .all
        let condition: BoundCondition
        if rest.isEmpty, property.column.kind != .link, property.column.kind != .backlinks {
            let test = try test(property.column.kind, property, asked)
            condition = .anyValue(property.column.id, bound(isAll ? test.inverted : test, asked))
        } else if rest.isEmpty {
            guard let target = property.target else { throw unlinked(property, asked) }
            let test = try test(.link, property, asked)
            let inner = Self.rows(test)
            _ = target
            condition = .anyElement(property.elements, isAll ? .negation(of: inner) : inner)
        } else {
            guard let target = property.target else { throw unlinked(property, asked) }
            let inner = try bind(rest, asked, target).condition
            condition = .anyElement(property.elements, isAll ? .negation(of: inner) : inner)
        }
        // Of no elements none fits, and all do.
        return BoundPath(
            condition: isAll ? .negation(of: condition) : condition, whenNil: isAll, crossesCollection: true)
    }

    private func unlinked(_ property: ResolvedProperty, _ asked: AskedTest) -> QueryError {
        QueryError(
            .unknownProperty,
            "The elements of \(property.description) are values without properties.", asked.place)
    }

    /// A test of a link, as a condition on the row that it leads to.
    private static func rows(_ test: ValueTest) -> BoundCondition {
        var rows: [RowKey] = []
        if case .words(let words) = test.kind { rows = Set(words).map { RowKey($0 - 1) }.sorted() }
        let condition: BoundCondition = rows.isEmpty ? .constant(false) : .rows(rows)
        return test.isNegated
            ? .negation(of: condition) : test.kind == .everything ? .constant(true) : condition
    }

    // MARK: Operators of collections

    private func bind(
        _ operation: PropertyPath.CollectionOperator, _ rest: ArraySlice<PropertyPath.Step>,
        of property: ResolvedProperty, _ asked: AskedTest, _ subquery: Subquery?
    ) throws(QueryError) -> BoundPath {
        guard property.isCollection else {
            throw QueryError(
                .collectionOperator,
                "@\(operation.rawValue) follows a collection, and \(property.description) is none.",
                asked.place)
        }
        // ANY before it may be about a collection earlier on the path; the binder of that one has seen to it.
        let leaf = try collectionLeaf(operation, rest, property, subquery, asked.place)
        let kind = try resultKind(of: leaf, property)
        let maker = ValueTestMaker(
            kind: kind, subject: { "\(property.description).@\(operation.rawValue)" }, place: asked.place
        ) { _ in nil }
        if case .null = asked.literal, operation == .count || operation == .sum {
            throw QueryError(
                .typeMismatch, "@\(operation.rawValue) is never nil.", asked.place)
        }
        let test = try maker.make(asked.relation, asked.literal, [])
        switch leaf {
        case .count(let elements, let inner):
            // Where a link on the way is nil there is nothing to count.
            return BoundPath(
                condition: .count(elements, matching: inner, bound(test, asked)),
                whenNil: ValueMatcher(test).matches(count: 0))
        case .aggregate(let aggregate):
            let whenNil =
                aggregate.operation == .sum ? ValueMatcher(test).matchesZero(kind) : test.acceptsNull
            return BoundPath(condition: .aggregate(aggregate, bound(test, asked)), whenNil: whenNil)
        case .column, .row: preconditionFailure("an operator of a collection gave a column")
        }
    }

    /// The value of `list.@count`, `list.@sum`, `list.@max.age`.
    func collectionLeaf(
        _ operation: PropertyPath.CollectionOperator, _ rest: ArraySlice<PropertyPath.Step>,
        _ property: ResolvedProperty, _ subquery: Subquery?, _ place: Place
    ) throws(QueryError) -> ScalarPath.Leaf {
        switch operation {
        case .count:
            guard rest.isEmpty else {
                throw QueryError(.collectionOperator, "@count is the last step of its path.", place)
            }
            guard let subquery else { return .count(property.elements, matching: nil) }
            guard let target = property.target else {
                throw QueryError(
                    .unsupported,
                    "SUBQUERY needs a collection of objects, and \(property.description) holds values.",
                    place)
            }
            guard subqueryDepth < QueryLimits.subqueryDepth else {
                throw QueryError(
                    .unsupported, "Sub-queries are nested \(QueryLimits.subqueryDepth) deep at most.", place)
            }
            var binder = self
            binder.subqueryDepth += 1
            let inner = try binder.bind(
                subquery.condition, Scope(table: target, variable: subquery.variable))
            return .count(property.elements, matching: inner)
        case .allKeys, .allValues:
            throw QueryError(
                .collectionOperator,
                "@\(operation.rawValue) is for maps, and \(property.description) is none.",
                place)
        case .min: return try aggregate(.min, rest, property, place)
        case .max: return try aggregate(.max, rest, property, place)
        case .sum: return try aggregate(.sum, rest, property, place)
        case .avg: return try aggregate(.avg, rest, property, place)
        }
    }

    private func aggregate(
        _ operation: BoundAggregate.Operation, _ rest: ArraySlice<PropertyPath.Step>,
        _ property: ResolvedProperty, _ place: Place
    ) throws(QueryError) -> ScalarPath.Leaf {
        var column: ColumnDefinition?
        if let target = property.target {
            guard rest.count == 1, case .property(let name)? = rest.first else {
                throw QueryError(
                    .collectionOperator,
                    "@\(operation.rawValue) over objects is followed by one numeric property of theirs.",
                    place)
            }
            let resolved = try resolve(name, target, place)
            guard !resolved.isCollection else {
                throw QueryError(
                    .collectionOperator,
                    "@\(operation.rawValue) cannot cross a second collection, \(resolved.description).",
                    place)
            }
            column = resolved.column
        } else if !rest.isEmpty {
            throw QueryError(
                .collectionOperator, "@\(operation.rawValue) over values is the last step of its path.", place
            )
        }
        let kind = column?.kind ?? property.column.kind
        let isDate = kind == .date
        let allowed: Set<ValueKind> = [.int, .float, .double, .decimal, .date]
        guard allowed.contains(kind), !isDate || operation == .min || operation == .max else {
            throw QueryError(
                .collectionOperator,
                "@\(operation.rawValue) cannot be calculated of values that are each \(TypeNames.name(of: kind)).",
                place)
        }
        return .aggregate(
            BoundAggregate(operation: operation, elements: property.elements, column: column?.id))
    }

    /// What kind of value a calculation gives. Averages of whole numbers are doubles, and so are sums and
    /// averages of floats.
    func resultKind(of leaf: ScalarPath.Leaf, _ property: ResolvedProperty) throws(QueryError) -> ValueKind {
        switch leaf {
        case .count, .row: return .int
        case .column: return property.column.kind
        case .aggregate(let aggregate):
            var kind = property.column.kind
            if let target = property.target, let id = aggregate.column,
                let position = schema[target]?.position(of: id), let definition = schema[target]
            {
                kind = definition.columns[position].kind
            }
            switch aggregate.operation {
            case .min, .max: return kind
            case .sum: return kind == .float ? .double : kind
            case .avg: return kind == .decimal ? .decimal : .double
            }
        }
    }
}

extension ValueMatcher {
    func matches(count: Int) -> Bool {
        withUnsafeBytes(of: Int64(count)) { matches($0) }
    }

    /// Whether zero of a kind fits.
    func matchesZero(_ kind: ValueKind) -> Bool {
        switch kind {
        case .int: withUnsafeBytes(of: Int64(0)) { matches($0) }
        case .float: withUnsafeBytes(of: Float(0)) { matches($0) }
        case .decimal:
            withUnsafeBytes(of: (DecimalNumber.zero.low, DecimalNumber.zero.high)) { matches($0) }
        default: withUnsafeBytes(of: Double(0)) { matches($0) }
        }
    }
}
