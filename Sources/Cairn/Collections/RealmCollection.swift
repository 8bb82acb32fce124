public import Foundation

/// A collection of what can be stored.
///
/// Lazy, as in Realm: `map` and `filter` with a closure make no array unless one is asked for.
public protocol RealmCollection: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
    ThreadConfined
where Element: RealmCollectionValue, Index == Int {
    /// The first place of an element, or nil. Objects are found by their row.
    func index(of element: Element) -> Int?

    /// The elements at some places.
    func objects(at indexes: IndexSet) -> [Element]

    /// The values of a property of every object, or the elements for "self": an array, with `NSNull` for nil.
    func value(forKey key: String) -> Any?

    /// Sets a property of every object.
    func setValue(_ value: Any?, forKey key: String)

    /// What it was made by, for asking more of it. Not for programs to use.
    var _query: _CollectionQuery { get }
}

extension RealmCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }
    public func index(after index: Int) -> Int { index + 1 }
    public func index(before index: Int) -> Int { index - 1 }

    /// The first element, or nil.
    public var first: Element? { isEmpty ? nil : self[0] }

    /// The last element, or nil.
    public var last: Element? { isEmpty ? nil : self[count - 1] }

    public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }

    public func value(forKey key: String) -> Any? {
        if key == "@count" { return count }
        var values: [Any] = []
        values.reserveCapacity(count)
        for element in self {
            let value =
                key == "self" ? Element._toAnyElement(element) : Element._object(element)?.value(forKey: key)
            values.append(value ?? NSNull())
        }
        return values
    }

    public func setValue(_ value: Any?, forKey key: String) {
        for element in self { Element._object(element)?.setValue(value, forKey: key) }
    }
}

/// The text of collections, in Realm's form.
enum CollectionDescription {
    /// How many elements are shown.
    static let maximumCount = 100

    static func text<Elements: RealmCollection>(
        _ name: String, _ elements: Elements, identity: String, depth: Int,
        _ room: DescriptionRoom = DescriptionRoom()
    ) -> String {
        guard !elements.isInvalidated else { return "\(name) <\(identity)> (invalidated)" }
        guard depth > 0 else { return "<Maximum depth exceeded>" }
        var lines: [String] = []
        let count = elements.count
        for index in 0..<Swift.min(count, maximumCount) {
            let value = Elements.Element._toAnyElement(elements[index])
            let text =
                (value as? ObjectBase).map { ObjectDescription.text(of: $0, depth: depth, room) }
                ?? ObjectDescription.text(of: value, depth: depth, room)
            lines.append("\t[\(index)] " + text.replacing("\n", with: "\n\t"))
        }
        var result = "\(name) <\(identity)> (\n" + lines.joined(separator: ",\n")
        if count > maximumCount { result += "\n\t... \(count - maximumCount) objects skipped." }
        return result + "\n)"
    }
}
