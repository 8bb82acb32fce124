import CairnPredicate
import CairnQuery
import CairnStorage
import Foundation
import TestSupport
import Testing

/// The engine against the model, on the same rows: with and without indexes, committed, inside of a write,
/// after an undone part of it, and in a file that was opened again.
@Suite struct DifferentialTests {
    private static let isLong = ProcessInfo.processInfo.environment["CAIRN_LONG"] != nil

    @Test(arguments: isLong ? Array(0..<24) : Array(0..<6))
    func `the engine finds what the model finds`(_ round: Int) throws {
        var chance = SeededGenerator()
        for _ in 0..<round { _ = chance.next() }
        let reproduction = "\(chance.reproduction), round \(round)"
        var random = RandomModel(chance, rowCount: [20, 60, 460, 60, 900, 20][round % 6])
        let limits = round % 2 == 0 ? EngineLimits.tiny : EngineLimits()
        let plain = try QueryStore(limits: limits)
        let indexed = try QueryStore(limits: limits)
        for store in [plain, indexed] {
            try store.change { session in
                try random.model.makeTables(in: session, isIndexed: store === indexed)
                try random.model.insertRows(in: session)
            }
        }
        var comparison = DifferentialRun(chance, reproduction, count: Self.isLong ? 60 : 25)
        try plain.read { one in
            try indexed.read { try comparison.run(random.model, one, $0, "committed") }
        }
        try plain.change { one in
            try indexed.change { two in
                try random.change(30, in: [one, two], isKept: true)
                try comparison.run(random.model, one, two, "inside a write")
                try one.pushLayer()
                try two.pushLayer()
                try random.change(30, in: [one, two], isKept: false)
                try one.popLayer()
                try two.popLayer()
                try comparison.run(random.model, one, two, "after an undone part")
            }
        }
        for store in [plain, indexed] {
            store.close()
            try store.open()
        }
        try plain.read { one in
            try indexed.read { try comparison.run(random.model, one, $0, "opened again") }
        }
    }
}

/// Many conditions asked of one state.
private struct DifferentialRun {
    private var chance: SeededGenerator
    private let reproduction: String
    private let count: Int

    init(_ chance: SeededGenerator, _ reproduction: String, count: Int) {
        self.chance = chance
        self.reproduction = reproduction
        self.count = count
    }

    mutating func run(_ model: Model, _ plain: Session, _ indexed: Session, _ state: String) throws {
        for _ in 0..<count {
            _ = chance.next()
            var random = RandomConditions(values: RandomValues(chance: chance), model: model)
            let table = random.values.number(0...(model.tables.count - 1))
            let condition = random.condition(table, depth: random.values.number(0...3))
            let wanted = model.rows(condition, of: table)
            for (name, session) in [("plain", plain), ("indexed", indexed)] {
                compare(condition, model.tables[table].name, session, wanted, "\(name), \(state)")
            }
        }
    }

    private func compare(
        _ condition: Condition, _ table: String, _ session: Session, _ wanted: [UInt64], _ state: String
    ) {
        do {
            let space = try session.space(table)
            let binder = ConditionBinder(session.schema, TestNames(schema: session.schema))
            let bound = try binder.bind(condition, to: space)
            let found = try session.rows(QueryDescription(space, condition: bound))
            guard found != wanted else { return }
            let missing = Set(wanted).subtracting(found).sorted().prefix(5)
            let added = Set(found).subtracting(wanted).sorted().prefix(5)
            Issue.record(
                """
                \(table) where \(String(condition.description.prefix(2_000))), \(state): \(found.count) rows, \
                wanted \(wanted.count); missing \(missing), too many \(added). \(reproduction)
                """)
        } catch {
            Issue.record(
                "\(table) where \(String(condition.description.prefix(2_000))), \(state): \(error). \(reproduction)"
            )
        }
    }
}
