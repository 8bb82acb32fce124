internal import CairnPredicate

/// A query in Swift: what the closure of `where` is given, and what it says of it.
///
/// ```swift
/// realm.objects(Person.self).where {
///     $0.age >= 18 && ($0.name.starts(with: "A") || $0.bestFriend.name == "Rex")
/// }
/// ```
///
/// The properties of a `Query<Person>` are queries of the properties' types, through links and collections
/// as well; operators on them make conditions, which are `Query<Bool>`. A comparison of what is reached
/// through a collection holds if it holds for any element: `$0.dogs.age > 3`. For several conditions on
/// one element there is a sub-query: `($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0`.
///
/// Nothing is evaluated while the closure runs. What cannot be said in a query is a mistake of the
/// program, and is reported where the query is used.
@dynamicMemberLookup
public struct Query<T> {
    var content: QueryContent

    init(_ content: QueryContent) {
        self.content = content
    }

    /// The object asked about.
    package init() {
        content = .root
    }

    func appending<V>(_ keyPath: AnyKeyPath, _: V.Type) -> Query<V> {
        Query<V>(content.appending(keyPath, isCollection: V.self is any RealmCollection.Type))
    }
}

// MARK: - Properties

extension Query where T: ObjectBase {
    /// A property of the object.
    public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
        appending(member, V.self)
    }
}

extension Query where T: OptionalProtocol, T.Wrapped: ObjectBase {
    /// A property of the object that a link leads to. No `?` is needed: where there is no object, what is
    /// asked of it is nil.
    public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> {
        appending(member, V.self)
    }
}

extension Query where T: RealmCollection, T.Element: ObjectBase {
    /// A property of the collection's objects: what is said of it is said of any of them.
    public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> {
        appending(member, V.self)
    }
}

// MARK: - Enums

extension Query where T: PersistableEnum {
    /// The stored value.
    public var rawValue: Query<T.RawValue> { Query<T.RawValue>(content) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
    /// The stored value.
    public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(content) }
}

extension Query where T: RealmCollection, T.Element: PersistableEnum {
    /// The stored values: what is said of them is said of any.
    public var rawValue: Query<T.Element.RawValue> { Query<T.Element.RawValue>(content) }
}

extension Query
where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum {
    /// The stored values: what is said of them is said of any.
    public var rawValue: Query<T.Element.Wrapped.RawValue?> {
        Query<T.Element.Wrapped.RawValue?>(content)
    }
}
