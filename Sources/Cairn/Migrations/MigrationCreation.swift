internal import CairnStorage

/// Makes objects of the new side, and finds those that links are to lead to.
struct MigrationCreation {
    private let migration: Migration

    init(_ migration: Migration) {
        self.migration = migration
    }

    private var new: RealmSession { migration.sides.new }

    // MARK: Objects

    /// - Returns: after a mistake, which was reported, a placeholder.
    func create(_ className: String, from value: Any) -> DynamicObject {
        guard let ordinal = new.ordinal(named: className) else {
            migration.report(
                .misuse, "Cannot create an object of class '\(className)', which the program does not have.",
                className)
            return .placeholder()
        }
        let model = migration.upgrade.models[ordinal]
        guard let given = given(value, model.schema) else { return .placeholder() }
        migration.suspendKey(ofClass: ordinal)
        var row: RowKey?
        migration.noting { () throws(StorageError) in row = try new.handle(ordinal).table.insert() }
        guard let row else { return .placeholder() }
        let object = migration.sides.object(new, ordinal, row)
        storeDefaults(model, ordinal, row, except: given)
        for (property, value) in given { object[property] = value }
        return object
    }

    /// The declared defaults. Links have none: they would be objects of their own.
    private func storeDefaults(
        _ model: ClassModel, _ ordinal: Int, _ row: RowKey, except given: [(String, Any?)]
    ) {
        let names = Set(given.map(\.0))
        let prototype = model.type.init()
        for (place, property) in model.properties.enumerated()
        where !property.schema.isComputed && !property.schema.isLink && !names.contains(property.schema.name)
        {
            property.functions.store(
                model.wrapper(prototype, place), _Place(new.handle(ordinal), row, place))
        }
    }

    /// The values by property; nil for a value that gives none, which was reported.
    private func given(_ value: Any, _ schema: ObjectSchema) -> [(String, Any?)]? {
        switch AnyValue.unwrapped(value) {
        case let dictionary as [String: Any?]:
            return schema.properties.compactMap { property in
                dictionary[property.name].map { (property.name, $0) }
            }
        case let array as [Any?]:
            guard array.count <= schema.properties.count else {
                migration.report(
                    .invalidValue,
                    """
                    Invalid array input: more values (\(array.count)) than properties \
                    (\(schema.properties.count)) of '\(schema.className)'.
                    """, schema.className)
                return nil
            }
            return zip(schema.properties, array).map { ($0.name, $1) }
        case let object as ObjectBase: return values(of: object, schema)
        default:
            migration.report(
                .invalidValue,
                """
                Invalid value to create an object of class '\(schema.className)': a dictionary, an array or an \
                object was expected.
                """, schema.className)
            return nil
        }
    }

    /// The values of another object's properties of the same names; of the old side, of the stored names.
    private func values(of object: ObjectBase, _ schema: ObjectSchema) -> [(String, Any?)] {
        if (object as? DynamicObject)?.isPlaceholder ?? false { return [] }
        let source = ObjectModelReader.model(of: object)
        return schema.properties.compactMap { property in
            guard
                let place = source.ordinal(named: property.name) ?? source.ordinal(named: property.columnName)
            else { return nil }
            return (property.name, object.anyValue(place, source))
        }
    }

    // MARK: Links

    /// What is to be stored for a value given for a link or a list of links; the outer nil where it does
    /// not fit.
    func linkValue(_ value: Any?, for property: Property) -> Any?? {
        guard let value else { return .some(nil) }
        guard property.isArray else { return target(value, property).map { $0 } }
        guard let values = AnyElements.array(value) else { return nil }
        var targets: [Any] = []
        for value in values {
            guard let value = AnyValue.unwrapped(value), let target = target(value, property) else {
                return nil
            }
            if let target { targets.append(target) }
        }
        return .some(targets)
    }

    /// The inner nil for an object of the old side that has been deleted.
    private func target(_ value: Any, _ property: Property) -> DynamicObject?? {
        guard let className = property.objectClassName else { return nil }
        guard let object = value as? ObjectBase else {
            guard value is [String: Any?] || value is [Any?] else { return nil }
            return .some(create(className, from: value))
        }
        guard let session = object.session else { return .some(create(className, from: object)) }
        guard session === migration.sides.old else { return (object as? DynamicObject).map { $0 } }
        guard object.storedClassName == className, let ordinal = new.ordinal(named: className) else {
            return nil
        }
        let row = RowKey(object.row)
        guard new.handle(ordinal).table.contains(row) else { return .some(nil) }
        return .some(migration.sides.object(new, ordinal, row))
    }
}
