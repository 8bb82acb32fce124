import CairnPredicate
import Foundation
import Testing

@Suite struct ScriptTests {
    @Test(arguments: Script.names)
    func `what comes of each predicate is what the script says`(name: String) throws {
        var script = try Script(named: name)
        for (index, entry) in script.entries.enumerated() where entry.isPredicate {
            let outcome = try entry.outcome()
            if Script.isUpdating {
                script.entries[index].expected = outcome.components(separatedBy: "\n")
            } else {
                #expect(outcome == entry.expected.joined(separator: "\n"), "\(name): \(entry.text)")
            }
        }
        if Script.isUpdating { try script.save() }
    }

    @Test func `each predicate of the scripts prints as text that parses to the same tree`() throws {
        for entry in try Script.all().flatMap(\.entries) where entry.isPredicate {
            let fault = RoundTrip.fault(of: entry.text, try entry.literals())
            #expect(fault == nil, "\(entry.text)")
        }
    }

    /// The names of problems without what they hold.
    private static func name(_ problem: ParsingError.Problem) -> String {
        String("\(problem)".prefix { $0 != "(" })
    }

    @Test func `the scripts have an example of each problem and each expectation`() throws {
        var problems: Set<String> = []
        var expectations: Set<ParsingError.Expectation> = []
        for entry in try Script.all().flatMap(\.entries) where entry.isPredicate {
            do {
                _ = try PredicateParser.parse(entry.text, try entry.literals())
            } catch let error as ParsingError {
                problems.insert(Self.name(error.problem))
                if let expected = error.expected { expectations.insert(expected) }
            }
        }
        let all: [ParsingError.Problem] = [
            .unknownCharacter, .unterminatedString, .unknownEscape, .malformedNumber, .numberTooLarge,
            .missingName, .unknownPlaceholder, .unknownCollectionOperator, .unexpected, .reservedWord,
            .notACondition, .notAValue, .notAPath, .quantifierWithoutComparison, .unknownOption,
            .unsupportedSubscript, .unclosed, .tooDeep(limit: 0), .missingArgument(number: 0),
            .unusedArguments(given: 0, used: 0), .wrongArgument(number: 0, kind: .null),
            .malformedPath(number: 0),
        ]
        #expect(Set(all.map(Self.name)).subtracting(problems) == [])
        #expect(Set(ParsingError.Expectation.allCases).subtracting(expectations) == [])
    }

    /// Every way to break off, to leave out a byte, and to put a sign in between.
    @Test func `no text near those of the scripts traps the parser`() throws {
        let signs = Array("('{[%@$#.,-!é\\\"".utf8)
        for entry in try Script.all().flatMap(\.entries)
        where entry.isPredicate && entry.text.utf8.count < 200 {
            let literals = try entry.literals()
            let bytes = Array(entry.text.utf8)
            for cut in bytes.indices {
                var variants = [Array(bytes[..<cut]), Array(bytes[cut...])]
                variants.append(Array(bytes[..<cut] + bytes[(cut + 1)...]))
                let sign = signs[cut % signs.count]
                variants.append(Array(bytes[..<cut] + [sign] + bytes[cut...]))
                for variant in variants {
                    let text = String(decoding: variant, as: UTF8.self)
                    // Not #expect, which would take most of the time.
                    if let fault = RoundTrip.fault(of: text, literals) { Issue.record("\(text): \(fault)") }
                }
            }
        }
    }
}
