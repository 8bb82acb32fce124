import CairnPredicate
import Foundation
import Testing

@Suite struct RoundTripTests {
    private static let isLong = ProcessInfo.processInfo.environment["CAIRN_LONG"] != nil
    private static let seeds: [UInt64] =
        if let text = ProcessInfo.processInfo.environment["CAIRN_SEED"], let seed = UInt64(text) {
            [seed]
        } else {
            [1, 2, UInt64.random(in: 0...UInt64(UInt32.max))]
        }

    /// `CAIRN_SEED` repeats a run.
    @Test(arguments: seeds)
    func `random trees print as text that parses to the same tree`(seed: UInt64) {
        var trees = RandomTrees(seed: seed)
        var byteCount = 0
        let count = Self.isLong ? 100_000 : 1000
        for index in 0..<count {
            let tree = trees.condition(index % 5)
            byteCount += PredicateText(tree).text.utf8.count
            if let fault = RoundTrip.fault(of: tree) {
                Issue.record("seed \(seed), tree \(index): \(fault)")
                return
            }
        }
        print("round trips of seed \(seed): \(count) trees, \(byteCount) bytes")
    }

    @Test(arguments: seeds)
    func `random trees print as a template that parses to the same tree`(seed: UInt64) throws {
        var trees = RandomTrees(seed: seed)
        for index in 0..<200 {
            let tree = trees.condition(index % 5)
            let printed = PredicateText(tree, isTemplate: true)
            let again = try PredicateParser.parse(printed.text, printed.arguments)
            #expect(again == tree, "seed \(seed), tree \(index): \(printed)")
        }
    }

    @Test func `a template has no values in its text`() throws {
        let tree = try PredicateParser.parse(
            "a > 1 AND NOT b == 'x' OR c BETWEEN {1, 2.5} OR ANY d.e IN {1, NULL}")
        let printed = PredicateText(tree, isTemplate: true)
        #expect(
            printed.text
                == "(((a > %@) && NOT (b == %@)) || (c BETWEEN {%@, %@}) || (ANY d.e IN %@))")
        #expect(
            printed.arguments == [.int(1), .string("x"), .int(1), .double(2.5), .array([.int(1), .null])])
    }

    @Test func `quotes, backslashes and format characters of a value come back`() throws {
        let value = "a\"b'c\\ %@ $0 {1}"
        let given = try PredicateParser.parse("name == %@", [.string(value)])
        let printed = PredicateText(given)
        #expect(printed.arguments.isEmpty)
        #expect(try PredicateParser.parse(printed.text) == given)
    }

    @Test func `trees that differ in one thing are not equal`() throws {
        let texts = [
            "a == 1", "a == 1.0", "a == -1", "a == '1'", "a != 1", "b == 1", "ANY a == 1", "ALL a == 1",
            "a ==[c] 1", "a ==[d] 1", "NOT a == 1", "a == '\u{e9}'", "a == 'e\u{301}'", "a == 0.0",
            "a == -0.0",
            "a == TRUE", "a == NULL", "a == {1}", "a == {b}", "a.@count == 1", "a[0] == 1", "a['0'] == 1",
            "a[#any] == 1", "$a == 1", "a() == 1", "TRUEPREDICATE", "FALSEPREDICATE", "a == 1 AND a == 1",
            "a == 1 OR a == 1", "-a == 1", "a + 1 == 1", "a - 1 == 1",
        ]
        let trees = try texts.map { try PredicateParser.parse($0) }
        #expect(Set(trees).count == texts.count)
    }

    @Test func `the same tree from other places is equal`() throws {
        let trees = try ["a.b>1", "  a . b > ( 1 )", "(((a.b) > 1))"].map { try PredicateParser.parse($0) }
        #expect(Set(trees).count == 1)
    }
}
