internal import CairnStorage

/// The names of the stored properties that key paths go through.
package enum PropertyNames {
    // What was found out stays: a key path is asked for again and again.
    private static let known = Guarded<[AnyKeyPath: String]>([:])

    /// `age`, or `bestFriend.age` for a path through links (`\Person.bestFriend?.age`): the properties'
    /// names in the program.
    ///
    /// A computed property that does nothing but read one stored property counts as that one.
    ///
    /// - Throws: `misuse` for a key path that does not lead from one `@Persisted` property to the next.
    /// - Complexity: O(1), but that the first time for each key path instances of the classes are made.
    package static func name(of keyPath: AnyKeyPath) throws(RealmError) -> String {
        if let name = known.withLock({ $0[keyPath] }) { return name }
        let name = try find(keyPath)
        known.withLock { $0[keyPath] = name }
        return name
    }

    private static func find(_ keyPath: AnyKeyPath) throws(RealmError) -> String {
        let type = type(of: keyPath)
        guard let root = type.rootType as? ObjectBase.Type else { throw unsuitable(keyPath) }
        guard let properties = try KeyPathTracer.properties(along: keyPath, from: root),
            let last = properties.last,
            AnyType.unwrapped(last.functions.type) == AnyType.unwrapped(type.valueType)
        else { throw unsuitable(keyPath) }
        return properties.map(\.schema.name).joined(separator: ".")
    }

    private static func unsuitable(_ keyPath: AnyKeyPath) -> RealmError {
        let type = type(of: keyPath)
        return RealmError(
            .misuse,
            """
            A key path from '\(type.rootType)' to '\(type.valueType)' does not lead to a stored property: it must \
            name a @Persisted property, or several through links to one object each.
            """, className: (type.rootType as? ObjectBase.Type)?.className())
    }
}

/// What the type of `Any` hides.
private enum AnyType {
    /// The type inside of optionals, however many.
    static func unwrapped(_ type: Any.Type) -> Any.Type {
        guard let optional = type as? any OptionalType.Type else { return type }
        return unwrapped(optional.wrappedType)
    }
}

private protocol OptionalType {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
}
