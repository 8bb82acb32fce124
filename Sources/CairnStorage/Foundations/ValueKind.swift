/// What a column's values are (`docs/file-format.md`, section 3). The raw values are stored.
@usableFromInline @frozen
package enum ValueKind: UInt8, Sendable, CaseIterable {
    case bool = 1
    /// Every integer type of the program: 64 bits.
    case int = 2
    case float = 3
    case double = 4
    /// Seconds since 2001-01-01 00:00:00 UTC, the bits of a Double.
    case date = 5
    /// UTF-8.
    case string = 6
    case binary = 7
    /// 12 bytes.
    case objectId = 8
    /// 16 bytes.
    case uuid = 9
    /// IEEE 754-2008 decimal128 in its binary integer encoding, 16 bytes.
    case decimal = 10
    /// A row of the target table: its row key + 1, or 0 for none.
    case link = 11
    /// Hidden: the links that lead to a row.
    case backlinks = 32

    /// The bytes of a value of fixed width, as an element of a list is stored (a bool takes one
    /// byte there); nil for strings, binaries and backlinks.
    package var elementByteCount: Int? {
        switch self {
        case .bool: 1
        case .int, .double, .date, .link: 8
        case .float: 4
        case .objectId: 12
        case .uuid, .decimal: 16
        case .string, .binary, .backlinks: nil
        }
    }
}

/// Whether a column holds one value a row or many. The raw values are stored.
@usableFromInline @frozen
package enum CollectionKind: UInt8, Sendable {
    case none = 0
    case list = 1
}
