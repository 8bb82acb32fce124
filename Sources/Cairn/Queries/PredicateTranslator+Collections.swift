internal import CairnPredicate
internal import Foundation

// Closures on the elements of a collection.
extension PredicateTranslator {
    /// The elements of an expression that a closure is asked of: those of a collection, or of a filtered one.
    enum Elements {
        case all(PropertyPath)
        case filtered(Subquery)
    }

    mutating func elements(_ expression: Any) throws(RealmError) -> Elements {
        switch try part(expression) {
        case .path(let path): return .all(path)
        case .filtered(let subquery): return .filtered(subquery)
        case let part: throw Self.unsupported("\(part.words) in the place of a collection")
        }
    }

    /// The elements for which the closure holds as well.
    mutating func filtered(
        _ elements: Elements, _ variable: PredicateExpressions.VariableID, _ test: Any,
        isNegated: Bool = false
    ) throws(RealmError) -> Subquery {
        let closure = try onElements(variable, test)
        let condition = isNegated ? closure.condition.opposite : closure.condition
        switch elements {
        case .all(let path): return Subquery(path, closure.variable, condition)
        case .filtered(let subquery):
            // Closures of one level have variables of one name.
            return Subquery(
                subquery.collection, subquery.variable,
                .chain(subquery.condition, condition, isAnd: true))
        }
    }

    static func count(_ subquery: Subquery) -> PropertyPath {
        PropertyPath(root: .subquery(subquery), [.collection(.count)])
    }

    /// Whether there is such an element, or none.
    static func exists(_ subquery: Subquery, _ isThere: Bool = true) -> Condition {
        comparison(.path(count(subquery)), isThere ? .greater : .equal, .literal(.int(0)))
    }

    /// Whether a collection's value satisfies a closure, or all do. Values have no sub-queries: ANY is all
    /// that can be said of them.
    mutating func values(
        of path: PropertyPath, _ variable: PredicateExpressions.VariableID, _ test: Any, all: Bool
    ) throws(RealmError) -> Condition {
        let closure = try onElements(variable, test)
        let condition = all ? try Self.inverse(closure.condition) : closure.condition
        let any = try Self.any(condition, path, closure.variable)
        return all ? any.opposite : any
    }

    private static func any(
        _ condition: Condition, _ path: PropertyPath, _ variable: String
    ) throws(RealmError) -> Condition {
        switch condition {
        case .constant(false): return .constant(false)
        case .comparison(let comparison):
            guard case .path(let left) = comparison.left, left.root == .variable(variable),
                left.steps.isEmpty,
                case .literal = comparison.right
            else { break }
            return self.comparison(
                .path(path), comparison.relation, comparison.right, .any, comparison.options)
        case .or(let parts):
            var found: [Condition] = []
            for part in parts { found.append(try any(part, path, variable)) }
            return .anyOf(found)
        case .constant, .not, .and: break
        }
        throw unsupported(
            "a closure on the values of a list that is more than one comparison with a constant, or || of such"
        )
    }

    /// The opposite of a condition on a value without NOT.
    private static func inverse(_ condition: Condition) throws(RealmError) -> Condition {
        switch condition {
        case .constant(let value): return .constant(!value)
        case .not(let inner): return inner
        case .and(let parts):
            var found: [Condition] = []
            for part in parts { found.append(try inverse(part)) }
            return .anyOf(found)
        case .comparison(var comparison):
            guard let relation = comparison.inverseRelation else { break }
            comparison.relation = relation
            return .comparison(comparison)
        case .or: break
        }
        throw unsupported("allSatisfy on the values of a list with more than == and !=, or && of such")
    }
}

extension Comparison {
    /// The relation that holds where this one does not; nil where that depends on the value.
    fileprivate var inverseRelation: Relation? {
        switch (relation, right.literal) {
        case (.equal, _): return .notEqual
        case (.notEqual, _): return .equal
        // Neither holds of NaN.
        case (_, .double), (_, .float), (_, .decimal), (_, .none): return nil
        case (.less, _): return .greaterOrEqual
        case (.lessOrEqual, _): return .greater
        case (.greater, _): return .lessOrEqual
        case (.greaterOrEqual, _): return .less
        default: return nil
        }
    }
}

/// The properties of collections that queries have words for.
protocol CountedCollection {
    static var countPath: AnyKeyPath { get }
    static var isEmptyPath: AnyKeyPath { get }
}

extension List: CountedCollection {
    static var countPath: AnyKeyPath { \List.count }
    static var isEmptyPath: AnyKeyPath { \List.isEmpty }
}

extension LinkingObjects: CountedCollection {
    static var countPath: AnyKeyPath { \LinkingObjects.count }
    static var isEmptyPath: AnyKeyPath { \LinkingObjects.isEmpty }
}

extension Array: CountedCollection {
    // What filter gives.
    static var countPath: AnyKeyPath { \Array.count }
    static var isEmptyPath: AnyKeyPath { \Array.isEmpty }
}

extension PredicateTranslator {
    /// A property of what an expression comes to.
    mutating func property(_ keyPath: AnyKeyPath, of root: Any) throws(RealmError) -> PredicatePart {
        let part = try part(root)
        let type = type(of: keyPath).rootType
        switch part {
        case .path(var path) where type is ObjectBase.Type:
            for name in try PropertyNames.name(of: keyPath).split(separator: ".") {
                path.steps.append(.property(String(name)))
            }
            return .path(path)
        case .path(var path):
            if let counted = type as? any CountedCollection.Type {
                path.steps.append(.collection(.count))
                if keyPath == counted.countPath { return .path(path) }
                if keyPath == counted.isEmptyPath {
                    return .condition(Self.comparison(.path(path), .equal, .literal(.int(0))))
                }
            }
            if keyPath == \String.isEmpty {
                return .condition(Self.comparison(.path(path), .equal, .literal(.string(""))))
            }
        case .filtered(let subquery):
            guard let counted = type as? any CountedCollection.Type else { break }
            if keyPath == counted.countPath { return .path(Self.count(subquery)) }
            if keyPath == counted.isEmptyPath { return .condition(Self.exists(subquery, false)) }
        default: break
        }
        throw Self.unsupported("a property of '\(type)' that is not @Persisted")
    }
}
