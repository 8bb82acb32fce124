internal import CairnQuery
internal import Foundation

extension RealmCollection {
    /// The values that a key path leads to, or a calculation over them.
    ///
    /// | key path | gives |
    /// |---|---|
    /// | `name`, `owner.name` | an array with a value an element, `NSNull` for nil |
    /// | `@count` | the number of elements |
    /// | `@min.age @max.age @sum.age @avg.age` | the calculation; nil of no values, of a sum zero |
    /// | `@unionOfObjects.name`, `@distinctUnionOfObjects.name` | the values that are not nil; each once |
    ///
    /// `self` stands for the values of a collection of values: `@sum.self`.
    public func value(forKeyPath keyPath: String) -> Any? {
        guard keyPath.hasPrefix("@") else { return values(along: keyPath) }
        let parts = keyPath.dropFirst().split(separator: ".", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1] : "self"
        switch parts.first {
        case "count": return count
        case "min": return calculated(.min, rest)
        case "max": return calculated(.max, rest)
        case "sum": return calculated(.sum, rest) ?? 0
        case "avg": return calculated(.average, rest)
        case "unionOfObjects": return values(along: rest).filter { !($0 is NSNull) }
        case "distinctUnionOfObjects":
            var known: Set<AnyHashable> = []
            return values(along: rest).filter { value in
                guard let value = value as? AnyHashable, !(value is NSNull) else { return false }
                return known.insert(value).inserted
            }
        default:
            Misuse.report(
                RealmError(
                    .misuse,
                    """
                    '\(keyPath)' begins with an operator that collections do not have. They have @count, @min, @max, \
                    @sum, @avg, @unionOfObjects and @distinctUnionOfObjects.
                    """), _query.session)
            return nil
        }
    }

    private func values(along keyPath: String) -> [Any] {
        guard keyPath != "self", keyPath.contains(".") else { return value(forKey: keyPath) as? [Any] ?? [] }
        var values: [Any] = []
        for element in self {
            values.append(Element._object(element)?.value(forKeyPath: keyPath) ?? NSNull())
        }
        return values
    }
}

extension ObjectBase {
    /// The value that a key path leads to, through links (`owner.name`), and through collections, of which it
    /// gives an array (`dogs.name`) or a calculation (`dogs.@avg.age`). nil where a link on the way is.
    public final func value(forKeyPath keyPath: String) -> Any? {
        let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
        guard let first = parts.first else { return nil }
        guard parts.count > 1 else { return value(forKey: first) }
        switch value(forKey: first) {
        case let object as ObjectBase: return object.value(forKeyPath: parts[1])
        case let collection as any RealmCollection: return collection.value(forKeyPath: parts[1])
        default: return nil
        }
    }
}
