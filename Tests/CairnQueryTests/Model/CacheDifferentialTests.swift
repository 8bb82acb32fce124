import CairnPredicate
import CairnQuery
import CairnStorage
import TestSupport
import Testing

/// What a query has found and keeps, against the same query asked anew, while one value after the other changes.
@Suite struct CacheDifferentialTests {
    @Test(arguments: 0..<6)
    func `what is kept is what would be found anew`(_ round: Int) throws {
        var chance = SeededGenerator()
        for _ in 0..<(round + 2_000) { _ = chance.next() }
        let reproduction = "\(chance.reproduction), round \(round)"
        var random = RandomModel(chance, rowCount: 30)
        let store = try QueryStore(limits: .tiny)
        try store.change { session in
            try random.model.makeTables(in: session, isIndexed: round % 2 == 0)
            try random.model.insertRows(in: session)
        }
        try store.read { session in
            let asked = try caches(random.model, session, &chance)
            for _ in 0..<8 {
                try compare(asked, session, reproduction)
                try store.store.beginWrite(session)
                for _ in 0..<10 {
                    try random.change(1, in: [session], isKept: true)
                    try compare(asked, session, reproduction)
                }
                let kept = random
                try session.pushLayer()
                try random.change(5, in: [session], isKept: false)
                try compare(asked, session, reproduction)
                try session.popLayer()
                try compare(asked, session, reproduction)
                random = kept
                try store.store.commit(session)
            }
        }
    }

    private struct Asked {
        let cache: QueryCache
        let text: String
    }

    private func caches(
        _ model: Model, _ session: Session, _ chance: inout SeededGenerator
    ) throws -> [Asked] {
        try (0..<15).map { _ in
            _ = chance.next()
            var random = RandomResults(
                conditions: RandomConditions(values: RandomValues(chance: chance), model: model))
            let number = random.conditions.values.number(0...(model.tables.count - 1))
            let steps =
                [ModelStep.filter(random.conditions.condition(number, depth: 2))]
                + (random.conditions.values.oneIn(2) ? random.steps(number) : [])
            let table = model.tables[number].name
            let query = try session.query(QueryDescription(try session.space(table)), steps, of: table)
            return Asked(cache: QueryCache(query), text: "\(table), \(steps)")
        }
    }

    private func compare(_ asked: [Asked], _ session: Session, _ reproduction: String) throws {
        let context = QueryContext(session, FoldedChunks())
        for asked in asked {
            let kept = try asked.cache.rows(context)
            let fresh = try session.evaluation(asked.cache.query).rows()
            let count = try asked.cache.count(context)
            let first = try asked.cache.first(context)
            #expect(kept == fresh, "\(asked.text.prefix(2_000)). \(reproduction)")
            #expect(
                count == fresh.count && first == fresh.first, "\(asked.text.prefix(2_000)). \(reproduction)")
        }
    }
}
