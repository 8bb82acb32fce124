import CairnPredicate
import CairnQuery
import CairnStorage
import Testing

/// Plans and refusals, in `Scripts/`.
@Suite struct ScriptTests {
    @Test(arguments: QueryScript.names)
    func `plans, numbers of rows and refusals are what the script says`(_ name: String) throws {
        var script = try QueryScript(named: name)
        let model = script.model
        let store = try QueryStore()
        try store.change { session in
            try model.makeTables(in: session, isIndexed: true)
            try model.insertRows(in: session)
        }
        try store.read { session in
            for (place, block) in script.blocks.enumerated() where block.isQuery {
                let outcome = try Self.outcome(block, model, session)
                if QueryScript.isUpdating {
                    script.blocks[place].expected = outcome
                } else {
                    #expect(outcome == block.expected, "\(name): \(block.steps)")
                }
            }
        }
        if QueryScript.isUpdating { try script.save() }
    }

    private static func outcome(_ block: QueryScript.Block, _ model: Model, _ session: Session) throws
        -> String
    {
        do {
            let query = try query(block, session)
            let rows = try session.rows(query)
            let plan = try session.evaluation(query).explain()
            return plan + "\n= \(rows.count) \(rows.count == 1 ? "row" : "rows")"
        } catch let error as QueryError {
            return "\(error.problem): \(error.message)"
        }
    }

    private static func query(_ block: QueryScript.Block, _ session: Session) throws -> QueryDescription {
        var table = ""
        var query: QueryDescription?
        for step in block.steps {
            let words = step.split(separator: " ", maxSplits: 1).map(String.init)
            let rest = words[1]
            switch words[0] {
            case "in":
                table = rest
                query = QueryDescription(try session.space(table))
            case "list":
                // The owner's class, its row, and the list.
                let parts = rest.split(separator: " ").map(String.init)
                let owner = try session.space(parts[0])
                query = QueryDescription(
                    try session.space(table),
                    base: .elements(
                        owner: owner, row: RowKey(UInt64(parts[1]) ?? 0),
                        column: try session.column(parts[2], of: owner)))
            case ">": query = query?.filtered(by: try session.bind(rest, to: table))
            case "sort":
                query = query?.adding(
                    .sort(
                        try keys(rest).map {
                            SortKey(try session.path($0.name, of: table), isAscending: $0.isAscending)
                        }))
            case "distinct":
                query = query?.adding(
                    .distinct(
                        try keys(rest).map {
                            try session.path($0.name, of: table, for: .distinct)
                        }))
            default:
                let numbers = rest.split(separator: " ").compactMap { Int($0) }
                query = query?.adding(.limit(offset: numbers[0], count: numbers[1]))
            }
        }
        guard let query else { preconditionFailure("a query of a script has no class") }
        return query
    }

    private static func keys(_ text: String) -> [(name: String, isAscending: Bool)] {
        text.split(separator: ", ").map(String.init).map { key in
            key.hasPrefix("-") ? (String(key.dropFirst()), false) : (key, true)
        }
    }
}
