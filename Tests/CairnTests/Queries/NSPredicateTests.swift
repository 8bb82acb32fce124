import Cairn
import CairnPredicate
import Foundation
import Testing

@Suite struct NSPredicateTests {
    @Test func `a format with arguments is the tree of its text`() throws {
        let dog = Dog()
        let name: String? = nil
        let pairs: [(NSPredicate, StatedPredicate)] = [
            (NSPredicate(format: "age > 3"), try StatedPredicate(parsing: "age > 3", arguments: [])),
            (
                NSPredicate(format: "age > %d AND name BEGINSWITH[c] %@", 3, "r"),
                try StatedPredicate(parsing: "age > 3 AND name BEGINSWITH[c] 'r'", arguments: [])
            ),
            (
                NSPredicate(format: "name == %@", name),
                try StatedPredicate(parsing: "name == nil", arguments: [])
            ),
            (
                NSPredicate(format: "name == %@", nil),
                try StatedPredicate(parsing: "name == nil", arguments: [])
            ),
            (
                NSPredicate(format: "%K IN %@", argumentArray: ["a.b", [1, 2]]),
                try StatedPredicate(parsing: "a.b IN {1, 2}", arguments: [])
            ),
            (NSPredicate(format: "TRUEPREDICATE", argumentArray: nil), try StatedPredicate(true)),
            (
                NSPredicate(format: "ANY dogs == %@", dog),
                try StatedPredicate(parsing: "ANY dogs == %@", arguments: [dog])
            ),
        ]
        for (predicate, stated) in pairs {
            #expect(try StatedPredicate(predicate).condition == stated.condition)
        }
        #expect(try StatedPredicate(pairs[6].0).objects == [dog])
        let copy = try #require(pairs[0].0.copy() as? NSPredicate)
        #expect(try StatedPredicate(copy).condition == pairs[0].1.condition)
    }

    @Test func `constants`() throws {
        #expect(try StatedPredicate(NSPredicate(value: true)).condition == .constant(true))
        #expect(try StatedPredicate(NSPredicate(value: false)).condition == .constant(false))
    }

    @Test func `compounds are joined, and those of the same kind in one chain`() throws {
        let texts = ["a == 1", "b == 2 OR c == 3", "d == 4"]
        let parts = texts.map { NSPredicate(format: $0) }
        let and = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        #expect(try Self.text(and) == "a == 1 AND (b == 2 OR c == 3) AND d == 4")
        let or = NSCompoundPredicate(orPredicateWithSubpredicates: [and, parts[0]])
        #expect(try Self.text(or) == "(a == 1 AND (b == 2 OR c == 3) AND d == 4) OR a == 1")
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: or)
        #expect(try Self.text(not) == "NOT ((a == 1 AND (b == 2 OR c == 3) AND d == 4) OR a == 1)")
        let nested = NSCompoundPredicate(andPredicateWithSubpredicates: [
            and, NSCompoundPredicate(andPredicateWithSubpredicates: [parts[0], NSPredicate(value: true)]),
        ])
        #expect(
            try Self.text(nested)
                == "a == 1 AND (b == 2 OR c == 3) AND d == 4 AND a == 1 AND TRUEPREDICATE")
    }

    @Test func `a compound of nothing is true for AND and false for OR`() throws {
        let and = NSCompoundPredicate(andPredicateWithSubpredicates: [])
        let or = NSCompoundPredicate(orPredicateWithSubpredicates: [])
        #expect(try StatedPredicate(and).condition == .constant(true))
        #expect(try StatedPredicate(or).condition == .constant(false))
        let single = NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: "a == 1")])
        #expect(try Self.text(single) == "a == 1")
    }

    @Test func `objects of several parts get numbers of the whole`() throws {
        let dogs = [Dog(), Dog(), Dog()]
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "a == %@", dogs[0]),
            NSPredicate(
                format: "a IN %@ OR SUBQUERY(b, $x, $x == %@).@count > 1", [dogs[1], dogs[0]], dogs[2]),
        ])
        let stated = try StatedPredicate(predicate)
        #expect(
            stated.condition.description
                == "a == object(0) AND (a IN {object(1), object(0)} OR SUBQUERY(b, $x, $x == object(2)).@count > 1)"
        )
        #expect(stated.objects.count == 3)
        #expect(zip(stated.objects, dogs).allSatisfy { $0 === $1 })
    }

    @Test func `places are places in the text of the whole`() throws {
        let predicate = NSCompoundPredicate(
            notPredicateWithSubpredicate: NSCompoundPredicate(
                orPredicateWithSubpredicates: [
                    NSPredicate(format: "ä == 1"), NSPredicate(format: "name == %@ AND second == 2", "x"),
                ]))
        let stated = try StatedPredicate(predicate)
        let text = try #require(stated.text)
        #expect(text == "NOT ((ä == 1) OR (name == %@ AND second == 2))")
        guard case .not(.or(let parts)) = stated.condition, case .and(let inner) = parts[1],
            case .comparison(let comparison) = inner[1], case .path(let path) = comparison.left
        else {
            Issue.record("\(stated.condition)")
            return
        }
        let bytes = Array(text.utf8)
        let range = try #require(path.place.range)
        #expect(String(decoding: bytes[range], as: UTF8.self) == "second")
        let whole = try #require(comparison.place.range)
        #expect(String(decoding: bytes[whole], as: UTF8.self) == "second == 2")
    }

    @Test func `a block is refused, also within a compound`() {
        let block = NSPredicate { _, _ in true }
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(value: true), block])
        for predicate in [block, compound] {
            let error = #expect(throws: RealmError.self) { try StatedPredicate(predicate) }
            #expect(error?.code == .misuse)
            #expect(error?.message.hasPrefix("A predicate with a block cannot be used in a query") == true)
        }
    }

    @Test func `a chain of thousands is flat, and too many levels are an error`() throws {
        var chain: NSPredicate = NSPredicate(format: "a == 1")
        for _ in 0..<5_000 {
            chain = NSCompoundPredicate(andPredicateWithSubpredicates: [chain, NSPredicate(format: "b == 2")])
        }
        guard case .and(let parts) = try StatedPredicate(chain).condition else {
            Issue.record("not a chain")
            return
        }
        #expect(parts.count == 5_001)
        var deep: NSPredicate = NSPredicate(format: "a == 1")
        for _ in 0..<5_000 { deep = NSCompoundPredicate(notPredicateWithSubpredicate: deep) }
        let error = #expect(throws: RealmError.self) { try StatedPredicate(deep) }
        #expect(error?.message == "The compound predicate is nested more than 200 levels deep.")
    }

    @Test func `a badly formed format traps with the place`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "age 3")
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("is expected, not “3”"))
        #expect(words.contains("    ^"))
    }

    @Test func `evaluating a predicate of text says what to do instead`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "age == 3").evaluate(with: Person())
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("filter a collection with it"))
    }

    // MARK: Trees

    static func text(_ predicate: NSPredicate) throws -> String {
        let stated = try StatedPredicate(predicate)
        let text = try #require(stated.text)
        // The text of the whole says the same.
        #expect(
            try StatedPredicate(parsing: text, arguments: []).condition.description
                == stated.condition.description)
        return stated.condition.description
    }
}

extension StatedPredicate {
    init(_ constant: Bool) throws {
        try self.init(parsing: constant ? "TRUEPREDICATE" : "FALSEPREDICATE", arguments: [])
    }
}
