/// One property of a class as it is stored.
public struct Property: Hashable, Sendable {
    /// The name in the program.
    public let name: String
    /// The name in the file: `propertiesMapping()` may give it another.
    public let columnName: String
    /// What it holds; of a collection, what its elements are.
    public let type: PropertyType
    /// Whether it is a `List`.
    public let isArray: Bool
    /// Whether it is a `MutableSet`.
    public let isSet: Bool
    /// Whether it is a `Map`.
    public let isMap: Bool
    /// Whether it has an index. True for the primary key.
    public let isIndexed: Bool
    /// Whether it, or an element, may be nil. True for links to one object.
    public let isOptional: Bool
    /// The class of the objects linked to, or linking here.
    public let objectClassName: String?
    /// Of `LinkingObjects`: the property that links here.
    package let originPropertyName: String?
    /// Whether it is the primary key.
    package let isPrimaryKey: Bool

    package init(
        name: String, columnName: String, type: PropertyType, isArray: Bool = false, isIndexed: Bool = false,
        isOptional: Bool = false, objectClassName: String? = nil, originPropertyName: String? = nil,
        isPrimaryKey: Bool = false
    ) {
        self.name = name
        self.columnName = columnName
        self.type = type
        self.isArray = isArray
        isSet = false
        isMap = false
        self.isIndexed = isIndexed || isPrimaryKey
        self.isOptional = isOptional
        self.objectClassName = objectClassName
        self.originPropertyName = originPropertyName
        self.isPrimaryKey = isPrimaryKey
    }

    /// Whether it is found by following links backwards, and so has no column of its own.
    package var isComputed: Bool { type == .linkingObjects }
    package var isCollection: Bool { isArray || isSet || isMap }
    /// Whether it holds links, one or many.
    package var isLink: Bool { type == .object }

    /// The type as a person would write it: `Int?`, `List<Dog>`.
    package var typeText: String {
        let element: String =
            switch type {
            case .int: "Int"
            case .bool: "Bool"
            case .string: "String"
            case .data: "Data"
            case .date: "Date"
            case .float: "Float"
            case .double: "Double"
            case .object, .linkingObjects: objectClassName ?? "Object"
            case .any: "AnyRealmValue"
            case .objectId: "ObjectId"
            case .decimal128: "Decimal128"
            case .UUID: "UUID"
            }
        if isComputed { return "LinkingObjects<\(element)>" }
        if isArray { return type == .object || !isOptional ? "List<\(element)>" : "List<\(element)?>" }
        return isOptional ? element + "?" : element
    }
}

extension Property: CustomStringConvertible {
    public var description: String {
        var lines = ["\ttype = \(type);"]
        if let objectClassName { lines.append("\tobjectClassName = \(objectClassName);") }
        if let originPropertyName { lines.append("\tlinkOriginPropertyName = \(originPropertyName);") }
        if columnName != name { lines.append("\tcolumnName = \(columnName);") }
        lines.append("\tindexed = \(isIndexed ? "YES" : "NO");")
        lines.append("\tisPrimary = \(isPrimaryKey ? "YES" : "NO");")
        lines.append("\tarray = \(isArray ? "YES" : "NO");")
        lines.append("\toptional = \(isOptional ? "YES" : "NO");")
        return "\(name) {\n" + lines.joined(separator: "\n") + "\n}"
    }
}
