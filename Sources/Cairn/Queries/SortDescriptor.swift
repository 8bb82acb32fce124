/// By what objects are sorted: a key path, a direction, and more that Realm does not have.
///
/// ```swift
/// people.sorted(by: ["lastName", SortDescriptor(keyPath: \Person.age, ascending: false)])
/// ```
public struct SortDescriptor: Hashable, Sendable, CustomStringConvertible {
    /// The name of a property, or several with dots between them, through links to one object each.
    public let keyPath: String
    public let ascending: Bool
    /// Where objects without a value go.
    public var nilOrder: NilOrder
    /// The order of strings. Of other values there is one order only.
    public var stringOrder: StringOrder

    /// Where objects without a value go.
    public enum NilOrder: Hashable, Sendable {
        /// nil comes before every value, and so last where the order is descending; where a link on the way
        /// is nil it is the other way round. As in Realm.
        case automatic
        case first
        case last
    }

    /// The order of strings.
    public enum StringOrder: Hashable, Sendable {
        /// By UTF-8 bytes, which is the order of code points: `Z` before `a`. As in Realm; an index can serve it.
        case bytes
        /// The same without a difference between capitals and small letters.
        case caseInsensitive
        /// As in a dictionary: Unicode's root collation, the same whatever the process's locale. Much slower than
        /// the others: Foundation is asked for each comparison.
        case localized
    }

    public init(
        keyPath: String, ascending: Bool = true, nilOrder: NilOrder = .automatic,
        stringOrder: StringOrder = .bytes
    ) {
        self.keyPath = keyPath
        self.ascending = ascending
        self.nilOrder = nilOrder
        self.stringOrder = stringOrder
    }

    /// A key path that does not lead to a stored property is misuse.
    public init<Root: ObjectBase>(
        keyPath: PartialKeyPath<Root>, ascending: Bool = true, nilOrder: NilOrder = .automatic,
        stringOrder: StringOrder = .bytes
    ) {
        self.init(
            keyPath: PropertyNames.nameOrMisuse(of: keyPath), ascending: ascending, nilOrder: nilOrder,
            stringOrder: stringOrder)
    }

    /// The same in the other direction.
    public func reversed() -> SortDescriptor {
        SortDescriptor(keyPath: keyPath, ascending: !ascending, nilOrder: nilOrder, stringOrder: stringOrder)
    }

    public var description: String { "\(keyPath) \(ascending ? "ascending" : "descending")" }
}

extension SortDescriptor: ExpressibleByStringLiteral {
    /// Ascending by a key path.
    public init(stringLiteral value: String) { self.init(keyPath: value) }
    public init(unicodeScalarLiteral value: String) { self.init(keyPath: value) }
    public init(extendedGraphemeClusterLiteral value: String) { self.init(keyPath: value) }
}

extension PropertyNames {
    /// The name of a key path; one that has none is misuse, and gets an empty name where that is taken back.
    static func nameOrMisuse(of keyPath: AnyKeyPath) -> String {
        do throws(RealmError) {
            return try name(of: keyPath)
        } catch {
            Misuse.reportFatal(error)
            return ""
        }
    }
}
