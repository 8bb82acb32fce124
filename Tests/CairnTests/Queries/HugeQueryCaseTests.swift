import Cairn
import Foundation
import TestSupport
import Testing

/// Chains of tens of thousands, groups of nothing, and very many queries.
@Suite struct HugeQueryCaseTests {
    private func rows(_ scratch: Scratch) throws -> Realm {
        let realm = try scratch.realm()
        try realm.write {
            for place in 0..<10 {
                let row = realm.create(CaseRow.self, value: ["place": place])
                (row.number, row.plain) = (place * 1_000, "n\(place * 1_000 + 1)")
            }
        }
        return realm
    }

    /// Runs on a thread with a stack of 512 KiB.
    private func onSmallStack<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) throws -> Result {
        let box = SmallStackResult<Result>()
        let thread = Thread {
            box.result = Swift.Result { try body() }
            box.done.signal()
        }
        thread.stackSize = 512 * 1_024
        thread.start()
        box.done.wait()
        return try #require(box.result).get()
    }

    @Test func `a chain of 20000 as text fits a small stack`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try rows(scratch)
        let configuration = realm.configuration
        let found = try onSmallStack {
            let rows = try Realm(configuration: configuration).objects(CaseRow.self)
            // One column, which becomes one set; two columns; and what cannot be made a set.
            let one = (0..<20_000).map { "number == \($0)" }.joined(separator: " OR ")
            let two = (0..<10_000).map { "number == \($0) OR plain == 'n\($0)'" }.joined(separator: " OR ")
            let ranges = (0..<20_000).map { "(number > \($0) AND number < \($0 + 2))" }
                .joined(separator: " || ")
            let all = (0..<20_000).map { "number != \($0)" }.joined(separator: " AND ")
            let compound = NSCompoundPredicate(
                orPredicateWithSubpredicates: (0..<20_000).map { NSPredicate(format: "number == %d", $0) })
            return [
                rows.filter(one).count, rows.filter(two).count, rows.filter(ranges).count,
                rows.filter(all).count, rows.filter("NOT (\(all))").count, rows.filter(compound).count,
            ]
        }
        #expect(found == [10, 10, 9, 0, 10, 10])
    }

    @Test func `a chain of 20000 built of queries fits a small stack`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try rows(scratch)
        let configuration = realm.configuration
        let found = try onSmallStack {
            let rows = try Realm(configuration: configuration).objects(CaseRow.self)
            let one = rows.where { row in (1..<20_000).reduce(row.number == 0) { $0 || row.number == $1 } }
            let two = rows.where { row in
                (1..<20_000).reduce(row.number == 0) {
                    $0 || ($1.isMultiple(of: 2) ? row.number == $1 : row.plain == "n\($1)")
                }
            }
            let all = rows.where { row in (1..<20_000).reduce(row.number != 0) { $0 && row.number != $1 } }
            let right = rows.where { row in (1..<20_000).reduce(row.number == 0) { row.number == $1 || $0 } }
            return [one.count, two.count, all.count, right.count]
        }
        #expect(found == [10, 10, 0, 10])
    }

    /// The parts of a chain are shared by those who go on from it.
    @Test func `a query that is used in several places stays as it was`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let rows = try rows(scratch).objects(CaseRow.self)
        let row = Query<CaseRow>._constructForTesting()
        let two = row.place == 0 || row.place == 1
        let three = two || row.place == 2
        let other = two || row.place == 3
        let twice = three || three
        let both = two && three && row.place != 0
        let longer = other || (row.place == 4 || row.place == 5)
        func places(_ query: Query<Bool>) -> [Int] { rows.where { _ in query }.map(\.place) }
        #expect(places(two) == [0, 1])
        #expect(places(three) == [0, 1, 2])
        #expect(places(other) == [0, 1, 3])
        #expect(places(twice) == [0, 1, 2])
        #expect(places(both) == [1])
        #expect(places(longer) == [0, 1, 3, 4, 5])
        #expect(places(!two) == Array(2...9))
        #expect(places(two) == [0, 1])
        #expect(two._constructPredicate().0 == "((place == %@) || (place == %@))")
    }

    @Test func `OR of nothing is none, AND of nothing all`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let rows = try rows(scratch).objects(CaseRow.self)
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [])
        #expect(rows.filter(either).isEmpty)
        #expect(rows.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [])).count == 10)
        #expect(rows.filter(NSCompoundPredicate(notPredicateWithSubpredicate: either)).count == 10)
        #expect(rows.filter("number IN %@", [Int]()).isEmpty)
        #expect(rows.filter("NOT number IN {}").count == 10)
    }

    /// A server that only reads: at one version, with ever new constants. In a process of its own, whose memory is
    /// nobody else's.
    @Test func `memory levels off over very many queries at one version`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch([CaseRow.self, CaseHolder.self])
            let rows = try HugeQueryCaseTests().rows(scratch).objects(CaseRow.self)
            let count = ProcessInfo.processInfo.environment["CAIRN_LONG"] == nil ? 20_000 : 1_000_000
            var found = 0
            var before = 0
            for number in 0..<count {
                if number == count / 4 { before = try HugeQueryCaseTests.residentBytes() }
                switch number & 3 {
                case 0: found += rows.filter("number == %d", number).count
                case 1: found += rows.filter("plain == 'n\(number)'").count
                case 2: found += rows.where { $0.number == number }.count
                default: found += rows.filter("plain ==[c] %@", "N\(number)").first == nil ? 0 : 1
                }
            }
            #expect(found == 20)
            let growth = try HugeQueryCaseTests.residentBytes() - before
            #expect(growth < 10 << 20, "\(growth) bytes")
        }
    }

    private static func residentBytes() throws -> Int {
        let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(words[1])) * sysconf(Int32(_SC_PAGESIZE))
    }
}

private final class SmallStackResult<Success: Sendable>: @unchecked Sendable {
    // @unchecked: written by the one thread before the signal that the other waits for.
    var result: Result<Success, any Error>?
    let done = DispatchSemaphore(value: 0)
}
