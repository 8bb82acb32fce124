internal import CairnPredicate
package import CairnStorage

/// Binding the key paths of sorts, of `distinct` and of aggregates.
extension ConditionBinder {
    /// What a key path is wanted for: what it may end in.
    package enum KeyPathUse: String, Sendable {
        case sort = "sorted by"
        case distinct = "told apart by"
        case aggregate = "calculated with"
    }

    /// A dotted key path through to-one links.
    ///
    /// - Throws: `unknownProperty`; `unsupported` for one that crosses a collection, has an `@`, or ends in
    ///   what has no order.
    package func columnPath(
        _ keyPath: String, of table: SpaceID, for use: KeyPathUse
    ) throws(QueryError) -> ColumnPath {
        guard !keyPath.contains("@") else {
            throw QueryError(
                .unsupported,
                "Objects cannot be \(use.rawValue) '\(keyPath)': operators with @ have no order.")
        }
        var table = table
        var links: [BoundLink] = []
        var names = keyPath.split(separator: ".", omittingEmptySubsequences: false)[...]
        while let name = names.popFirst() {
            let property = try resolve(String(name), table, .unknown)
            guard !property.isCollection else {
                throw QueryError(
                    .unsupported,
                    "Objects cannot be \(use.rawValue) '\(keyPath)': \(property.description) is a collection."
                )
            }
            if names.isEmpty {
                try check(property, keyPath, use)
                return ColumnPath(links: links, column: property.column.id, name: keyPath)
            }
            guard property.column.kind == .link, let target = property.target else {
                throw QueryError(
                    .unknownProperty,
                    "\(property.description) is \(TypeNames.name(of: property.column.kind)) and has no properties."
                )
            }
            links.append(BoundLink(column: property.column.id, target: target))
            table = target
        }
        throw QueryError(.unknownProperty, "An empty key path names no property.")
    }

    private func check(
        _ property: ResolvedProperty, _ keyPath: String, _ use: KeyPathUse
    ) throws(QueryError) {
        let isAllowed: Bool =
            switch property.column.kind {
            case .link, .backlinks: false
            case .binary: use == .distinct
            case .bool, .string, .objectId, .uuid: use != .aggregate
            case .int, .float, .double, .decimal, .date: true
            }
        guard isAllowed else {
            throw QueryError(
                .unsupported,
                "Objects cannot be \(use.rawValue) '\(keyPath)': \(property.description) is \(TypeNames.name(of: property.column.kind))."
            )
        }
    }
}
