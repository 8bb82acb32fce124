import CairnPredicate
import CairnQuery
import CairnStorage
import Foundation
import Testing

/// Very many, very deep, very often.
@Suite struct LimitTests {
    private func makeStore(_ count: Int) throws -> QueryStore {
        let store = try QueryStore()
        try store.change { session in
            let properties = [
                ModelProperty(name: "a", kind: .int, index: .hash), ModelProperty(name: "b", kind: .int),
                ModelProperty(name: "name", kind: .string),
                ModelProperty(name: "link", kind: .link, target: 0),
                ModelProperty(name: "list", kind: .link, isList: true, target: 0),
            ]
            let rows = (0..<UInt64(count)).map { row in
                ModelRow(
                    key: row,
                    cells: [
                        .value(.int(Int64(row))), .value(.int(Int64(row))), .value(.text("é \(row)")),
                        .value(.object(row)), .list([.object(row)]),
                    ])
            }
            let model = Model(tables: [ModelTable(name: "T", properties: properties, rows: rows)])
            try model.makeTables(in: session, isIndexed: true)
            try model.insertRows(in: session)
        }
        return store
    }

    /// What a body on a thread with a small stack gives.
    private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws
        -> Result
    {
        let holder = Holder<Result>()
        let thread = Thread { holder.finish { try body() } }
        thread.stackSize = 512 << 10
        thread.start()
        return try holder.wait()
    }

    /// Written by one thread before the semaphore is raised, and read by the other behind it.
    private final class Holder<Result: Sendable>: @unchecked Sendable {
        private let isDone = DispatchSemaphore(value: 0)
        private var result: Swift.Result<Result, any Error>?

        func finish(_ body: () throws -> Result) {
            result = Swift.Result { try body() }
            isDone.signal()
        }

        func wait() throws -> Result {
            isDone.wait()
            guard let result else { preconditionFailure("a thread ended without a result") }
            return try result.get()
        }
    }

    @Test(arguments: [
        ("a == %d", 20_000), ("b > %d", 20_000), ("name == 'é %d'", 5_000), ("link.b == %d", 2_000),
        ("ANY list.b == %d", 2_000),
    ])
    func `twenty thousand terms need no deep stack`(_ term: String, _ count: Int) throws {
        let terms = (0..<count).map { term.replacing("%d", with: "\($0 % 2 == 0 ? $0 : -$0)") }
        let (any, all) = try onSmallStack {
            let store = try makeStore(3)
            return try store.read { session in
                let any = try session.rows(terms.joined(separator: " OR "), of: "T")
                let all = try session.rows(terms.joined(separator: " AND "), of: "T")
                for separator in [" OR ", " AND "] {
                    let bound = try session.bind(terms.joined(separator: separator), to: "T")
                    _ = try session.evaluation(QueryDescription(try session.space("T"), condition: bound))
                        .explain()
                }
                return (any, all)
            }
        }
        #expect(any == (term.contains(">") ? [0, 1, 2] : [0, 2]))
        #expect(all == [])
    }

    /// As high as the parser makes a tree, in every way that makes it higher.
    @Test(arguments: ["NOT (", "(TRUEPREDICATE AND ", "(b == -1 OR "])
    func `a tree as high as the parser makes it needs no deep stack`(_ opening: String) throws {
        let depth = 90
        let text = String(repeating: opening, count: depth) + "b == 1" + String(repeating: ")", count: depth)
        let found = try onSmallStack {
            let store = try makeStore(3)
            return try store.read { session in
                let bound = try session.bind(text, to: "T")
                _ = try session.evaluation(QueryDescription(try session.space("T"), condition: bound))
                    .explain()
                return try session.rows(text, of: "T")
            }
        }
        #expect(found == [1])
    }

    @Test func `sub-queries are nested sixteen deep, and no deeper`() throws {
        let found = try onSmallStack {
            let store = try makeStore(3)
            return try store.read { session in
                let error = try session.bindingError(Self.nested(17), to: "T")
                return (try session.rows(Self.nested(16), of: "T"), error?.message)
            }
        }
        #expect(found.0 == [1])
        #expect(found.1 == "Sub-queries are nested 16 deep at most.")
    }

    private static func nested(_ depth: Int) -> String {
        var text = "$x\(depth - 1).b == 1"
        for level in (0..<depth).reversed() {
            let owner = level == 0 ? "list" : "$x\(level - 1).list"
            text = "SUBQUERY(\(owner), $x\(level), \(text)).@count > 0"
        }
        return text
    }

    @Test func `a thousand parentheses are refused by the parser`() throws {
        let text = String(repeating: "(", count: 1_000) + "b == 1" + String(repeating: ")", count: 1_000)
        #expect(throws: ParsingError.self) { try PredicateParser.parse(text) }
    }

    @Test func `a path as long as one likes`() throws {
        let store = try makeStore(3)
        try store.read { session in
            let path = String(repeating: "link.", count: 150) + "b == 1"
            let found = try session.rows(path, of: "T")
            #expect(found == [1])
        }
    }

    @Test func `IN of a hundred thousand values`() throws {
        let store = try makeStore(2_000)
        try store.read { session in
            let numbers = Literal.array((0..<100_000).map { .int(Int64($0 * 3)) })
            for name in ["a", "b", "link.b", "ANY list.b"] {
                let found = try session.rows("\(name) IN %@", [numbers], of: "T")
                #expect(found == stride(from: 0, to: 2_000, by: 3).map { UInt64($0) })
            }
            let texts = Literal.array((0..<100_000).map { .string("É \($0 * 3)") })
            let found = try session.rows("name IN[c] %@", [texts], of: "T")
            #expect(found.count == 667)
        }
    }

    /// A program that only reads must not grow. In a process of its own, where no other test allocates.
    @Test func `a hundred thousand queries at one version leave memory as it is`() async {
        await #expect(processExitsWith: .success) {
            let growth = try LimitTests().growth(of: CommandLine.isLong ? 100_000 : 10_000)
            precondition(growth < 10 << 20, "memory grew by \(growth) bytes")
        }
    }

    /// How many bytes many queries of different constants add to the memory of the process.
    private func growth(of count: Int) throws -> Int {
        let store = try makeStore(100)
        return try store.read { session in
            let context = QueryContext(session, FoldedChunks())
            let space = try session.space("T")
            func ask(_ range: Range<Int>) throws {
                for number in range {
                    let bound = try session.bind(
                        "b == \(number) OR name CONTAINS[c] 'É \(number)' OR link.b == \(-number - 1)",
                        to: "T")
                    _ = try QueryEvaluation(QueryDescription(space, condition: bound), context).count()
                }
            }
            try ask(0..<2_000)
            let before = try Self.residentByteCount()
            try ask(2_000..<count)
            return try Self.residentByteCount() - before
        }
    }

    private static func residentByteCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }
}

extension CommandLine {
    static var isLong: Bool { ProcessInfo.processInfo.environment["CAIRN_LONG"] != nil }
}
