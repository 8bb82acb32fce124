package import CairnStorage

extension QueryEvaluation {
    /// How the query is carried out, in words, a line for each step.
    ///
    /// The plan is made as for carrying it out, so indexes are asked; nothing else is read.
    package func explain() throws(StorageError) -> String {
        if let index = try orderedIndex(), case .limit(let offset, let count)? = query.steps.last {
            let order = index.key.isAscending ? "ascending" : "descending"
            return """
                read the index of \(table.definition.name).\(index.key.path.name), \(order)
                \(Self.text(offset: offset, count: count))
                """
        }
        var lines: [String] = []
        switch query.base {
        case .table: lines += try plan(isExplaining: true).text
        case .query(let inner):
            lines += try QueryEvaluation(inner.query, context).explain().split(separator: "\n").map(
                String.init)
            lines += try conditionLines()
        case .elements(let owner, _, let column):
            let owner = try context.session.table(owner)
            let position = try context.position(of: column, in: owner)
            let definition = owner.definition.columns[position]
            lines.append(
                definition.isHidden
                    ? "follow the links from \(table.definition.name) to the object backwards"
                    : "go through the list \(owner.definition.name).\(definition.name)")
            lines += try conditionLines()
        }
        for step in query.steps { lines.append(Self.text(step)) }
        return lines.joined(separator: "\n")
    }

    private func conditionLines() throws(StorageError) -> [String] {
        guard query.condition != .constant(true) else { return [] }
        return PlanText(context).lines(
            query.condition, table, try context.node(query.condition, table))
    }

    private static func text(_ step: ResultStep) -> String {
        switch step {
        case .sort(let keys):
            let names = keys.map { "\($0.path.name) \($0.isAscending ? "ascending" : "descending")" }
            return "sort by \(names.joined(separator: ", "))"
        case .distinct(let paths):
            return "keep the first of each \(paths.map(\.name).joined(separator: ", "))"
        case .limit(let offset, let count): return text(offset: offset, count: count)
        }
    }

    private static func text(offset: Int, count: Int) -> String {
        let skipped = offset == 0 ? "" : "skip \(offset), "
        return count == .max ? "skip \(offset)" : "\(skipped)take the first \(count)"
    }
}
