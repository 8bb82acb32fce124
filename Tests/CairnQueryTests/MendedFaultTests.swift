import CairnPredicate
import CairnQuery
import CairnStorage
import Testing

/// Faults that there were, each named for what was wrong.
@Suite struct MendedFaultTests {
    /// The rows of a table of one property, with an index or without, for which a predicate holds.
    private func rows(
        _ kind: ValueKind, _ values: [ModelValue], _ text: String, _ arguments: [Literal] = [],
        index: IndexDefinition.Kind? = nil
    ) throws -> [UInt64] {
        let store = try QueryStore()
        try store.change { session in
            let property = ModelProperty(name: "a", kind: kind, isNullable: true, index: index)
            let rows = values.enumerated().map {
                ModelRow(key: UInt64($0.offset), cells: [.value($0.element)])
            }
            let model = Model(tables: [ModelTable(name: "T", properties: [property], rows: rows)])
            try model.makeTables(in: session, isIndexed: true)
            try model.insertRows(in: session)
        }
        return try store.read { try $0.rows(text, arguments, of: "T") }
    }

    @Test(arguments: [IndexDefinition.Kind.hash, .ordered])
    func `a hash index told the two zeros apart`(_ index: IndexDefinition.Kind) throws {
        for text in ["a == 0", "a IN {0, 5}", "a == 0 OR a == 5"] {
            #expect(try rows(.float, [.float(0), .float(-0.0), .float(1)], text, index: index) == [0, 1])
            #expect(
                try rows(.double, [.double(0), .double(-0.0), .double(1)], text, index: index) == [0, 1])
        }
        for zero in [0.0, -0.0] {
            let found = try rows(
                .date, [.date(0), .date(-0.0), .date(1)], "a IN %@", [.array([.date(zero)])], index: index)
            #expect(found == [0, 1])
        }
    }

    /// The tests of one column in an OR become one, and the kind of that one was told by its members.
    @Test(arguments: TruthTableTests.kinds)
    func `IN of nothing twice read numbers as texts`(_ kind: ValueKind, _ value: ModelValue) throws {
        let none: [Literal] = [.array([]), .array([])]
        #expect(try rows(kind, [value, .null], "a IN %@ OR a IN %@", none) == [])
        let null: [Literal] = [.array([]), .array([.null])]
        #expect(try rows(kind, [value, .null], "a IN %@ OR a IN %@", null) == [1])
    }

    /// Infinity was the nearest double, and so it was equal.
    @Test func `a decimal that no double reaches equalled infinity`() throws {
        let huge = ModelValue.decimal(ModelDecimal(text: "1e400")).literal
        let doubles: [ModelValue] = [.double(.infinity), .double(.greatestFiniteMagnitude)]
        #expect(try rows(.double, doubles, "a == %@", [huge]) == [])
        #expect(try rows(.double, doubles, "a > %@", [huge]) == [0])
        #expect(try rows(.double, doubles, "a <= %@", [huge]) == [1])
    }

    /// What `*` stands for ended at the ends of UTF-8's characters only.
    @Test func `LIKE in binary found no byte in the middle of what looks like a character`() throws {
        let values: [ModelValue] = [.binary([0x80, 0x80]), .binary([0xC3, 0xA9])]
        #expect(try rows(.binary, values, "a LIKE %@", [.bytes([0x2A, 0x80])]) == [0])
        #expect(try rows(.binary, values, "a LIKE %@", [.bytes([0x2A, 0xA9])]) == [1])
    }

    /// The zone map of a chunk was taken for its answer, and it may be wider than the values.
    @Test(arguments: [ValueKind.int, .double, .date])
    func `the maximum was that of a row that had been deleted`(_ kind: ValueKind) throws {
        let values: [ModelValue] = [1, 5, 9].map {
            kind == .int ? .int($0) : kind == .double ? .double(Double($0)) : .date(Double($0))
        }
        let store = try QueryStore()
        try store.change { session in
            let property = ModelProperty(name: "a", kind: kind)
            let rows = values.enumerated().map {
                ModelRow(key: UInt64($0.offset), cells: [.value($0.element)])
            }
            let model = Model(tables: [ModelTable(name: "T", properties: [property], rows: rows)])
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        func check(_ session: Session) throws {
            let query = QueryDescription(try session.space("T"))
            let path = try session.path("a", of: "T", for: .aggregate)
            let maximum = try session.evaluation(query).calculate(.max, path)
            let minimum = try session.evaluation(query).calculate(.min, path)
            #expect(maximum == (kind == .int ? .int(5) : .double(5)))
            #expect(minimum == (kind == .int ? .int(5) : .double(5)))
        }
        try store.change { session in
            let table = try session.table(try session.space("T"))
            try session.delete([RowKey(0), RowKey(2)], from: table)
            try check(session)
        }
        try store.read { try check($0) }
    }

    /// The order of strings was asked of numbers too, which then were compared byte by byte.
    @Test func `zeros and NaN were told apart where numbers were sorted without regard to case`() throws {
        let store = try QueryStore()
        let values: [ModelValue] = [0.0, -0.0, .nan, -.nan, 0.0].map { .double($0) }
        try store.change { session in
            let property = ModelProperty(name: "a", kind: .double)
            let rows = values.enumerated().map {
                ModelRow(key: UInt64($0.offset), cells: [.value($0.element)])
            }
            let model = Model(tables: [ModelTable(name: "T", properties: [property], rows: rows)])
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        try store.read { session in
            let key = SortKey(try session.path("a", of: "T"), collation: .caseInsensitive)
            let found = try session.rows(QueryDescription(try session.space("T"), steps: [.sort([key])]))
            #expect(found == [2, 3, 0, 1, 4])
        }
    }
}
