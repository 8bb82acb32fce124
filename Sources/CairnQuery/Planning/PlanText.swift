internal import CairnStorage

/// A condition in words, in the order in which its parts are carried out.
struct PlanText {
    private let context: QueryContext

    init(_ context: QueryContext) { self.context = context }

    func lines(_ condition: BoundCondition, _ table: SessionTable, _ node: MaskNode) -> [String] {
        guard case .and(let parts) = condition else { return ["  where " + text(condition, table)] }
        let ordered = parts.enumerated().compactMap {
            offset, part -> (cost: Int, offset: Int, text: String)? in
            guard let cost = try? context.node(part, table).cost else { return nil }
            return (cost, offset, text(part, table))
        }.sorted { ($0.cost, $0.offset) < ($1.cost, $1.offset) }
        return ordered.enumerated().map { ($0.offset == 0 ? "  where " : "    and ") + $0.element.text }
    }

    private func name(_ column: ColumnID, _ table: SessionTable) -> String {
        guard let position = table.definition.position(of: column) else { return "?" }
        let definition = table.definition.columns[position]
        guard definition.isHidden, let origin = definition.target,
            let other = try? context.session.table(origin)
        else { return definition.name }
        return "links from " + other.definition.name
    }

    private func text(_ condition: BoundCondition, _ table: SessionTable) -> String {
        switch condition {
        case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .not(let inner): return "NOT (\(text(inner, table)))"
        case .and(let parts): return parts.map { "(\(text($0, table)))" }.joined(separator: " AND ")
        case .or(let parts):
            let shown = parts.prefix(8).map { "(\(text($0, table)))" }.joined(separator: " OR ")
            return parts.count > 8 ? "\(shown) OR \(parts.count - 8) more" : shown
        case .value(let column, let bound): return "\(name(column, table)) \(bound.text)"
        case .anyValue(let column, let bound): return "any of \(name(column, table)) \(bound.text)"
        case .link(let column, let target, let inner, _):
            return "\(name(column, table)) → \(text(inner, target))"
        case .anyElement(let elements, let inner):
            return "any of \(name(elements.column, table)) → \(text(inner, elements.target))"
        case .count(let elements, let inner, let bound):
            let name = name(elements.column, table)
            let what = bound.test.emptiness.map { $0 ? "none" : "some" } ?? "the number"
            guard let inner else { return "\(what) of \(name) (@count \(bound.text))" }
            return "\(what) of \(name) for which \(text(inner, elements.target)) (@count \(bound.text))"
        case .aggregate(let aggregate, let bound):
            return "\(self.text(aggregate, table)) \(bound.text)"
        case .comparison(let left, let relation, let right, _):
            return "\(text(left, table)) \(relation.rawValue) \(text(right, table))"
        case .rows(let rows): return "one of \(rows.count) objects"
        }
    }

    private func text(_ condition: BoundCondition, _ space: SpaceID?) -> String {
        guard let space, let table = try? context.session.table(space) else { return "?" }
        return text(condition, table)
    }

    private func text(_ aggregate: BoundAggregate, _ table: SessionTable) -> String {
        let elements = "\(name(aggregate.elements.column, table)).@\(aggregate.operation.rawValue)"
        guard let column = aggregate.column, let space = aggregate.elements.target,
            let other = try? context.session.table(space)
        else { return elements }
        return "\(elements).\(name(column, other))"
    }

    private func text(_ path: ScalarPath, _ table: SessionTable) -> String {
        var table = table
        var parts: [String] = []
        for link in path.links {
            parts.append(name(link.column, table))
            guard let next = try? context.session.table(link.target) else { break }
            table = next
        }
        switch path.leaf {
        case .column(let column): parts.append(name(column, table))
        case .count(let elements, _): parts.append("\(name(elements.column, table)).@count")
        case .aggregate(let aggregate): parts.append(text(aggregate, table))
        case .row: parts.append("SELF")
        }
        return parts.joined(separator: ".")
    }
}
