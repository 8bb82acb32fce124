import CairnPredicate
import Foundation
import Testing

@Suite struct LimitTests {
    /// The stack of a secondary thread on some systems, much smaller than the main one's.
    private static let smallStack = 512 * 1024

    /// Runs a closure on a thread with a small stack, and waits for it.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            done.signal()
        }
        thread.stackSize = Self.smallStack
        thread.start()
        done.wait()
    }

    private static func chain(_ word: String, _ count: Int) -> String {
        (0..<count).map { "id == \($0)" }.joined(separator: " \(word) ")
    }

    @Test(arguments: ["OR", "AND"])
    func `twenty thousand terms in a chain are one level`(word: String) throws {
        onSmallStack {
            do {
                let tree = try PredicateParser.parse(Self.chain(word, 20_000))
                switch tree {
                case .or(let parts), .and(let parts): #expect(parts.count == 20_000)
                default: Issue.record("no chain")
                }
                let fault = RoundTrip.fault(of: tree)
                #expect(fault == nil)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    private static func nested(_ opening: String, _ core: String, _ closing: String, _ count: Int) -> String {
        String(repeating: opening, count: count) + core + String(repeating: closing, count: count)
    }

    @Test(arguments: [
        ("(", "a == 1", ")"), ("NOT ", "a == 1", ""), ("!", "a == 1", ""), ("a == ", "1", ""),
        ("a == -", "1", ""), ("a == {", "1", "}"), ("f(", "1", ") == 1"), ("a == 1 + ", "1", ""),
        ("a == 1 ** -", "1", ""), ("a == -", "b", ""), ("ANY ", "a == 1", ""), ("(a == 1 OR ", "b == 1", ")"),
        ("SUBQUERY(a, $b, ", "a == 1", ").@count > 0"), ("a.", "b == 1", ""), ("a[0]", " == 1", ""),
        ("{", "", "}"), ("a == 1 AND (b == 1 OR ", "TRUEPREDICATE", ")"), ("-", "a == 1", ""),
        ("(", "a", " == 1)"), ("'", "", ""), ("a + (", "1", ") == 1"), ("f(a, ", "1", ")"),
    ])
    func `nesting of any depth ends in a tree or an error`(
        opening: String, core: String, closing: String
    ) {
        onSmallStack {
            for count in [1, 10, 60, 100, 101, 198, 199, 200, 201, 10_000] {
                let fault = RoundTrip.fault(of: Self.nested(opening, core, closing, count), [])
                #expect(fault == nil, "\(count) times \(opening)")
            }
        }
    }

    @Test func `a tree of the greatest height can be walked, printed and compared on a small stack`() throws {
        onSmallStack {
            do {
                let text = Self.nested("a == 1 AND (b == 1 OR ", "TRUEPREDICATE", ")", 99)
                let tree = try PredicateParser.parse(text)
                #expect(TreeOutline.of(tree).isEmpty == false)
                let fault = RoundTrip.fault(of: tree)
                #expect(fault == nil)
            } catch {
                Issue.record("\(error)")
            }
        }
    }

    @Test func `a thousand parentheses are an error that says where`() {
        #expect(throws: ParsingError(.tooDeep(limit: 200), 200..<201)) {
            try PredicateParser.parse(Self.nested("(", "a == 1", ")", 1000))
        }
    }

    @Test func `a long sum is refused before its tree is too high`() {
        let text = "a == " + Array(repeating: "1", count: 1000).joined(separator: " + ")
        #expect(throws: ParsingError.self) { try PredicateParser.parse(text) }
    }

    @Test func `arrays of arrays in an argument have the same limit`() throws {
        var value = Literal.int(1)
        for _ in 0..<199 { value = .array([value]) }
        #expect(throws: ParsingError.self) { try PredicateParser.parse("a IN %@", [value]) }
        var shallow = Literal.int(1)
        for _ in 0..<190 { shallow = .array([shallow]) }
        let fault = RoundTrip.fault(of: try PredicateParser.parse("a IN %@", [shallow]))
        #expect(fault == nil)
    }

    @Test func `a large list of arguments is one literal`() throws {
        let values = (0..<40_000).map { Literal.int($0) }
        let tree = try PredicateParser.parse("id IN %@", [.array(values)])
        let expected = Comparison(.path(PropertyPath([.property("id")])), .isIn, .literal(.array(values)))
        #expect(tree == .comparison(expected))
    }
}
