internal import CairnStorage

/// The models of the classes that were used so far, and the sets of them that configurations name. A
/// class is looked at once a process.
enum ModelRegistry {
    /// The models of a schema, checked.
    final class ModelSet: Sendable {
        let models: [ClassModel]
        let ordinals: [ObjectIdentifier: Int]

        init(_ models: [ClassModel]) {
            self.models = models
            ordinals = Dictionary(
                models.enumerated().map { (ObjectIdentifier($1.type), $0) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    private struct State {
        var models: [ObjectIdentifier: ClassModel] = [:]
        var sets: [Set<ObjectIdentifier>: ModelSet] = [:]
    }

    private static let state = Guarded(State())

    /// The model of a class.
    ///
    /// - Throws: `fail` where the class cannot be read.
    static func model(of type: ObjectBase.Type) throws(RealmError) -> ClassModel {
        let id = ObjectIdentifier(type)
        if let known = state.withLock({ $0.models[id] }) { return known }
        // Without the lock: the class's initializer is the program's code.
        let made = try make(type)
        return state.withLock { state in
            if let known = state.models[id] { return known }
            state.models[id] = made
            return made
        }
    }

    /// The models of a set of classes.
    ///
    /// - Parameter types: nil for all that can be found.
    /// - Throws: `fail` with a line for each fault.
    static func models(of types: [ObjectBase.Type]?) throws(RealmError) -> ModelSet {
        let types = types ?? ClassDiscovery.classes()
        let key = Set(types.map { ObjectIdentifier($0) })
        if let known = state.withLock({ $0.sets[key] }) { return known }
        let set = try makeSet(types)
        return state.withLock { state in
            if let known = state.sets[key] { return known }
            state.sets[key] = set
            return set
        }
    }

    private static func makeSet(_ types: [ObjectBase.Type]) throws(RealmError) -> ModelSet {
        var seen = Set<ObjectIdentifier>()
        var models: [ClassModel] = []
        var faults: [String] = []
        for type in types where seen.insert(ObjectIdentifier(type)).inserted {
            if type.isAbstractClass {
                faults.append("- '\(type)' is a class of the library and cannot be stored itself.")
                continue
            }
            do throws(RealmError) {
                let model = try model(of: type)
                faults += declarationFaults(of: model)
                models.append(model)
            } catch {
                faults.append("- " + error.message)
            }
        }
        models.sort { $0.schema.className < $1.schema.className }
        faults += linkFaults(of: models)
        faults += SchemaValidation.faults(of: models.map(\.schema))
        guard faults.isEmpty else {
            throw RealmError(
                .fail,
                "Schema validation failed due to the following errors:\n" + faults.joined(separator: "\n"))
        }
        return ModelSet(models)
    }

    /// Links to a class whose name another class has in the schema.
    private static func linkFaults(of models: [ClassModel]) -> [String] {
        var faults: [String] = []
        for model in models {
            for property in model.properties {
                guard let target = property.objectType,
                    let named = models.first(where: { $0.schema.className == target.className() }),
                    named.type != target
                else { continue }
                faults.append(
                    """
                    - The property '\(model.schema.className).\(property.schema.name)' links to \
                    \(String(reflecting: target)), and the schema has \(String(reflecting: named.type)) of that name.
                    """)
            }
        }
        return faults
    }

    // MARK: Making a model

    private static func make(_ type: ObjectBase.Type) throws(RealmError) -> ClassModel {
        let discovery = try FieldDiscovery(type)
        let declarations = Declarations(type)
        var stored: [PropertyModel] = []
        var computed: [PropertyModel] = []
        for field in discovery.fields where !declarations.ignored.contains(field.name) {
            let shape = field.type.shape
            let property = declarations.property(field, shape)
            let model = PropertyModel(
                schema: property, offset: field.offset, functions: field.type.makeFunctions(),
                objectType: shape.objectType)
            if property.isComputed { computed.append(model) } else { stored.append(model) }
        }
        let schema = ObjectSchema(
            className: type.className(), properties: stored.map(\.schema),
            computedProperties: computed.map(\.schema), objectClass: type, isEmbedded: type.isEmbeddedClass)
        let hasIgnored = discovery.fields.contains { declarations.ignored.contains($0.name) }
        return ClassModel(
            schema, type: type, properties: stored + computed,
            hasOwnFields: discovery.hasOwnFields || hasIgnored)
    }

    /// Names that class functions of the older style give and that no property has.
    private static func declarationFaults(of model: ClassModel) -> [String] {
        let declarations = Declarations(model.type)
        let name = model.schema.className
        var faults: [String] = []
        if let key = declarations.primaryKey, model.schema[key] == nil {
            faults.append("- Primary key property '\(key)' does not exist on class '\(name)'.")
        }
        for property in declarations.indexed where model.schema[property] == nil {
            faults.append(
                "- The property '\(name).\(property)', which indexedProperties() names, does not exist.")
        }
        for property in declarations.columnNames.keys.sorted() where model.schema[property] == nil {
            faults.append(
                "- The property '\(name).\(property)', which propertiesMapping() names, does not exist.")
        }
        return faults
    }

    /// What a class declares beside its properties.
    private struct Declarations {
        let primaryKey: String?
        let indexed: Set<String>
        let ignored: Set<String>
        let columnNames: [String: String]

        init(_ type: ObjectBase.Type) {
            primaryKey = type.declaredPrimaryKey
            indexed = Set(type.declaredIndexedProperties)
            ignored = Set(type.declaredIgnoredProperties)
            columnNames = type.propertiesMapping()
        }

        func property(_ field: FieldDiscovery.Field, _ shape: _PropertyShape) -> Property {
            Property(
                name: field.name, columnName: columnNames[field.name] ?? field.name, type: shape.type,
                isArray: shape.isArray,
                isIndexed: field.options & PersistedOptions.indexed != 0 || indexed.contains(field.name),
                isOptional: shape.isOptional, objectClassName: shape.objectType?.className(),
                originPropertyName: field.originProperty,
                isPrimaryKey: field.options & PersistedOptions.primaryKey != 0 || primaryKey == field.name)
        }
    }
}
