internal import CairnPredicate

/// What a `Query` has come to: a path to a value, or a condition.
///
/// A value itself: a query may be used in several places. What goes wrong on the way is carried along and
/// thrown at the end, because no operator can throw.
struct QueryContent {
    enum Form {
        case path(PropertyPath)
        case condition(Condition)
    }

    /// A path to a collection, from the object asked about.
    typealias CollectionPath = [PropertyPath.Step]

    private enum Stored {
        case path(PropertyPath)
        case condition(Condition)
        /// A condition that may go on.
        case chain(QueryChain)
    }

    private var stored: Stored
    /// Whether it is a path that leads to many values, so that a comparison is about any of them.
    var isMany = false
    /// The collections that its paths go through.
    var collections: Set<CollectionPath> = []
    /// The objects that it compares with, by the numbers in its literals.
    var objects: [ObjectBase] = []
    /// The first mistake.
    var fault: RealmError?
    /// The levels of the condition.
    var height = 1

    /// The object asked about.
    static var root: QueryContent { QueryContent(stored: .path(PropertyPath([]))) }

    private init(stored: Stored) { self.stored = stored }

    /// - Complexity: Of a chain, O(its parts).
    var form: Form {
        get {
            switch stored {
            case .path(let path): .path(path)
            case .condition(let condition): .condition(condition)
            case .chain(let chain): .condition(chain.condition)
            }
        }
        set {
            switch newValue {
            case .path(let path): stored = .path(path)
            case .condition(let condition): stored = .condition(condition)
            }
        }
    }

    private var isCondition: Bool { if case .path = stored { false } else { true } }

    /// The path; nil for a condition.
    var path: PropertyPath? {
        if case .path(let path) = form { path } else { nil }
    }

    mutating func note(_ error: RealmError) {
        if fault == nil { fault = error }
    }

    func noting(_ message: String) -> QueryContent {
        var content = self
        content.note(RealmError(.misuse, message))
        return content
    }
}

// MARK: - Paths

extension QueryContent {
    /// The path one property further.
    ///
    /// - Parameter isCollection: Whether the property is a collection.
    func appending(_ keyPath: AnyKeyPath, isCollection: Bool) -> QueryContent {
        guard case .path(var path) = form else {
            return noting("A condition has no properties: begin at the object that the closure is given.")
        }
        if case .collection(let operation)? = path.steps.last {
            return noting("@\(operation.rawValue) gives a value, which has no properties.")
        }
        var content = self
        do throws(RealmError) {
            path.steps.append(.property(try PropertyNames.name(of: keyPath)))
        } catch {
            content.note(error)
            return content
        }
        content.form = .path(path)
        if isCollection {
            content.isMany = true
            content.collections.insert(path.steps)
        }
        return content
    }

    /// What is asked of the collection that the path goes through: `dogs.@count`, `dogs.@max.age`.
    func aggregated(_ operation: PropertyPath.CollectionOperator) -> QueryContent {
        guard case .path(var path) = form, isMany else {
            return noting("@\(operation.rawValue) is asked of a collection, or of a property of its objects.")
        }
        guard collections.count == 1, let collection = collections.first else {
            return noting(
                "@\(operation.rawValue) is asked of one collection, and the path goes through several.")
        }
        path.steps.insert(.collection(operation), at: collection.count)
        return replaced(path, isMany: false)
    }

    /// The number of elements of the collection that the path leads to.
    func counted() -> QueryContent {
        guard case .path(var path) = form else { return self }
        path.steps.append(.collection(.count))
        return replaced(path, isMany: false)
    }

    private func replaced(_ path: PropertyPath, isMany: Bool) -> QueryContent {
        var content = self
        content.form = .path(path)
        content.isMany = isMany
        return content
    }
}

// MARK: - Comparisons

extension QueryContent {
    /// The condition that the path compares so with a value of the program.
    func compared(
        _ relation: Comparison.Relation, _ value: Any?, _ options: Comparison.Options = []
    ) -> QueryContent {
        var content = self
        var values = PredicateArguments(objects: objects)
        let literal: Literal
        do throws(RealmError) {
            literal = try values.literal(of: value)
        } catch {
            content.note(error)
            return content
        }
        content.objects = values.objects
        switch form {
        case .path(let path): return content.stating(path, relation, .literal(literal), options)
        case .condition(let condition): return content.comparedCondition(condition, relation, literal)
        }
    }

