import Cairn
import Foundation
import TestSupport
import Testing

/// Random questions, sorts and pages, asked as text and as queries, against Swift going through all objects.
@Suite struct RandomQuestionTests {
    /// A column to sort by or to tell apart by, and its value: `broken` where a link on the way is nil.
    private struct Column: Sendable {
        let name: String
        let value: @Sendable (RandomRow) -> Value

        enum Value: Hashable {
            case null
            case number(Double)
            case text(String)
            case broken

            /// Rising: nil, then the values, then what cannot be reached.
            func isBefore(_ other: Value) -> Bool {
                switch (self, other) {
                case (.number(let left), .number(let right)): left < right
                case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
                default: rank < other.rank
                }
            }

            private var rank: Int {
                switch self {
                case .null: 0
                case .number, .text: 1
                case .broken: 2
                }
            }

            /// To `distinct` they are one.
            var key: Value { self == .broken ? .null : self }
        }

        static func number(_ number: Int?) -> Value { number.map { .number(Double($0)) } ?? .null }
        static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }

        static let all = [
            Column(name: "int") { number($0.int) }, Column(name: "indexedInt") { number($0.indexedInt) },
            Column(name: "text") { text($0.text) }, Column(name: "indexedText") { text($0.indexedText) },
            Column(name: "double") { row in row.double.map { .number($0) } ?? .null },
            Column(name: "decimal") { row in row.decimal.map { .number($0.doubleValue) } ?? .null },
            Column(name: "date") { .number($0.date.timeIntervalSinceReferenceDate) },
            Column(name: "flag") { .number($0.flag ? 1 : 0) },
            Column(name: "link.int") { $0.link.map { number($0.int) } ?? .broken },
            Column(name: "link.link.indexedText") { row in
                row.link?.link.map { text($0.indexedText) } ?? .broken
            },
        ]
    }

    @Test(arguments: 0..<3) func `every door finds what Swift finds`(_ round: Int) throws {
        var random = SeededGenerator()
        let scratch = try Scratch([RandomRow.self])
        let realm = try scratch.realm()
        let rows = realm.objects(RandomRow.self)
        try realm.write {
            for place in 0..<150 {
                let row = realm.create(RandomRow.self, value: ["place": place])
                row.change(among: rows, &random)
            }
            try compare(rows, 25, &random)
        }
        try compare(rows, 50, &random)
        try compare(rows.freeze(), 15, &random)
        realm.beginWrite()
        for row in Array(rows) where random.oneIn(3) { row.change(among: rows, &random) }
        for row in Array(rows) where random.oneIn(9) { realm.delete(row) }
        try compare(rows, 25, &random)
        realm.cancelWrite()
        try compare(rows, 15, &random)
        let owner = try #require(rows.max { $0.rows.count < $1.rows.count })
        try compare(owner.rows.filter("TRUEPREDICATE"), 20, &random)
        try compare(rows.sorted(byKeyPath: "indexedInt").limit(40), 20, &random)
        try scratch.verify()
    }

    @Test func `groups and sections are those that Swift makes`() throws {
        var random = SeededGenerator()
        let reproduction = random.reproduction
        let scratch = try Scratch([RandomRow.self])
        let realm = try scratch.realm()
        let rows = realm.objects(RandomRow.self)
        try realm.write {
            for place in 0..<200 { realm.create(RandomRow.self, value: ["place": place]) }
            for row in rows { row.change(among: rows, &random) }
        }
        for _ in 0..<10 {
            let question = RandomQuestion.make(&random, among: rows, depth: 1)
            let words: Comment = "\(question.words) \(reproduction)"
            let found = rows.filter(question.predicate).sorted(byKeyPath: "link.int").limit(60)
            let all = Array(found)
            let byText = Dictionary(grouping: all) { $0.indexedText }
            let groups = found.grouped(by: \.indexedText)
            #expect(groups.count() == byText.mapValues(\.count), words)
            #expect(
                groups.sum(of: \.int).mapValues { $0 ?? 0 }
                    == byText.mapValues { rows in
                        rows.compactMap(\.int).reduce(0, +)
                    }, words)
            #expect(groups.max(of: \.date) == byText.compactMapValues { $0.map(\.date).max() }, words)
            #expect(
                groups.min(of: \.double).compactMapValues { $0 }
                    == byText.compactMapValues { rows in
                        rows.compactMap(\.double).min()
                    }, words)
            let byDecimal = Dictionary(grouping: all) { $0.decimal }
            #expect(found.grouped(by: \.decimal).count() == byDecimal.mapValues(\.count), words)
            let byLink = Dictionary(grouping: all) { $0.link?.indexedInt }
            #expect(found.grouped(by: \.link?.indexedInt).count() == byLink.mapValues(\.count), words)
            for section in found.sectioned(by: { $0.indexedText }, sortDescriptors: ["date"]) {
                let expected = (byText[section.key] ?? []).sorted { $0.date < $1.date }
                #expect(section.map(\.place) == expected.map(\.place), words)
            }
        }
    }

    @Test func `rows of several blocks are found as those of one`() throws {
        var random = SeededGenerator()
        let scratch = try Scratch([RandomRow.self])
        let realm = try scratch.realm()
        let rows = realm.objects(RandomRow.self)
        try realm.write {
            for place in 0..<5_000 { realm.create(RandomRow.self, value: ["place": place]) }
            for row in rows { row.change(among: rows, &random) }
            // A block of its own is left with few rows.
            realm.delete(Array(rows.filter("place > 100 AND place < 4100")))
        }
        try compare(rows, 12, &random)
        try compare(rows.sorted(byKeyPath: "indexedText", ascending: false).limit(300), 6, &random)
        try scratch.verify()
    }

    /// - Parameter base: what the questions are asked of; all of a class, of a list, or the first ones.
    private func compare(_ base: Results<RandomRow>, _ count: Int, _ random: inout SeededGenerator) throws {
        let reproduction = random.reproduction
        let all = Array(base)
        for _ in 0..<count {
            let question = RandomQuestion.make(&random, among: base, depth: 3)
            let expected = all.filter(question.holds)
            let places = expected.map(\.place)
            let found = base.filter(question.predicate)
            let words: Comment = "\(question.words) \(reproduction)"
            #expect(base.filter(question.predicate).count == places.count, words)
            #expect(base.filter(question.predicate).first?.place == places.first, words)
            #expect(base.index(matching: question.predicate) == all.firstIndex(where: question.holds), words)
            #expect(found.map(\.place) == places, words)
            #expect(found.count == places.count, words)
            #expect(found.sum(of: \.indexedInt) == expected.compactMap(\.indexedInt).reduce(0, +), words)
            #expect((found.min(of: \.double) ?? nil) == expected.compactMap(\.double).min(), words)
            #expect(found.max(of: \.date) == expected.map(\.date).max(), words)
            if let query = question.query {
                #expect(base.where(query).map(\.place) == places, words)
            }
            arrange(found, expected, &random, words)
        }
    }

    /// Goes on with sorting, telling apart and limiting, in random order.
    private func arrange(
        _ results: Results<RandomRow>, _ expected: [RandomRow], _ random: inout SeededGenerator,
        _ words: Comment
    ) {
        var (results, expected) = (results, expected)
        var steps = ""
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let columns = (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in
                Column.all.randomElement(using: &random)
            }
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let orders = columns.map { _ in Bool.random(using: &random) }
                let keys = Array(zip(columns, orders))
                results = results.sorted(
                    by: keys.map { SortDescriptor(keyPath: $0.name, ascending: $1) })
                expected = Self.sorted(expected, keys)
                steps += " sorted by \(keys.map { ($0.name, $1) })"
            case 1:
                results = results.distinct(by: columns.map(\.name))
                var known: Set<[Column.Value]> = []
                expected = expected.filter { row in known.insert(columns.map { $0.value(row).key }).inserted }
                steps += " distinct by \(columns.map(\.name))"
            default:
                let (offset, count) = (
                    Int.random(in: 0...3, using: &random), Int.random(in: 0...20, using: &random)
                )
                results = results.offset(offset).limit(count)
                expected = Array(expected.dropFirst(offset).prefix(count))
                steps += " from \(offset) \(count)"
            }
        }
        let places = expected.map(\.place)
        #expect(results.first?.place == places.first, "\(words)\(steps)")
        #expect(results.map(\.place) == places, "\(words)\(steps)")
        #expect(results.count == places.count, "\(words)\(steps)")
        for (place, row) in expected.enumerated().prefix(5) {
            #expect(results[place].place == row.place, "\(words)\(steps)")
            #expect(results.index(of: row) == places.firstIndex(of: row.place), "\(words)\(steps)")
        }
        let question = RandomQuestion.make(&random, among: results, depth: 1)
        #expect(
            results.index(matching: question.predicate) == expected.firstIndex(where: question.holds),
            "\(words)\(steps), index of \(question.words)")
    }

    private static func sorted(_ rows: [RandomRow], _ keys: [(Column, Bool)]) -> [RandomRow] {
        rows.enumerated().sorted { left, right in
            for (column, isAscending) in keys {
                let (a, b) = (column.value(left.element), column.value(right.element))
                if a.isBefore(b) { return isAscending }
                if b.isBefore(a) { return !isAscending }
            }
            return left.offset < right.offset
        }.map(\.element)
    }
}
