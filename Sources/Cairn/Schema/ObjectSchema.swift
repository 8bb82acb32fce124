/// The stored properties of one class.
public struct ObjectSchema: Sendable {
    /// The class's name: without its module, and that of its table.
    public let className: String
    /// The properties with a column: those of superclasses first, then in the order of declaration.
    public let properties: [Property]
    /// The class, as `Object.Type`.
    public let objectClass: AnyClass
    /// Whether its objects belong to the one object that links to them.
    public let isEmbedded: Bool
    /// Always false: for source compatibility.
    public var isAsymmetric: Bool { false }
    /// The `LinkingObjects` properties.
    package let computedProperties: [Property]

    package init(
        className: String, properties: [Property], computedProperties: [Property], objectClass: AnyClass,
        isEmbedded: Bool
    ) {
        self.className = className
        self.properties = properties
        self.computedProperties = computedProperties
        self.objectClass = objectClass
        self.isEmbedded = isEmbedded
    }

    /// The primary key, or nil.
    public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

    /// The property of that name, also a computed one, or nil.
    public subscript(propertyName: String) -> Property? {
        properties.first { $0.name == propertyName } ?? computedProperties.first { $0.name == propertyName }
    }

    /// Both kinds of properties: an *ordinal* is a place in this list.
    package var allProperties: [Property] { properties + computedProperties }
}

extension ObjectSchema: Equatable {
    /// Whether the properties are the same; the class's name does not count.
    public static func == (left: ObjectSchema, right: ObjectSchema) -> Bool {
        left.properties == right.properties && left.computedProperties == right.computedProperties
            && left.isEmbedded == right.isEmbedded
    }
}

extension ObjectSchema: CustomStringConvertible {
    public var description: String {
        let lines = allProperties.map { "\t" + $0.description.replacing("\n", with: "\n\t") }
        return "\(className) {\n" + lines.joined(separator: "\n") + "\n}"
    }
}
