import CairnPredicate
import CairnQuery
import CairnStorage
import Foundation
import TestSupport
import Testing

/// Queries that went wrong in other databases, as far as they can be told without the classes of a program.
@Suite struct CaseTests {
    /// A store of one table, plain and with either index.
    private func stores(
        _ kind: ValueKind, _ values: [ModelValue], isNullable: Bool = true
    ) throws -> [(name: String, store: QueryStore)] {
        let indexes: [(String, IndexDefinition.Kind?)] = [
            ("plain", nil), ("hash", .hash), ("ordered", .ordered),
        ]
        return try indexes.map { name, index in
            let store = try QueryStore()
            try store.change { session in
                let property = ModelProperty(name: "a", kind: kind, isNullable: isNullable, index: index)
                let rows = values.enumerated().map {
                    ModelRow(
                        key: UInt64($0.offset),
                        cells: [.value($0.element), .value(.object(UInt64($0.offset)))])
                }
                let link = ModelProperty(name: "link", kind: .link, target: 0)
                let model = Model(tables: [ModelTable(name: "T", properties: [property, link], rows: rows)])
                try model.makeTables(in: session, isIndexed: true)
                try model.insertRows(in: session)
            }
            return (name, store)
        }
    }

    /// Whether they disagreed about "" and nil, and about what is not equal.
    @Test func `the empty text is not nil, and nil is not equal to any text`() throws {
        for (name, store) in try stores(.string, [.null, .text(""), .text("x")]) {
            try store.read { session in
                for (text, wanted) in [
                    ("a == nil", [0]), ("a != nil", [1, 2]), ("a == ''", [1]), ("a != ''", [0, 2]),
                    ("a != 'x'", [0, 1]), ("NOT a == 'x'", [0, 1]), ("a BEGINSWITH ''", []),
                    ("a IN {'', 'a'}", [1]), ("a IN {nil, 'x'}", [0, 2]), ("NOT a IN {}", [0, 1, 2]),
                    ("a == '' OR a == 'x'", [1, 2]), ("a == nil OR a == ''", [0, 1]),
                ] as [(String, [UInt64])] {
                    let found = try session.rows(text, of: "T")
                    let linked = try session.rows(text.replacing("a ", with: "link.a "), of: "T")
                    #expect(found == wanted, "\(name): \(text)")
                    #expect(linked == wanted, "\(name), linked: \(text)")
                }
            }
        }
    }

    /// nil was read as 0.
    @Test(arguments: TruthTableTests.kinds.filter { $0.0 != .decimal })
    func `nothing that cannot be nil equals nil`(_ kind: ValueKind, _ zero: ModelValue) throws {
        for (name, store) in try stores(kind, [zero, zero], isNullable: false) {
            try store.read { session in
                let equal = try session.rows("a == nil", of: "T")
                let others = try session.rows("a != nil", of: "T")
                let members = try session.rows("a IN {nil}", of: "T")
                #expect(equal == [] && members == [], "\(name)")
                #expect(others == [0, 1], "\(name)")
            }
        }
    }

    /// Elements at the borders of what is looked at at once.
    @Test func `an object is found wherever it stands in a long list`() throws {
        let store = try QueryStore()
        try store.change { session in
            let space = try session.createTable("T").definition.space
            let list = try session.addColumn(
                Session.NewColumn("list", .link, collection: .list, target: "T"), to: space)
            let table = try session.table(space)
            let rows = try (0..<6).map { _ in try table.insert() }
            for (row, place) in zip(rows, [0, 999, 1_000, 1_001, 5_000]) {
                var targets = Array(repeating: rows[5], count: 5_001)
                targets[place] = rows[0]
                try table.appendLinks(row, list, targets)
            }
        }
        try store.read { session in
            let found = try session.rows("ANY list == %@", [.object(0)], of: "T")
            #expect(found == [0, 1, 2, 3, 4])
            let both = try session.rows("linksFromT_list.@count == 5", of: "T")
            #expect(both == [0])
        }
    }

