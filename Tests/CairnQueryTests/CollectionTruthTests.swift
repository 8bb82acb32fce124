import CairnPredicate
import CairnQuery
import CairnStorage
import Testing

/// The rows of the tables of `docs/queries.md` about links and collections.
@Suite struct CollectionTruthTests {
    /// Items: 0 has a = 1, 1 has nil and links to 0, 2 has 5.
    /// Holders: 0 of nothing; 1 of item 0; 2 of items 1 and 2; 3 of items 0 and 2. The numbers of each are its
    /// items' a. Each links to the one before.
    private static var model: Model {
        let items: [ModelRow] = [
            ModelRow(key: 0, cells: [.value(.int(1)), .value(.null), .list([])]),
            ModelRow(key: 1, cells: [.value(.null), .value(.object(0)), .list([])]),
            ModelRow(key: 2, cells: [.value(.int(5)), .value(.null), .list([])]),
        ]
        let lists: [[Int]] = [[], [0], [1, 2], [0, 2]]
        let holders = lists.enumerated().map { place, list in
            let numbers = list.map { [ModelValue.int(1), .null, .int(5)][$0] }
            return ModelRow(
                key: UInt64(place),
                cells: [
                    .value(place == 0 ? .null : .object(UInt64(place - 1))),
                    .list(list.map { .object(UInt64($0)) }), .list(numbers), .value(.int(Int64(list.count))),
                ])
        }
        return Model(tables: [
            ModelTable(
                name: "Item",
                properties: [
                    ModelProperty(name: "a", kind: .int, isNullable: true),
                    ModelProperty(name: "link", kind: .link, target: 0),
                    ModelProperty(
                        name: TestNames.backlinks("Holder", "list"), kind: .link, target: 1, origin: 1),
                ], rows: items),
            ModelTable(
                name: "Holder",
                properties: [
                    ModelProperty(name: "link", kind: .link, target: 1),
                    ModelProperty(name: "list", kind: .link, isList: true, target: 0),
                    ModelProperty(name: "numbers", kind: .int, isList: true, isNullable: true),
                    ModelProperty(name: "size", kind: .int),
                ], rows: holders),
        ])
    }

