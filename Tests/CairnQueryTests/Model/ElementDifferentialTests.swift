import CairnPredicate
import CairnQuery
import CairnStorage
import Foundation
import TestSupport
import Testing

/// Queries over the values of a list: the engine against the model.
@Suite struct ElementDifferentialTests {
    @Test(arguments: [
        ValueKind.bool, .int, .float, .double, .date, .string, .binary, .objectId, .uuid, .decimal,
    ])
    func `the values of a list are found, ordered and counted as the model does`(_ kind: ValueKind) throws {
        var values = RandomValues(chance: SeededGenerator())
        let reproduction = values.chance.reproduction
        let lists = [0, 1, 3, 40, 400].map { count in
            (0..<count).map { _ in values.oneIn(5) ? ModelValue.null : values.value(kind) }
        }
        let property = ModelProperty(name: "list", kind: kind, isList: true, isNullable: true)
        let rows = lists.enumerated().map { ModelRow(key: UInt64($0.offset), cells: [.list($0.element)]) }
        let model = Model(tables: [ModelTable(name: "T", properties: [property], rows: rows)])
        let store = try QueryStore()
        try store.change { session in
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        try store.read { session in
            let table = try session.table(try session.space("T"))
            for _ in 0..<20 {
                var random = RandomConditions(values: values, model: model)
                for (row, list) in lists.enumerated() {
                    let (query, wanted, text) = try Self.query(&random, kind, list)
                    let found = try FoundElements(query, of: RowKey(UInt64(row)), 0, in: table)
                    let elements = (0..<found.count).map { index in
                        found.withElement(index) { $0.map { Array($0) } }
                    }
                    #expect(elements == wanted.map(\.storedBytes), "\(text), row \(row). \(reproduction)")
                    guard RandomConditions.relations(kind).contains(.between) else { continue }
                    try Self.compareExtremes(found, wanted, kind, "\(text), row \(row). \(reproduction)")
                }
                values = random.values
            }
        }
    }

    private static func query(
        _ random: inout RandomConditions, _ kind: ValueKind, _ list: [ModelValue]
    ) throws -> (ElementQuery, [ModelValue], String) {
        var query = ElementQuery()
        var wanted = list
        var text = ""
        if random.values.oneIn(2) {
            let comparison = random.elementComparison(kind, list)
            query = query.filtered(
                by: try ElementCondition.bind(.comparison(comparison), kind: kind, list: "T.list"))
            wanted = wanted.filter { random.model.fits($0, comparison, kind) }
            text += "\(Condition.comparison(comparison)) "
        }
        for _ in 0..<random.values.number(0...3) {
            switch random.values.number(0...2) {
            case 0:
                let isAscending = random.values.oneIn(2)
                query = query.adding(.sort(isAscending: isAscending))
                wanted = wanted.enumerated().sorted { left, right in
                    let order = order(left.element, right.element) * (isAscending ? 1 : -1)
                    return order == 0 ? left.offset < right.offset : order < 0
                }.map(\.element)
                text += "sort \(isAscending) "
            case 1:
                query = query.adding(.distinct)
                var known: Set<ModelValue> = []
                wanted = wanted.filter { known.insert(ModelOrder.canonical($0)).inserted }
                text += "distinct "
            default:
                let (offset, count) = (random.values.number(0...3), random.values.pick([0, 1, 5, .max]))
                query = query.adding(.limit(offset: offset, count: count))
                wanted = Array(wanted.dropFirst(offset).prefix(count))
                text += "limit \(offset) \(count) "
            }
        }
        return (query, wanted, text)
    }

    /// nil before everything.
    private static func order(_ left: ModelValue, _ right: ModelValue) -> Int {
        if left == .null || right == .null { return (left == .null ? 0 : 1) - (right == .null ? 0 : 1) }
        return ModelOrder.order(left, right, .bytes)
    }

    private static func compareExtremes(
        _ found: FoundElements, _ values: [ModelValue], _ kind: ValueKind, _ text: String
    ) throws {
        for (operation, asked) in [
            (QueryEvaluation.Operation.min, PropertyPath.CollectionOperator.min), (.max, .max),
        ] {
            let result = found.calculate(operation)
            switch (result, ModelAggregate.calculate(asked, values, kind)) {
            case (.none, .null): break
            case (.int(let found), .int(let wanted)): #expect(found == wanted, "\(text)")
            case (.double(let found), .double(let wanted)), (.double(let found), .date(let wanted)):
                #expect(found == wanted, "\(text)")
            case (.double(let found), .float(let wanted)): #expect(found == Double(wanted), "\(text)")
            case (.decimal(let low, let high), .decimal(let wanted)):
                #expect(ModelDecimal.order(ModelDecimal(low: low, high: high), wanted) == 0, "\(text)")
            case (_, let wanted): Issue.record("\(operation): \(result), wanted \(wanted). \(text)")
            }
        }
    }
}
