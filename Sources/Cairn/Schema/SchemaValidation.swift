/// Whether classes fit together: every fault is found, so that one message names them all.
struct SchemaValidation {
    private let schemas: [ObjectSchema]
    private let byName: [String: ObjectSchema]
    private var faults: [String] = []

    /// The longest class and property names, in bytes of UTF-8. Those of Realm, so that a schema fits both.
    static let classNameLimit = 57
    static let propertyNameLimit = 63

    private init(_ schemas: [ObjectSchema]) {
        self.schemas = schemas
        byName = Dictionary(schemas.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// One line for each fault, in the order of the classes; none if all is well.
    static func faults(of schemas: [ObjectSchema]) -> [String] {
        var validation = SchemaValidation(schemas)
        validation.run()
        return validation.faults
    }

    private mutating func run() {
        var seen: [String: AnyClass] = [:]
        for schema in schemas {
            if let other = seen[schema.className], other != schema.objectClass {
                faults.append(
                    """
                    - Two classes are named '\(schema.className)': \(String(reflecting: other)) and \
                    \(String(reflecting: schema.objectClass)). Leave one out with 'objectTypes', or rename it.
                    """)
            }
            seen[schema.className] = schema.objectClass
            checkClass(schema)
        }
    }

    private mutating func checkClass(_ schema: ObjectSchema) {
        let name = schema.className
        if name.utf8.count > Self.classNameLimit {
            faults.append("- The class name '\(name)' is longer than \(Self.classNameLimit) bytes.")
        }
        if schema.properties.isEmpty {
            faults.append(
                "- No properties are defined for '\(name)'. Mark those that are to be stored with @Persisted."
            )
        }
        let keys = schema.properties.filter(\.isPrimaryKey)
        if keys.count > 1 {
            let names = keys.map(\.name).joined(separator: "', '")
            faults.append("- '\(name)' has more than one primary key: '\(names)'.")
        }
        checkNames(schema)
        for property in schema.allProperties { check(property, of: schema) }
    }

    private mutating func checkNames(_ schema: ObjectSchema) {
        var names = Set<String>()
        var columns = Set<String>()
        for property in schema.allProperties {
            if !names.insert(property.name).inserted {
                faults.append("- The property '\(schema.className).\(property.name)' is declared twice.")
            }
            guard !property.isComputed else { continue }
            if !columns.insert(property.columnName).inserted {
                faults.append(
                    "- Two properties of '\(schema.className)' are stored as '\(property.columnName)'. Change 'propertiesMapping()'."
                )
            }
            if property.columnName.utf8.count > Self.propertyNameLimit {
                faults.append(
                    "- The property name '\(schema.className).\(property.columnName)' is longer than \(Self.propertyNameLimit) bytes."
                )
            }
        }
    }

    private mutating func check(_ property: Property, of schema: ObjectSchema) {
        let place = "'\(schema.className).\(property.name)'"
        if property.isPrimaryKey, !Self.primaryKeyTypes.contains(property.type) || property.isCollection {
            faults.append(
                "- The property \(place) cannot be the primary key: \(property.typeText) is no key. Int, String, ObjectId and UUID are."
            )
        } else if property.isIndexed, !Self.indexedTypes.contains(property.type) || property.isCollection {
            faults.append("- The property \(place) cannot be indexed: its type is \(property.typeText).")
        }
        guard let target = property.objectClassName else { return }
        guard let other = byName[target] else {
            let verb = property.isComputed ? "follows links from" : "links to"
            faults.append("- The property \(place) \(verb) '\(target)', which is not in the schema.")
            return
        }
        if property.isComputed { checkOrigin(property, place, schema, other) }
    }

    private mutating func checkOrigin(
        _ property: Property, _ place: String, _ schema: ObjectSchema, _ other: ObjectSchema
    ) {
        let name = property.originPropertyName ?? ""
        guard let origin = other[name], !origin.isComputed else {
            faults.append(
                "- The property \(place) follows '\(other.className).\(name)' backwards, and there is no such property."
            )
            return
        }
        guard origin.isLink, origin.objectClassName == schema.className else {
            faults.append(
                """
                - The property \(place) follows '\(other.className).\(name)' backwards, which does not link to \
                '\(schema.className)': its type is \(origin.typeText).
                """)
            return
        }
    }

    private static let primaryKeyTypes: Set<PropertyType> = [.int, .string, .objectId, .UUID]
    private static let indexedTypes: Set<PropertyType> = [
        .int, .bool, .string, .date, .objectId, .UUID,
    ]
}
