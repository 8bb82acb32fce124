/// A value in a predicate: written in the text, or an argument.
///
/// Two literals are equal when they are of the same kind and have the same bytes. So NaN is equal to
/// itself, 0.0 is not -0.0, and strings that differ in their Unicode normal form differ. What a
/// comparison of a query makes of two values is not decided here.
package enum Literal: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    /// Seconds since the beginning of 2001 or of 1970: the layer that converts dates decides.
    case date(Double)
    /// The twelve bytes of an object id, as two numbers of which the first byte is the highest.
    case objectID(high: UInt64, low: UInt32)
    /// The sixteen bytes of a UUID, as two numbers of which the first byte is the highest.
    case uuid(high: UInt64, low: UInt64)
    /// The sixteen bytes of a decimal128, as the two halves of a 128-bit number.
    case decimal(high: UInt64, low: UInt64)
    /// An object, by a number that only the layer above can read.
    case object(UInt64)
    case array([Literal])

    /// What kind of value it is, for messages.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case null, bool, int, float, double, string, bytes, date, objectID, uuid, decimal, object, array
    }

    /// What kind of value it is.
    package var kind: Kind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .float: .float
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        case .date: .date
        case .objectID: .objectID
        case .uuid: .uuid
        case .decimal: .decimal
        case .object: .object
        case .array: .array
        }
    }

    /// The levels of arrays within arrays, 1 for anything else; never more than `limit` + 1, and no
    /// deeper does it look.
    ///
    /// - Complexity: O(elements).
    package func height(upTo limit: Int) -> Int {
        guard case .array(let elements) = self else { return 1 }
        guard limit > 0 else { return 1 }
        var highest = 0
        for element in elements {
            highest = max(highest, element.height(upTo: limit - 1))
            if highest == limit { break }
        }
        return highest + 1
    }
}

extension Literal: Hashable {
    package static func == (left: Literal, right: Literal) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.date(let left), .date(let right)): left.bitPattern == right.bitPattern
        case (.objectID(let high, let low), .objectID(let otherHigh, let otherLow)):
            high == otherHigh && low == otherLow
        case (.uuid(let high, let low), .uuid(let otherHigh, let otherLow)),
            (.decimal(let high, let low), .decimal(let otherHigh, let otherLow)):
            high == otherHigh && low == otherLow
        case (.object(let left), .object(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.bitPattern)
        case .double(let value), .date(let value): hasher.combine(value.bitPattern)
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .bytes(let value): hasher.combine(value)
        case .objectID(let high, let low):
            hasher.combine(high)
            hasher.combine(low)
        case .uuid(let high, let low), .decimal(let high, let low):
            hasher.combine(high)
            hasher.combine(low)
        case .object(let value): hasher.combine(value)
        case .array(let elements): hasher.combine(elements)
        }
    }
}