    @Test func `the newest of each group, and other orders of sort, distinct and limit`() throws {
        let store = try QueryStore()
        try store.change { session in
            let properties = [ModelProperty(name: "k", kind: .string), ModelProperty(name: "t", kind: .int)]
            let rows = [("a", 1), ("b", 2), ("a", 3), ("b", 1)].enumerated().map { place, row in
                ModelRow(key: UInt64(place), cells: [.value(.text(row.0)), .value(.int(Int64(row.1)))])
            }
            let model = Model(tables: [ModelTable(name: "T", properties: properties, rows: rows)])
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        try store.read { session in
            let query = QueryDescription(try session.space("T"))
            let sort = ResultStep.sort([SortKey(try session.path("t", of: "T"), isAscending: false)])
            let distinct = ResultStep.distinct([try session.path("k", of: "T", for: .distinct)])
            let newest = try session.rows(query.adding(sort).adding(distinct))
            #expect(newest == [2, 1])
            let sorted = try session.rows(query.adding(distinct).adding(sort))
            #expect(sorted == [1, 0])
            let first = try session.rows(
                query.adding(sort).adding(distinct).adding(.limit(offset: 0, count: 1)))
            #expect(first == [2])
        }
    }

    @Test(arguments: ["in", "sort", "desc", "ANY", "two words", "🐕", "it's", "größe", "nil"])
    func `a property may have any name`(_ name: String) throws {
        let store = try QueryStore()
        try store.change { session in
            let property = ModelProperty(name: name, kind: .int)
            let rows = (0..<3).map { ModelRow(key: UInt64($0), cells: [.value(.int(Int64(2 - $0)))]) }
            let model = Model(tables: [ModelTable(name: "T", properties: [property], rows: rows)])
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        try store.read { session in
            let found = try session.rows("%K == 1", [.string(name)], of: "T")
            #expect(found == [1])
            let key = SortKey(try session.path(name, of: "T"))
            let query = QueryDescription(try session.space("T"), steps: [.sort([key])])
            let sorted = try session.rows(query)
            #expect(sorted == [2, 1, 0])
            let sum = try session.evaluation(query).calculate(.sum, key.path)
            #expect(sum == .int(3))
        }
    }

    @Test func `arguments are never parsed`() throws {
        let name = #"a"b'c\ %@ $0 {1}"#
        for (state, store) in try stores(.string, [.text(name), .text("a")]) {
            try store.read { session in
                let found = try session.rows("a == %@", [.string(name)], of: "T")
                #expect(found == [0], "\(state)")
                let printed = PredicateText(try PredicateParser.parse("a == %@", [.string(name)]))
                let again = try session.rows(printed.text, printed.arguments, of: "T")
                #expect(again == [0], "\(state)")
            }
        }
    }

    @Test func `strings are in the order of their bytes wherever they are ordered`() throws {
        let texts = ["b", "A", "a", "B", "é", "z", "Z", "~"]
        for (state, store) in try stores(.string, texts.map { .text($0) }) {
            try store.read { session in
                let key = SortKey(try session.path("a", of: "T"))
                let wanted = ["A", "B", "Z", "a", "b", "z", "~", "é"]
                for steps in [
                    [ResultStep.sort([key])], [.sort([key]), .limit(offset: 0, count: 8)],
                    [.sort([key]), .distinct([key.path])], [.distinct([key.path]), .sort([key])],
                ] {
                    let found = try session.rows(QueryDescription(try session.space("T"), steps: steps))
                    #expect(found.map { texts[Int($0)] } == wanted, "\(state)")
                }
            }
        }
    }

    /// Strings that begin with the same 300 letters and differ in a last one of one to four bytes.
    @Test func `long equal beginnings are told apart`() throws {
        let beginning = String(repeating: "x", count: 300)
        let letters = ["a", "é", "漢", "🚀", "z", ""]
        let values = letters.map { ModelValue.text(beginning + $0) }
        for (state, store) in try stores(.string, values) {
            try store.read { session in
                for (place, value) in values.enumerated() {
                    let found = try session.rows("a == %@", [value.literal], of: "T")
                    #expect(found == [UInt64(place)], "\(state)")
                    let after = try session.rows("a > %@", [value.literal], of: "T")
                    let wanted = letters.indices.filter {
                        Array(letters[place].utf8).lexicographicallyPrecedes(Array(letters[$0].utf8))
                    }
                    #expect(after == wanted.map { UInt64($0) }, "\(state)")
                }
                let missing = try session.rows("a == %@", [.string(beginning + "b")], of: "T")
                #expect(missing == [])
            }
        }
    }

    /// An index lost hits, with `[c]` above all.
    @Test func `an index that is added to a filled table finds what a scan finds`() throws {
        var values = RandomValues(chance: SeededGenerator())
        let letters = ["a", "A", "b", "B", "é", "É", "🚀"]
        let texts = (0..<2_000).map { _ in
            (0..<values.number(0...4)).map { _ in values.pick(letters) }.joined()
        }
        let store = try QueryStore()
        try store.change { session in
            let rows = texts.enumerated().map {
                ModelRow(
                    key: UInt64($0.offset),
                    cells: [.value(.text($0.element)), .value(.text($0.element)), .value(.text($0.element))])
            }
            let properties = ["plain", "hash", "ordered"].map { ModelProperty(name: $0, kind: .string) }
            let model = Model(tables: [ModelTable(name: "T", properties: properties, rows: rows)])
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        try store.change { session in
            for (name, kind) in [("hash", IndexDefinition.Kind.hash), ("ordered", .ordered)] {
                try ModelProperty(name: name, kind: .string, index: kind).makeIndex(in: session, of: "T")
            }
        }
        try store.read { session in
            for relation in ["==", "==[c]", "BEGINSWITH", "BEGINSWITH[c]", "IN", "IN[c]", "<", ">="] {
                for _ in 0..<10 {
                    let wanted = Literal.string(values.pick(texts))
                    let argument = relation.hasPrefix("IN") ? Literal.array([wanted, .string("a")]) : wanted
                    let plain = try session.rows("plain \(relation) %@", [argument], of: "T")
                    for name in ["hash", "ordered"] {
                        let found = try session.rows("\(name) \(relation) %@", [argument], of: "T")
                        #expect(
                            found == plain, "\(name) \(relation) \(argument). \(values.chance.reproduction)")
                    }
                }
            }
        }
    }

    @Test func `calculations over nothing, over nil and over negative numbers`() throws {
        for (values, sum, average, least, most) in [
            ([], 0, nil, nil, nil), ([.null, .null], 0, nil, nil, nil),
            ([.null, .double(-2.5), .double(-5)], -7.5, -3.75, -5, -2.5),
        ] as [([ModelValue], Double, Double?, Double?, Double?)] {
            for (_, store) in try stores(.double, values) {
                try store.read { session in
                    let evaluation = try session.evaluation(QueryDescription(try session.space("T")))
                    let path = try session.path("a", of: "T", for: .aggregate)
                    func result(_ value: Double?) -> Calculation.Result { value.map { .double($0) } ?? .none }
                    let found = try QueryEvaluation.Operation.allCases.map {
                        try evaluation.calculate($0, path)
                    }
                    #expect(found == [result(least), result(most), .double(sum), result(average)])
                }
            }
        }
    }

    @Test func `sums and averages of decimals are exact`() throws {
        let texts = ["0.1", "0.2", "-1.50", "1e3"]
        let store = try QueryStore()
        try store.change { session in
            let rows = texts.enumerated().map {
                ModelRow(key: UInt64($0.offset), cells: [.value(.decimal(ModelDecimal(text: $0.element)))])
            }
            let model = Model(tables: [
                ModelTable(name: "T", properties: [ModelProperty(name: "a", kind: .decimal)], rows: rows)
            ])
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        try store.read { session in
            let evaluation = try session.evaluation(QueryDescription(try session.space("T")))
            let path = try session.path("a", of: "T", for: .aggregate)
            for (operation, wanted) in [(QueryEvaluation.Operation.sum, "998.8"), (.average, "249.7")] {
                guard case .decimal(let low, let high) = try evaluation.calculate(operation, path) else {
                    Issue.record("the \(operation) of decimals is none")
                    continue
                }
                #expect(
                    ModelDecimal.order(ModelDecimal(low: low, high: high), ModelDecimal(text: wanted)) == 0)
            }
        }
    }

    @Test func `a sum of integers ends at the limits of 64 bits`() throws {
        for (_, store) in try stores(.int, [.int(.max), .int(.max), .int(1)]) {
            try store.read { session in
                let evaluation = try session.evaluation(QueryDescription(try session.space("T")))
                let sum = try evaluation.calculate(.sum, try session.path("a", of: "T", for: .aggregate))
                #expect(sum == .int(.max))
            }
        }
    }

    @Test(arguments: [ValueKind.bool, .string, .binary, .objectId, .uuid])
    func `what is no number is not calculated with`(_ kind: ValueKind) throws {
        for (_, store) in try stores(kind, []) {
            try store.read { session in
                var error: QueryError?
                do { _ = try session.path("a", of: "T", for: .aggregate) } catch let caught as QueryError {
                    error = caught
                }
                #expect(error?.problem == .unsupported)
            }
        }
    }
}
