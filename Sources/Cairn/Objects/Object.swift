internal import CairnStorage

/// A class whose instances can be stored. Subclass it and mark what is to be stored with `@Persisted`.
///
/// ```swift
/// final class Audio: Object {
///     @Persisted(primaryKey: true) var id: String
///     @Persisted var url = ""
///     @Persisted var duration: Double
/// }
///
/// let realm = try Realm()
/// try realm.write { realm.add(audio) }
/// ```
///
/// - SeeAlso: `ObjectBase` for what managed and unmanaged objects are.
open class Object: ObjectBase {
    /// An unmanaged object with the declared defaults.
    public required init() {
        super.init()
    }

    /// An unmanaged object with values.
    ///
    /// - Parameter value: a dictionary by property name, an array in the order of the properties, or
    ///   another object whose properties have the same names. Of links and lists the values may be such
    ///   values again, or objects. What is missing keeps its default; keys that name no property do not
    ///   matter.
    ///
    /// A value that does not fit traps, with a sentence.
    public convenience init(value: Any) {
        self.init()
        ObjectBuilder.fill(self, from: value)
    }

    /// The name of the primary key, in the older style: the same as `@Persisted(primaryKey: true)`.
    open class func primaryKey() -> String? { nil }

    /// The names of properties with an index, in the older style.
    open class func indexedProperties() -> [String] { [] }

    /// The names of properties that are not to be stored. Properties without `@Persisted` never are.
    open class func ignoredProperties() -> [String] { [] }

    final override class var isAbstractClass: Bool { self == Object.self || self == DynamicObject.self }
    final override class var declaredPrimaryKey: String? { primaryKey() }
    final override class var declaredIndexedProperties: [String] { indexedProperties() }
    final override class var declaredIgnoredProperties: [String] { ignoredProperties() }
}

extension Object {
    /// The class's stored properties.
    public var objectSchema: ObjectSchema { ObjectModelReader.model(of: self).schema }

    /// Whether both lead to one row of one Realm, also where the class has no primary key. Unmanaged
    /// objects are the same only if they are identical.
    public func isSameObject(as other: Object?) -> Bool {
        guard let other else { return false }
        if self === other { return true }
        guard isSameRow(as: other) else { return false }
        return isValid && other.isValid
    }
}

extension ObjectBase {
    /// Whether it is a valid object of a class in a session, or in another frozen one of the same version.
    final func isRow(of other: UnsafeMutablePointer<ClassAccess>?, _ otherSession: RealmSession) -> Bool {
        guard let session, let access, let other, session.isSameWorld(as: otherSession) else { return false }
        return access.pointee.ordinal == other.pointee.ordinal && isValid
    }

    /// Whether both are managed, of one class, row and world. Asks nothing that could fail.
    final func isSameRow(as other: ObjectBase) -> Bool {
        guard let session, let access, let otherSession = other.session, let otherAccess = other.access else {
            return false
        }
        return row == other.row && access.pointee.ordinal == otherAccess.pointee.ordinal
            && session.isSameWorld(as: otherSession)
    }
}

extension ObjectBase: Hashable {
    /// Whether both are one instance, or, where the class has a primary key or both are frozen, valid
    /// objects of one row of one Realm.
    public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
        if left === right { return true }
        guard left.isSameRow(as: right), let session = left.session else { return false }
        guard session.isFrozen || left.model?.primaryKey ?? -1 >= 0 else { return false }
        return left.isValid && right.isValid
    }

    /// Of the primary key where the class has one, whether the object is managed or not; of the row where
    /// that makes frozen objects equal; of the instance otherwise. Never fails.
    public final func hash(into hasher: inout Hasher) {
        if let key = ObjectHash.ofKey(self) {
            hasher.combine(key)
        } else if let session, session.isFrozen || model?.primaryKey ?? -1 >= 0 {
            hasher.combine(row)
            session.hashWorld(into: &hasher)
        } else {
            hasher.combine(ObjectIdentifier(self))
        }
    }
}

/// Finds the model of an object, managed or not.
enum ObjectModelReader {
    /// Traps for a class that cannot be stored.
    static func model(of object: ObjectBase) -> ClassModel {
        if let model = object.model { return model }
        return model(of: Swift.type(of: object))
    }

    static func model(of type: ObjectBase.Type) -> ClassModel {
        do throws(RealmError) {
            return try ModelRegistry.model(of: type)
        } catch {
            Misuse.trap(error)
        }
    }
}
