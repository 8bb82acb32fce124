internal import CairnPredicate

// Conditions on one element of a collection. A condition such as `ANY dogs.age > 3 AND ANY dogs.name == 'Rex'`
// may be true of two dogs. As a sub-query it is about one:
//
//     SUBQUERY(dogs, $col1, $col1.age > 3 AND $col1.name == 'Rex')
extension QueryContent {
    /// The number of elements for which the condition holds.
    func countingElements() -> QueryContent {
        guard case .condition(let condition) = asCondition.form else { return self }
        let paths = condition.objectPaths
        guard let collection = commonCollection(of: paths) else {
            return noting(
                """
                count is asked of a condition on the elements of one collection: every property in it must be \
                reached through that collection.
                """)
        }
        var content = asCondition
        let subquery = subquery(collection, condition)
        content.form = .path(PropertyPath(root: .subquery(subquery), [.collection(.count)]))
        content.isMany = false
        return content
    }

    /// The condition that one and the same element of the path's values satisfies several comparisons.
    func comparedAtOnce(_ comparisons: [(Comparison.Relation, Any?)]) -> QueryContent {
        let parts = comparisons.map { compared($0, $1) }
        guard var all = parts.first else { return self }
        for part in parts.dropFirst() { all = all.and(part) }
        guard isMany, case .condition(var condition) = all.form else { return all }
        // From the innermost collection out.
        for collection in collections.sorted(by: { $0.count > $1.count }) {
            let subquery = subquery(collection, condition)
            let count = PropertyPath(root: .subquery(subquery), [.collection(.count)])
            condition = .comparison(Comparison(.path(count), .greater, .literal(.int(0))))
        }
        return all.stating(condition, height: all.height + 2 * collections.count)
    }

    private func subquery(_ collection: CollectionPath, _ condition: Condition) -> Subquery {
        let variable = "col\(condition.subqueryDepth + 1)"
        let inner = ElementPaths(collection: collection, others: collections, variable: variable)
        return Subquery(PropertyPath(collection), variable, inner.rewritten(condition))
    }

    /// The innermost collection that all paths go through.
    private func commonCollection(of paths: [PropertyPath]) -> CollectionPath? {
        guard !paths.isEmpty else { return nil }
        let common = collections.filter { collection in
            paths.allSatisfy { path in
                guard path.steps.starts(with: collection) else { return false }
                // What is asked of the whole collection is not asked of an element.
                if path.steps.count > collection.count, case .collection = path.steps[collection.count] {
                    return false
                }
                return true
            }
        }
        return common.max { $0.count < $1.count }
    }
}

/// Makes paths of the object those of an element of one of its collections.
private struct ElementPaths {
    let collection: QueryContent.CollectionPath
    /// All collections there are.
    let others: Set<QueryContent.CollectionPath>
    let variable: String

    func rewritten(_ condition: Condition) -> Condition {
        switch condition {
        case .constant: condition
        case .comparison(let comparison): .comparison(rewritten(comparison))
        case .not(let part): .not(rewritten(part))
        case .and(let parts): .and(parts.map { rewritten($0) })
        case .or(let parts): .or(parts.map { rewritten($0) })
        }
    }

    private func rewritten(_ comparison: Comparison) -> Comparison {
        var result = comparison
        result.left = rewritten(comparison.left)
        result.right = rewritten(comparison.right)
        if result.quantifier != nil, !isMany(comparison.left) { result.quantifier = nil }
        return result
    }

    /// Whether a path goes through another collection behind this one.
    private func isMany(_ operand: Operand) -> Bool {
        guard case .path(let path) = operand, case .object = path.root else { return false }
        return others.contains { $0.count > collection.count && path.steps.starts(with: $0) }
    }

    private func rewritten(_ operand: Operand) -> Operand {
        guard case .path(let path) = operand else { return operand }
        return .path(rewritten(path))
    }

    private func rewritten(_ path: PropertyPath) -> PropertyPath {
        switch path.root {
        case .object where path.steps.starts(with: collection):
            return PropertyPath(root: .variable(variable), Array(path.steps.dropFirst(collection.count)))
        case .subquery(var subquery):
            subquery.collection = rewritten(subquery.collection)
            return PropertyPath(root: .subquery(subquery), path.steps)
        case .object, .variable, .call:
            return path
        }
    }
}

extension Condition {
    /// The paths that begin at the object asked about, those of the collections of sub-queries included.
    fileprivate var objectPaths: [PropertyPath] {
        switch self {
        case .constant: []
        case .comparison(let comparison): comparison.left.objectPaths + comparison.right.objectPaths
        case .not(let part): part.objectPaths
        case .and(let parts), .or(let parts): parts.flatMap(\.objectPaths)
        }
    }

    /// The levels of sub-queries in sub-queries: their variables are numbered by it.
    fileprivate var subqueryDepth: Int {
        switch self {
        case .constant: 0
        case .comparison(let comparison):
            Swift.max(comparison.left.subqueryDepth, comparison.right.subqueryDepth)
        case .not(let part): part.subqueryDepth
        case .and(let parts), .or(let parts): parts.map(\.subqueryDepth).max() ?? 0
        }
    }
}

extension Operand {
    fileprivate var objectPaths: [PropertyPath] {
        guard case .path(let path) = self else { return [] }
        switch path.root {
        case .object: return [path]
        case .subquery(let subquery):
            // Its collection must be one of the element's, and not the element itself.
            let outer = PropertyPath(root: subquery.collection.root, subquery.collection.steps.dropLast())
            return Operand.path(outer).objectPaths + subquery.condition.objectPaths
        case .variable, .call: return []
        }
    }

    fileprivate var subqueryDepth: Int {
        guard case .path(let path) = self, case .subquery(let subquery) = path.root else { return 0 }
        return subquery.condition.subqueryDepth + 1
    }
}
