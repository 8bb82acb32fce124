internal import Foundation

/// Models of classes whose objects are dynamic ones.
enum DynamicModel {
    /// The model of a class.
    ///
    static func make(_ schema: ObjectSchema) -> ClassModel {
        let key = schema.properties.firstIndex(where: \.isPrimaryKey) ?? -1
        let keyless = ObjectSchema(
            className: schema.className, properties: schema.properties.map { $0.withoutKey() },
            computedProperties: schema.computedProperties, objectClass: DynamicObject.self,
            isEmbedded: schema.isEmbedded)
        return ClassModel(
            dynamic: keyless, keyless.allProperties.map { functions(of: $0) }, keyToBe: key)
    }

    /// What is done with a property of a type that is known at run time only.
    private static func functions(of property: Property) -> _PropertyFunctions {
        switch property.type {
        case .int: functions(of: property, Int.self)
        case .bool: functions(of: property, Bool.self)
        case .string: functions(of: property, String.self)
        case .data: functions(of: property, Data.self)
        case .date: functions(of: property, Date.self)
        case .float: functions(of: property, Float.self)
        case .double: functions(of: property, Double.self)
        case .objectId: functions(of: property, ObjectId.self)
        case .decimal128: functions(of: property, Decimal128.self)
        case .UUID: functions(of: property, UUID.self)
        case .object:
            property.isArray
                ? List<DynamicObject>._makeFunctions() : DynamicObject?._makeFunctions()
        case .linkingObjects: LinkingObjects<DynamicObject>._makeFunctions()
        case .any: preconditionFailure("a property of a type that is not stored")
        }
    }

    private static func functions<Value: RealmCollectionValue & _StoredValue & _PersistableInsideOptional>(
        of property: Property, _ type: Value.Type
    ) -> _PropertyFunctions {
        switch (property.isArray, property.isOptional) {
        case (false, false): Value._makeFunctions()
        case (false, true): Value?._makeFunctions()
        case (true, false): List<Value>._makeFunctions()
        case (true, true): List<Value?>._makeFunctions()
        }
    }
}

extension Property {
    /// The same property where it is not the primary key.
    fileprivate func withoutKey() -> Property {
        Property(
            name: name, columnName: columnName, type: type, isArray: isArray, isIndexed: false,
            isOptional: isOptional, objectClassName: objectClassName,
            originPropertyName: originPropertyName)
    }
}
