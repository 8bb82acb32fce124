/// An object whose class need not be known when the program is compiled: its properties are read and set
/// by their names.
///
/// ```swift
/// migration.enumerateObjects(ofType: "Person") { old, new in
///     new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
///     new?.age = old?.age
/// }
/// ```
///
/// What a property reads as: `Int`, `Bool`, `Float`, `Double`, `String`, `Data`, `Date`, `ObjectId`,
/// `Decimal128`, `UUID`; links to one object a `DynamicObject`; lists a `List` of the element's type,
/// optional where the elements may be nil, or a `List<DynamicObject>`; nil for nil.
///
/// - Note: A name that the class has no property of, and a value that does not fit, are mistakes: they fail
///   the write, or the migration.
@dynamicMemberLookup
public final class DynamicObject: Object {
    /// Stands for an object that could not be made, in a write that fails: it takes and has nothing.
    private(set) var isPlaceholder = false

    /// An object that stands for one that could not be made.
    static func placeholder() -> DynamicObject {
        let object = DynamicObject()
        object.isPlaceholder = true
        return object
    }

    /// The value of a property by its name.
    public override subscript(key: String) -> Any? {
        get {
            guard let found = find(key) else { return nil }
            return found.model.properties[found.ordinal].functions.get(self, found.ordinal)
        }
        set { set(newValue, key) }
    }

    /// The same, written as a property.
    public subscript(dynamicMember member: String) -> Any? {
        get { self[member] }
        set { self[member] = newValue }
    }

    /// The place of a property; nil where there is none, which was reported.
    private func find(_ key: String) -> (model: ClassModel, ordinal: Int)? {
        guard let model else {
            if !isPlaceholder {
                Misuse.report(
                    RealmError(
                        .misuse, "The property '\(key)' of a dynamic object was used that is in no Realm."),
                    nil)
            }
            return nil
        }
        if let ordinal = model.ordinal(named: key) { return (model, ordinal) }
        // Migrations know the stored names; of a class with `propertiesMapping()` they are others.
        if let ordinal = model.properties.firstIndex(where: { $0.schema.columnName == key }) {
            return (model, ordinal)
        }
        let known = model.properties.map(\.schema.name).joined(separator: ", ")
        Misuse.report(
            RealmError(
                .misuse,
                "Invalid property name '\(key)' for class '\(model.schema.className)', which has: \(known).",
                className: model.schema.className, propertyName: key), session)
        return nil
    }

    private func set(_ value: Any?, _ key: String) {
        guard let (model, ordinal) = find(key) else { return }
        let property = model.properties[ordinal]
        if let writing = session?.role?.writing {
            if property.schema.isLink {
                guard let given = writing.linkValue(value, for: property.schema) else {
                    return Misuse.report(ObjectBuilder.misfit(value, model, ordinal), session)
                }
                return store(given, value, model, ordinal)
            }
            if ordinal == model.keyToBe, let access { writing.suspendKey(ofClass: access.pointee.ordinal) }
        }
        store(value, value, model, ordinal)
    }

    private func store(_ value: Any?, _ given: Any?, _ model: ClassModel, _ ordinal: Int) {
        // Not by a copy of the functions, which would count a reference to each.
        guard !model.properties[ordinal].functions.set(self, ordinal, AnyValue.unwrapped(value), .plain)
        else {
            return
        }
        Misuse.report(ObjectBuilder.misfit(given, model, ordinal), session)
    }
}
