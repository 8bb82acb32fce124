#if canImport(CairnPredicate)
import CairnPredicate
#endif

/// What must hold of any text and any arguments. The fuzzer and the tests ask the same.
enum RoundTrip {
    /// What is wrong, or nil.
    ///
    /// - A text that parses prints as text that parses to the same tree, and prints the same again.
    /// - An error lies within the text and has a message.
    static func fault(of text: String, _ arguments: [Literal]) -> String? {
        do {
            return fault(of: try PredicateParser.parse(text, arguments))
        } catch {
            let bounds = 0...text.utf8.count
            guard bounds.contains(error.range.lowerBound), bounds.contains(error.range.upperBound) else {
                return "the error is at \(error.range) of \(text.utf8.count) bytes"
            }
            let sentence = ErrorSentence(error, in: text)
            return sentence.sentence.isEmpty ? "no sentence for \(error)" : nil
        }
    }

    /// Arguments for a text that nobody wrote any for: one for each placeholder that seems to be in it.
    static func arguments(for text: String) -> [Literal] {
        let bytes = Array(text.utf8)
        var arguments: [Literal] = []
        for (first, second) in zip(bytes, bytes.dropFirst()) where first == UInt8(ascii: "%") {
            switch second {
            case UInt8(ascii: "K"): arguments.append(.string(paths[arguments.count % paths.count]))
            case UInt8(ascii: "@"): arguments.append(values[arguments.count % values.count])
            case UInt8(ascii: "%"): break
            default: arguments.append(.int(Int64(arguments.count)))
            }
        }
        return arguments
    }

    private static let paths = ["owner.age", "in", "two words", "SELF.a", "#any", "dogs.@count", "a..b"]
    private static let values: [Literal] = [
        .string("it's"), .int(-1), .null, .float(.nan), .double(-0.0), .bytes([0, 255]), .date(1.5),
        .objectID(high: 1, low: 2), .uuid(high: 3, low: 4), .decimal(high: 5, low: 6), .object(7),
        .array([.int(1), .array([]), .double(.infinity)]), .bool(true), .int(.min),
    ]

    /// What is wrong with printing a tree, or nil.
    static func fault(of condition: Condition) -> String? {
        let printed = PredicateText(condition)
        do {
            let again = try PredicateParser.parse(printed.text, printed.arguments)
            guard again == condition else { return "\(printed) parses to \(PredicateText(again))" }
            guard condition.description.isEmpty == false else { return "no description of \(printed)" }
            return PredicateText(again) == printed ? nil : "\(printed) prints as \(PredicateText(again))"
        } catch {
            return "\(printed) does not parse: \(ErrorSentence(error, in: printed.text))"
        }
    }
}