    private static let store = Result {
        let store = try QueryStore()
        try store.change { session in
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        return Opened(store: store)
    }

    /// Nothing is changed after it was made.
    private struct Opened: @unchecked Sendable { let store: QueryStore }

    static let claims: [(String, [UInt64])] = [
        // ANY of nothing is false, ALL of nothing true.
        ("ANY list.a == 1", [1, 3]), ("ANY list.a != 1", [2, 3]), ("ANY list.a == nil", [2]),
        ("ANY list.a != nil", [1, 2, 3]), ("ANY list.a > 1", [2, 3]), ("NOT ANY list.a == 1", [0, 2]),
        ("NONE list.a == 1", [0, 2]), ("NONE list.a != 1", [0, 1]), ("SOME list.a == 5", [2, 3]),
        ("ALL list.a == 1", [0, 1]), ("ALL list.a != 1", [0, 2]), ("ALL list.a == nil", [0]),
        ("ALL list.a > 0", [0, 1, 3]), ("NOT ALL list.a > 0", [2]), ("ALL list.a <= nil", [0]),
        ("ANY numbers == 1", [1, 3]), ("ANY numbers == nil", [2]), ("ANY numbers != 1", [2, 3]),
        ("ALL numbers == 1", [0, 1]), ("NONE numbers == 1", [0, 2]), ("ANY numbers IN {}", []),
        ("ANY numbers IN {nil}", [2]), ("ALL numbers IN {}", [0]), ("ANY numbers < nil", []),
        ("1 IN numbers", [1, 3]), ("nil IN numbers", [2]), ("{1, 5} IN numbers", [1, 2, 3]),
        ("ALL {1, 5} IN numbers", [0, 1, 3]), ("{1, 2, 3, 4, 6, 7, 8, 9, 10} IN numbers", [1, 3]),
        // One element must satisfy both bounds.
        ("ANY numbers BETWEEN {2, 4}", []), ("ANY numbers BETWEEN {1, 4}", [1, 3]),
        ("ANY list.a BETWEEN {2, 5}", [2, 3]),
        // A nil link on the way.
        ("ANY list.link.a == 1", [2]), ("ANY list.link.a == nil", [1, 2, 3]),
        ("ANY list.link.a != 1", [1, 2, 3]), ("ALL list.link.a == nil", [0, 1, 3]),
        ("ANY list.link == nil", [1, 2, 3]), ("ANY list.link != nil", [2]),
        ("link.size == 0", [1]), ("link.size != 0", [0, 2, 3]), ("link.size == nil", [0]),
        ("link.size < 1", [1]), ("NOT link.size < 1", [0, 2, 3]), ("link.link.size == nil", [0, 1]),
        ("link == nil", [0]), ("link != nil", [1, 2, 3]),
        // Counting.
        ("list.@count == 0", [0]), ("list.@count > 0", [1, 2, 3]), ("list.@count >= 1", [1, 2, 3]),
        ("list.@count != 0", [1, 2, 3]), ("list.@count < 1", [0]), ("list.@count <= 0", [0]),
        ("list.@count == 2", [2, 3]), ("list.@count >= 0", [0, 1, 2, 3]), ("list.@count < 0", []),
        ("list.@count > -1", [0, 1, 2, 3]), ("0 == list.@count", [0]), ("0 < list.@count", [1, 2, 3]),
        ("list.@count > 0.5", [1, 2, 3]), ("list.@count == 0.5", []), ("list.@count IN {0, 2}", [0, 2, 3]),
        ("list.@count BETWEEN {1, 2}", [1, 2, 3]), ("numbers.@count == 2", [2, 3]),
        ("link.list.@count == 0", [0, 1]), ("link.list.@count > 0", [2, 3]),
        ("NOT link.list.@count == 0", [2, 3]), ("list.@count == size", [0, 1, 2, 3]),
        ("size > link.list.@count", [1, 2]), ("link.size == list.@count", [3]),
        // Calculating.
        ("list.@sum.a == 0", [0]), ("list.@sum.a == 6", [3]), ("numbers.@sum == 5", [2]),
        ("link.list.@sum.a == 0", [0, 1]), ("NOT link.list.@sum.a == 0", [2, 3]),
        ("numbers.@min == nil", [0]), ("numbers.@max == nil", [0]), ("numbers.@avg == nil", [0]),
        ("numbers.@min != nil", [1, 2, 3]), ("link.numbers.@min == nil", [0, 1]),
        ("link.numbers.@avg != nil", [2, 3]), ("numbers.@avg == 3", [3]), ("numbers.@max > 1", [2, 3]),
        ("list.@min.a == 5", [2]), ("numbers.@max IN {1, nil}", [0, 1]),
        // Sub-queries: all of it for one element.
        ("SUBQUERY(list, $x, $x.a == 1).@count > 0", [1, 3]),
        ("SUBQUERY(list, $x, $x.a != 1).@count == 0", [0, 1]),
        ("SUBQUERY(list, $x, $x.a == 1 AND $x.a == 5).@count > 0", []),
        ("ANY list.a == 1 AND ANY list.a == 5", [3]),
        ("SUBQUERY(list, $x, TRUEPREDICATE).@count == 2", [2, 3]),
        ("SUBQUERY(link.list, $x, $x.a == 1).@count == 0", [0, 1, 3]),
        (
            "SUBQUERY(list, $x, SUBQUERY($x.linksFromHolder_list, $y, $y.size == 1).@count > 0).@count > 0",
            [1, 3]
        ),
        // Nothing at all.
        ("TRUEPREDICATE", [0, 1, 2, 3]), ("FALSEPREDICATE", []), ("NOT FALSEPREDICATE", [0, 1, 2, 3]),
    ]

    @Test(arguments: claims) func `links and collections`(_ text: String, _ wanted: [UInt64]) throws {
        let condition = try PredicateParser.parse(text)
        #expect(Self.model.rows(condition, of: 1) == wanted, "the model")
        try Self.store.get().store.read { session in
            let found = try session.rows(text, of: "Holder")
            let others = try session.rows("NOT (\(text))", of: "Holder")
            #expect(found == wanted)
            #expect(others == Set<UInt64>([0, 1, 2, 3]).subtracting(wanted).sorted())
        }
    }

    static let objectClaims: [(String, [Literal], [UInt64])] = [
        ("link == %@", [.object(0)], [1]), ("link != %@", [.object(0)], [0, 2, 3]),
        ("link IN %@", [.array([.object(0), .null])], [0, 1]),
        ("NOT link IN %@", [.array([.object(0)])], [0, 2, 3]),
        ("link IN %@", [.array([])], []), ("SELF == %@", [.object(2)], [2]),
        ("SELF != %@", [.object(2)], [0, 1, 3]),
        ("SELF IN %@", [.array([.object(3), .object(1)])], [1, 3]), ("SELF == nil", [], []),
        ("SELF != nil", [], [0, 1, 2, 3]),
        ("link == %@", [.object(TestNames.missingObject)], []),
        ("link != %@", [.object(TestNames.missingObject)], [0, 1, 2, 3]),
        ("SELF == %@", [.object(TestNames.missingObject)], []),
        ("SELF != %@", [.object(TestNames.missingObject)], [0, 1, 2, 3]),
        ("ANY list == %@", [.object(0)], [1, 3]), ("ANY list != %@", [.object(0)], [2, 3]),
        ("ALL list == %@", [.object(0)], [0, 1]),
        ("%@ IN list", [.object(2)], [2, 3]),
        ("ANY list IN %@", [.array([.object(1), .object(0)])], [1, 2, 3]),
        ("ANY list IN %@", [.array([])], []), ("ALL list IN %@", [.array([])], [0]),
        ("ANY list == nil", [], []),
        ("ANY list != nil", [], [1, 2, 3]), ("ALL list == nil", [], [0]), ("link == SELF", [], []),
        ("link != SELF", [], [0, 1, 2, 3]),
        ("link.link == link", [], [0]), ("SUBQUERY(list, $x, $x == %@).@count == 1", [.object(0)], [1, 3]),
    ]

    @Test(arguments: objectClaims) func `objects`(_ text: String, _ arguments: [Literal], _ wanted: [UInt64])
        throws
    {
        try Self.store.get().store.read { session in
            let found = try session.rows(text, arguments, of: "Holder")
            let others = try session.rows("NOT (\(text))", arguments, of: "Holder")
            #expect(found == wanted)
            #expect(others == Set<UInt64>([0, 1, 2, 3]).subtracting(wanted).sorted())
        }
    }

    @Test func `an object of another file is refused`() throws {
        try Self.store.get().store.read { session in
            let error = try session.bindingError(
                "link == %@", [.object(TestNames.foreignObject)], to: "Holder")
            #expect(error?.problem == .foreignObject)
        }
    }

    /// Of conditions made by other means than text, which may be empty.
    @Test func `AND of nothing is true and OR of nothing false`() throws {
        try Self.store.get().store.read { session in
            let space = try session.space("Holder")
            let binder = ConditionBinder(session.schema, TestNames(schema: session.schema))
            for (condition, count) in [
                (Condition.and([]), 4), (.or([]), 0), (.not(.or([])), 4), (.not(.and([])), 0),
            ] {
                let bound = try binder.bind(condition, to: space)
                let found = try session.rows(QueryDescription(space, condition: bound))
                #expect(found.count == count)
            }
        }
    }
}
