internal import Foundation

extension ObjectBase {
    /// The value of a property as key-value coding gives it.
    final func anyValue(_ ordinal: Int, _ model: ClassModel) -> Any? {
        isManaged
            ? model.properties[ordinal].functions.get(self, ordinal)
            : model.properties[ordinal].functions.getUnmanaged(model.wrapper(self, ordinal))
    }

    private final func ordinal(named name: String, _ model: ClassModel) -> Int? {
        if let ordinal = model.ordinal(named: name) { return ordinal }
        Misuse.report(
            RealmError(
                .misuse, "Invalid property name '\(name)' for class '\(model.schema.className)'.",
                className: model.schema.className, propertyName: name), session)
        return nil
    }

    /// The value of a property by its name.
    public final func value(forKey key: String) -> Any? { self[key] }

    /// Sets a property by its name. Values are converted as `Object.init(value:)` does; one that does not
    /// fit is misuse.
    public final func setValue(_ value: Any?, forKey key: String) { self[key] = value }

    /// The value of a property that the program declares.
    final func declaredValue(_ key: String) -> Any? {
        let model = ObjectModelReader.model(of: self)
        guard let ordinal = ordinal(named: key, model) else { return nil }
        return anyValue(ordinal, model)
    }

    final func setDeclaredValue(_ value: Any?, _ key: String) {
        let model = ObjectModelReader.model(of: self)
        guard let ordinal = ordinal(named: key, model) else { return }
        let functions = model.properties[ordinal].functions
        let fits =
            isManaged
            ? functions.set(self, ordinal, AnyValue.unwrapped(value), .plain)
            : functions.setUnmanaged(model.wrapper(self, ordinal), AnyValue.unwrapped(value), .plain)
        if !fits { Misuse.report(ObjectBuilder.misfit(value, model, ordinal), session) }
    }
}

/// What `Any` hides.
enum AnyValue {
    /// Whether a value is of one of the types that are given most often, and so hides nothing. A comparison
    /// of types costs a tenth of a cast.
    private static func isPlain(_ value: Any) -> Bool {
        let type = Swift.type(of: value)
        return type == Int.self || type == String.self || type == Bool.self || type == Double.self
            || type == Date.self || type == Data.self || type == DynamicObject.self
    }

    /// The value inside of optionals, however many; nil for nil and `NSNull`.
    static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        if isPlain(value) { return value }
        if value is NSNull { return nil }
        guard let optional = value as? any AnyOptional else { return value }
        return unwrapped(optional.anyWrapped)
    }
}

protocol AnyOptional {
    var anyWrapped: Any? { get }
}

extension Optional: AnyOptional {
    var anyWrapped: Any? { self }
}