    /// The condition that two paths compare so.
    func compared(
        _ relation: Comparison.Relation, _ other: QueryContent, _ options: Comparison.Options = []
    ) -> QueryContent {
        let (content, moved) = merged(with: other)
        guard case .path(let left) = form, case .path(let right) = moved else {
            return content.noting("A condition is compared with true or false, not with another one.")
        }
        return content.stating(left, relation, .path(right), options)
    }

    private func stating(
        _ path: PropertyPath, _ relation: Comparison.Relation, _ right: Operand,
        _ options: Comparison.Options
    ) -> QueryContent {
        stating(
            .comparison(
                Comparison(.path(path), relation, right, options: options, quantifier: isMany ? .any : nil)))
    }

    func stating(_ condition: Condition, height: Int = 1) -> QueryContent {
        stating(stored: .condition(condition), height: height)
    }

    private func stating(stored: Stored, height: Int) -> QueryContent {
        var content = self
        content.stored = stored
        content.isMany = false
        content.height = height
        if height > PredicateLimits.height {
            content.note(
                RealmError(
                    .invalidInput, "The query is nested more than \(PredicateLimits.height) levels deep."))
        }
        return content
    }

    /// A condition compared with true or false.
    private func comparedCondition(
        _ condition: Condition, _ relation: Comparison.Relation, _ literal: Literal
    ) -> QueryContent {
        switch (relation, literal) {
        case (.equal, .bool(true)), (.notEqual, .bool(false)): self
        case (.equal, .bool(false)), (.notEqual, .bool(true)): negated()
        default: noting("A condition is compared with true or false alone.")
        }
    }

    /// What both know, with the form of the other in terms of that.
    private func merged(with other: QueryContent) -> (QueryContent, Form) {
        var content = self
        content.collections.formUnion(other.collections)
        if content.fault == nil { content.fault = other.fault }
        content.height = Swift.max(height, other.height)
        guard !other.objects.isEmpty else { return (content, other.form) }
        var values = PredicateArguments(objects: objects)
        let move = PredicateMove(numbers: other.objects.map { values.number(of: $0) }, bytes: 0)
        content.objects = values.objects
        switch other.form {
        case .path(let path): return (content, .path(move.moved(path)))
        case .condition(let condition): return (content, .condition(move.moved(condition)))
        }
    }
}

// MARK: - Logic

extension QueryContent {
    /// As a condition: a property that is a Bool is one by itself.
    var asCondition: QueryContent {
        isCondition ? self : compared(.equal, true)
    }

    /// The opposite.
    func negated() -> QueryContent {
        switch form {
        case .path where !isMany: return compared(.equal, false)
        case .path: return asCondition.negated()
        case .condition(.not(let condition)): return stating(condition, height: Swift.max(1, height - 1))
        case .condition(let condition): return stating(.not(condition), height: height + 1)
        }
    }

    /// Both. Chains are one node, however they were put together.
    func and(_ other: QueryContent) -> QueryContent { joined(with: other, isOr: false) }

    /// One of both.
    func or(_ other: QueryContent) -> QueryContent { joined(with: other, isOr: true) }

    private func joined(with other: QueryContent, isOr: Bool) -> QueryContent {
        func parts(_ condition: Condition) -> [Condition]? {
            switch condition {
            case .or(let parts) where isOr: parts
            case .and(let parts) where !isOr: parts
            default: nil
            }
        }
        let left = asCondition
        let (content, moved) = left.merged(with: other.asCondition)
        guard case .condition(let second) = moved else { return content }
        let more = parts(second)
        let height = content.height
        if case .chain(let chain) = left.stored, chain.isOr == isOr {
            return content.stating(stored: .chain(chain.appending(more ?? [second])), height: height)
        }
        guard case .condition(let first) = left.form else { return content }
        let own = parts(first)
        let chain = QueryChain(isOr: isOr, (own ?? [first]) + (more ?? [second]))
        let isLonger = own != nil || more != nil
        return content.stating(stored: .chain(chain), height: height + (isLonger ? 0 : 1))
    }
}
