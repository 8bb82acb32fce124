internal import CairnStorage

/// A value that was read, of whatever kind: what comparisons of two properties and calculations work with.
/// Columns against constants never come to it.
enum ScalarValue {
    case null
    /// Ints, bools, and links as the row key + 1.
    case int(Int64)
    /// Doubles, floats and dates.
    case double(Double)
    case decimal(DecimalNumber)
    /// Strings, binary and identifiers. Valid until the session's next change.
    case bytes(UnsafeRawBufferPointer)

    /// From stored bytes.
    init(_ bytes: UnsafeRawBufferPointer?, _ kind: ValueKind) {
        guard let bytes else {
            self = .null
            return
        }
        switch kind {
        case .bool: self = .int(bytes[0] == 0 ? 0 : 1)
        case .int: self = .int(bytes.loadUnaligned(as: Int64.self))
        case .float: self = .double(Double(bytes.loadUnaligned(as: Float.self)))
        case .double, .date: self = .double(bytes.loadUnaligned(as: Double.self))
        case .decimal:
            self = .decimal(
                DecimalNumber(bytes))
        case .string, .binary, .objectId, .uuid: self = .bytes(bytes)
        case .link:
            let word = bytes.loadUnaligned(as: UInt64.self)
            self = word == 0 ? .null : .int(Int64(bitPattern: word))
        case .backlinks: self = .null
        }
    }

    /// Whether two values are in a relation. Null equals null, and is in no other relation to anything.
    static func holds(
        _ left: ScalarValue, _ relation: ScalarRelation, _ right: ScalarValue, _ folding: TextFolding
    ) -> Bool {
        switch relation {
        case .equal: return areEqual(left, right, folding)
        case .notEqual: return !areEqual(left, right, folding)
        case .less: return order(left, right).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(left, right).map { $0 <= 0 } ?? false
        case .greater: return order(left, right).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(left, right).map { $0 >= 0 } ?? false
        case .beginsWith, .endsWith, .contains, .like:
            guard case .bytes(let text) = left, case .bytes(let needle) = right else { return false }
            return holds(text, relation, needle, folding)
        }
    }

    private static func areEqual(_ left: ScalarValue, _ right: ScalarValue, _ folding: TextFolding) -> Bool {
        if case .null = left, case .null = right { return true }
        if !folding.isEmpty, case .bytes(let left) = left, case .bytes(let right) = right {
            return folding.fold(left) == folding.fold(right)
        }
        return order(left, right) == 0
    }

    private static func holds(
        _ text: UnsafeRawBufferPointer, _ relation: ScalarRelation, _ needle: UnsafeRawBufferPointer,
        _ folding: TextFolding
    ) -> Bool {
        // An empty text is not found, as with constants.
        if needle.isEmpty, relation != .like { return false }
        if !folding.isEmpty {
            let needle = folding.fold(needle)
            return folding.fold(text).withUnsafeBytes { text in
                needle.withUnsafeBytes { holds(text, relation, $0, []) }
            }
        }
        switch relation {
        case .beginsWith: return ByteOrder.hasPrefix(text, needle)
        case .endsWith: return ByteOrder.hasSuffix(text, needle)
        case .contains: return ByteOrder.contains(text, needle)
        default: return LikePattern(bytes: Array(needle)).matches(text)
        }
    }

    /// Negative, zero or positive; nil where they cannot be compared: null, NaN.
    static func order(_ left: ScalarValue, _ right: ScalarValue) -> Int? {
        switch (left, right) {
        case (.int(let left), .int(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.double(let left), .double(let right)):
            if left.isNaN || right.isNaN { return nil }
            return left < right ? -1 : left == right ? 0 : 1
        case (.int(let left), .double(let right)): return ExactOrder.compare(left, right)
        case (.double(let left), .int(let right)): return ExactOrder.compare(right, left).map { -$0 }
        case (.bytes(let left), .bytes(let right)): return ByteOrder.compare(left, right)
        case (.decimal(let left), .decimal(let right)): return order(left, right)
        case (.decimal(let left), .int(let right)): return order(left, DecimalNumber(right))
        case (.int(let left), .decimal(let right)): return order(DecimalNumber(left), right)
        case (.decimal(let left), .double(let right)): return order(left, DecimalNumber(right))
        case (.double(let left), .decimal(let right)): return order(DecimalNumber(left), right)
        default: return nil
        }
    }

    private static func order(_ left: DecimalNumber, _ right: DecimalNumber) -> Int? {
        left.isNaN || right.isNaN ? nil : left.compare(right)
    }
}
