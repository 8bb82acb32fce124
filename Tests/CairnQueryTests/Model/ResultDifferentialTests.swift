import CairnPredicate
import CairnQuery
import CairnStorage
import Foundation
import TestSupport
import Testing

/// Sorts, distincts, limits, filters behind them, and calculations: the engine against the model.
@Suite struct ResultDifferentialTests {
    private static let isLong = ProcessInfo.processInfo.environment["CAIRN_LONG"] != nil

    @Test(arguments: isLong ? Array(0..<24) : Array(0..<6))
    func `the engine orders and counts as the model does`(_ round: Int) throws {
        var chance = SeededGenerator()
        for _ in 0..<(round + 1_000) { _ = chance.next() }
        let reproduction = "\(chance.reproduction), round \(round)"
        var random = RandomModel(chance, rowCount: [20, 60, 460, 60, 900, 20][round % 6])
        for isIndexed in [false, true] {
            let store = try QueryStore(limits: round % 2 == 0 ? .tiny : EngineLimits())
            try store.change { session in
                try random.model.makeTables(in: session, isIndexed: isIndexed)
                try random.model.insertRows(in: session)
            }
            let model = random.model
            let state = isIndexed ? "indexed" : "plain"
            try store.read { try compare(model, $0, chance, "\(state), committed. \(reproduction)") }
            var changed = random
            try store.change { session in
                try changed.change(20, in: [session], isKept: true)
                try compare(changed.model, session, chance, "\(state), inside a write. \(reproduction)")
            }
            if isIndexed { random = changed }
        }
    }

    private func compare(_ model: Model, _ session: Session, _ chance: SeededGenerator, _ state: String)
        throws
    {
        var chance = chance
        for _ in 0..<(Self.isLong ? 60 : 12) {
            _ = chance.next()
            var random = RandomResults(
                conditions: RandomConditions(values: RandomValues(chance: chance), model: model))
            let number = random.conditions.values.number(0...(model.tables.count - 1))
            let table = model.tables[number]
            let steps = random.steps(number)
            let space = try session.space(table.name)
            let wanted = model.rows(table.rows.map(\.key), steps, of: number)
            let query = try session.query(QueryDescription(space), steps, of: table.name)
            let found = try session.rows(query)
            #expect(found == wanted, "\(table.name), \(steps), \(state)")
            try compareCalculations(model, number, session, query, wanted, &random, "\(steps), \(state)")
            try compareElements(model, number, session, &random, state)
        }
    }

    // MARK: Calculations

    private func compareCalculations(
        _ model: Model, _ table: Int, _ session: Session, _ query: QueryDescription, _ rows: [UInt64],
        _ random: inout RandomResults, _ state: String
    ) throws {
        let keyPath = random.keyPath(table, for: .aggregate)
        guard !keyPath.isEmpty else { return }
        let path = try session.path(keyPath, of: model.tables[table].name, for: .aggregate)
        let values = rows.map { row -> ModelValue in
            if case .value(let value) = model.find(keyPath, table, row) { value } else { .null }
        }
        let kind = model.kind(keyPath, table)
        for operation in QueryEvaluation.Operation.allCases {
            // The model neither adds dates nor decimals.
            if operation == .sum || operation == .average, kind == .decimal || kind == .date { continue }
            let wanted = ModelAggregate.calculate(Self.operators[operation] ?? .sum, values, kind)
            let found = try session.evaluation(query).calculate(operation, path)
            #expect(
                Self.isClose(found, to: wanted, values),
                "\(operation) of \(keyPath): \(found), wanted \(wanted). \(state)")
        }
    }

    private static let operators: [QueryEvaluation.Operation: PropertyPath.CollectionOperator] = [
        .min: .min, .max: .max, .sum: .sum, .average: .avg,
    ]

    /// Doubles may be added in another order.
    private static func isClose(
        _ found: Calculation.Result, to wanted: ModelValue, _ values: [ModelValue]
    ) -> Bool {
        switch (found, wanted) {
        case (.none, .null): return true
        case (.int(let found), .int(let wanted)): return found == wanted
        case (.decimal(let low, let high), .decimal(let wanted)):
            return ModelDecimal.order(ModelDecimal(low: low, high: high), wanted) == 0
        case (.double(let found), .float(let wanted)): return found == Double(wanted)
        case (.double(let found), .double(let wanted)), (.double(let found), .date(let wanted)):
            if found.isNaN || wanted.isNaN || wanted.isInfinite {
                return found == wanted || (found.isNaN && wanted.isNaN)
            }
            let sizes = values.map { value -> Double in
                switch value {
                case .float(let value): abs(Double(value))
                case .double(let value): abs(value)
                case .int(let value): Double(value.magnitude)
                default: 0
                }
            }
            return abs(found - wanted) <= 1e-12 * sizes.filter { $0.isFinite }.reduce(0, +)
        default: return false
        }
    }

    // MARK: Collections

    /// The objects of a list, or those that link to a row, filtered and sorted.
    private func compareElements(
        _ model: Model, _ table: Int, _ session: Session, _ random: inout RandomResults, _ state: String
    ) throws {
        let collections = model.tables[table].properties.indices.filter {
            model.tables[table].properties[$0].isCollection
                && model.tables[table].properties[$0].target != nil
        }
        guard let number = collections.randomElement(using: &random.conditions.values.chance),
            let row = model.tables[table].rows.randomElement(using: &random.conditions.values.chance)
        else { return }
        let property = model.tables[table].properties[number]
        guard let target = property.target else { return }
        let elements = model.elements(table, row, number).compactMap { element -> UInt64? in
            if case .object(let key) = element { key } else { nil }
        }
        let steps = random.steps(target)
        let wanted = model.rows(elements, steps, of: target)
        let owner = try session.space(model.tables[table].name)
        let name = model.tables[target].name
        let base = QueryDescription(
            try session.space(name),
            base: .elements(
                owner: owner, row: RowKey(row.key), column: try session.column(property.name, of: owner)))
        let found = try session.rows(try session.query(base, steps, of: name))
        #expect(found == wanted, "\(property.name) of \(row.key), \(steps), \(state)")
    }
}

extension Model {
    /// The kind of the value that a key path ends at.
    func kind(_ keyPath: String, _ table: Int) -> ValueKind {
        var table = table
        var kind = ValueKind.int
        for name in keyPath.split(separator: ".") {
            guard let number = tables[table].property(String(name)) else { preconditionFailure("no \(name)") }
            kind = tables[table].properties[number].kind
            table = tables[table].properties[number].target ?? table
        }
        return kind
    }
}

extension Session {
    /// The column of a property, the hidden one of links followed backwards.
    func column(_ name: String, of space: SpaceID) throws -> ColumnID {
        switch TestNames(schema: schema).property(name, of: space) {
        case .column(let id): return id
        case .backlinks(let origin, let link):
            guard let definition = schema[origin], let place = definition.position(of: link),
                let mirror = definition.columns[place].backlinkColumn
            else { break }
            return mirror
        case nil: break
        }
        throw MissingTable(name: name)
    }
}
