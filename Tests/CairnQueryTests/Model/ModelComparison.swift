import CairnPredicate
import Foundation

/// What is true of two values: the truth table of `docs/queries.md`, and nothing else.
enum ModelComparison {
    /// The order of two values of one sort; nil where they are in none: null, NaN, different sorts.
    static func order(_ left: ModelValue, _ right: ModelValue) -> Int? {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return sign(left ? 1 : 0, right ? 1 : 0)
        case (.int(let left), .int(let right)): return sign(left, right)
        case (.date(let left), .date(let right)): return sign(left, right)
        case (.object(let left), .object(let right)): return sign(left, right)
        case (.string(let left), .string(let right)), (.binary(let left), .binary(let right)),
            (.objectId(let left), .objectId(let right)), (.uuid(let left), .uuid(let right)):
            return bytes(left, right)
        case (.decimal, _), (_, .decimal):
            guard let left = decimal(left), let right = decimal(right) else { return nil }
            return ModelDecimal.order(left, right)
        case (.int(let left), _):
            return real(right).flatMap { order(left, $0) }
        case (_, .int(let right)):
            return real(left).flatMap { order(right, $0) }.map { -$0 }
        default:
            guard let left = real(left), let right = real(right) else { return nil }
            return sign(left, right)
        }
    }

    private static func sign<Number: Comparable>(_ left: Number, _ right: Number) -> Int? {
        left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
    }

    private static func bytes(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    private static func real(_ value: ModelValue) -> Double? {
        switch value {
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    private static func decimal(_ value: ModelValue) -> ModelDecimal? {
        switch value {
        case .decimal(let value): value
        case .int(let value): ModelDecimal(value)
        case .float(let value): ModelDecimal(Double(value))
        case .double(let value): ModelDecimal(value)
        default: nil
        }
    }

    /// Without rounding the integer: by its whole part, then by whether there is a rest.
    private static func order(_ left: Int64, _ right: Double) -> Int? {
        if right.isNaN { return nil }
        if abs(right) > 1e30 { return right > 0 ? -1 : 1 }
        let whole = Int128(right.rounded(.towardZero))
        if Int128(left) != whole { return Int128(left) < whole ? -1 : 1 }
        let rest = right - right.rounded(.towardZero)
        return rest > 0 ? -1 : rest < 0 ? 1 : 0
    }

    static func areEqual(
        _ left: ModelValue, _ right: ModelValue, _ options: Comparison.Options = []
    ) -> Bool {
        if left == .null || right == .null { return left == right }
        return order(folded(left, options), folded(right, options)) == 0
    }

    /// What a text comes down to with `[c]` and `[d]`.
    static func folded(_ value: ModelValue, _ options: Comparison.Options) -> ModelValue {
        switch value {
        case .string(let bytes) where !options.isEmpty:
            var folding: String.CompareOptions = []
            if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
            if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
            return .text(String(decoding: bytes, as: UTF8.self).folding(options: folding, locale: nil))
        case .binary(let bytes) where options.contains(.caseInsensitive):
            return .binary(bytes.map { 0x41...0x5A ~= $0 ? $0 + 32 : $0 })
        default: return value
        }
    }

    /// Whether a relation holds between two values.
    static func holds(
        _ left: ModelValue, _ relation: Comparison.Relation, _ right: ModelValue,
        _ options: Comparison.Options
    ) -> Bool {
        switch relation {
        case .equal: return areEqual(left, right, options)
        case .notEqual: return !areEqual(left, right, options)
        case .less: return order(left, right).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(left, right).map { $0 <= 0 } ?? false
        case .greater: return order(left, right).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(left, right).map { $0 >= 0 } ?? false
        case .beginsWith, .endsWith, .contains, .like:
            return textHolds(folded(left, options), relation, folded(right, options))
        case .between, .isIn, .matches: preconditionFailure("\(relation) is no relation of two values")
        }
    }

    private static func textHolds(
        _ left: ModelValue, _ relation: Comparison.Relation, _ right: ModelValue
    ) -> Bool {
        let text: [UInt8]
        let needle: [UInt8]
        switch (left, right) {
        case (.string(let left), .string(let right)), (.binary(let left), .binary(let right)):
            (text, needle) = (left, right)
        default: return false
        }
        switch relation {
        case .like: return like(text, needle)
        case _ where needle.isEmpty || needle.count > text.count: return false
        case .beginsWith: return Array(text.prefix(needle.count)) == needle
        case .endsWith: return Array(text.suffix(needle.count)) == needle
        default:
            return (0...(text.count - needle.count)).contains { start in
                text[start] == needle[0] && Array(text[start..<(start + needle.count)]) == needle
            }
        }
    }

    /// By a table of which beginnings of the pattern fit which beginnings of the text, in bytes.
    static func like(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
        var fits: Set<Int> = [0]
        for letter in pattern {
            switch letter {
            case 0x2A: if let first = fits.min() { fits = Set(first...text.count) }
            case 0x3F: fits = Set(fits.filter { $0 < text.count }.map { nextCharacter(text, $0) })
            default: fits = Set(fits.filter { $0 < text.count && text[$0] == letter }.map { $0 + 1 })
            }
        }
        return fits.contains(text.count)
    }

    private static func nextCharacter(_ text: [UInt8], _ place: Int) -> Int {
        text[(place + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? text.count
    }
}
