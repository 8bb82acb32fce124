internal import Foundation

/// How values are turned into linked objects while an object is filled.
public struct _ObjectBuilding {
    /// Objects that were copied already, by the one they were copied from. nil: objects are linked to as
    /// they are.
    var copies: ObjectCopies?

    /// Objects are linked to as they are.
    static var plain: _ObjectBuilding { _ObjectBuilding(copies: nil) }
}

/// The copies that one `create` has made.
final class ObjectCopies {
    /// The Realm that the copies are for: its own objects are linked to and not copied.
    let session: RealmSession?
    private var made: [Original: (original: ObjectBase, copy: ObjectBase)] = [:]
    /// Copies that have no values yet: copying is no recursion, because chains of objects may be longer
    /// than a thread's stack is deep.
    var pending: [(original: ObjectBase, copy: ObjectBase)] = []
    /// For each object that was built from a dictionary or array, the properties that were given.
    var given: [ObjectIdentifier: Set<Int>] = [:]
    /// The first value that did not fit.
    var fault: RealmError?

    init(for session: RealmSession?) {
        self.session = session
    }

    /// Managed objects are told apart by their rows: each read of a link makes another accessor.
    private enum Original: Hashable {
        case instance(ObjectIdentifier)
        case row(session: ObjectIdentifier, ordinal: Int, row: UInt64)

        init(_ object: ObjectBase) {
            if let session = object.session, let access = object.access {
                self = .row(
                    session: ObjectIdentifier(session), ordinal: access.pointee.ordinal, row: object.row)
            } else {
                self = .instance(ObjectIdentifier(object))
            }
        }
    }

    func copy(of original: ObjectBase) -> ObjectBase? { made[Original(original)]?.copy }

    /// Notes a copy that is made, of an original that is kept until all are.
    func note(_ copy: ObjectBase, of original: ObjectBase) { made[Original(original)] = (original, copy) }
}

/// Fills unmanaged objects from dictionaries, arrays and other objects (`Object.init(value:)`,
/// `Realm.create`).
enum ObjectBuilder {
    /// Fills an object; a value that does not fit is misuse.
    static func fill(_ object: ObjectBase, from value: Any) {
        let copies = ObjectCopies(for: nil)
        fill(object, from: value, .plain, copies)
        if let fault = copies.fault { Misuse.report(fault, nil) }
    }

    /// Fills an object and notes faults and what was given.
    static func fill(
        _ object: ObjectBase, from value: Any, _ building: _ObjectBuilding, _ notes: ObjectCopies
    ) {
        let model = ObjectModelReader.model(of: object)
        switch AnyValue.unwrapped(value) {
        case let dictionary as [String: Any]:
            fill(object, model, building, notes) { property in
                dictionary[property.name].map { Given(value: $0) }
            }
        case let dictionary as [String: Any?]:
            fill(object, model, building, notes) { property in
                dictionary[property.name].map { Given(value: $0) }
            }
        case let array as [Any]: fill(object, model, array, building, notes)
        case let array as [Any?]: fill(object, model, array.map { $0 as Any }, building, notes)
        case let other as ObjectBase: fill(object, model, from: other, building, notes)
        default:
            note(
                RealmError(
                    .invalidValue,
                    """
                    Invalid value '\(short(value))' to initialize object of type '\(model.schema.className)': a \
                    dictionary, an array or an object was expected.
                    """, className: model.schema.className), notes)
        }
    }

    /// A value that was given for a property; nil inside for nil.
    private struct Given {
        let value: Any?
    }

    private static func fill(
        _ object: ObjectBase, _ model: ClassModel, _ building: _ObjectBuilding, _ notes: ObjectCopies,
        _ value: (Property) -> Given?
    ) {
        var given = Set<Int>()
        for (ordinal, property) in model.properties.enumerated() where !property.schema.isComputed {
            guard let found = value(property.schema) else { continue }
            given.insert(ordinal)
            set(object, model, ordinal, found.value, building, notes)
        }
        notes.given[ObjectIdentifier(object)] = given
    }

    private static func fill(
        _ object: ObjectBase, _ model: ClassModel, _ array: [Any], _ building: _ObjectBuilding,
        _ notes: ObjectCopies
    ) {
        let count = model.schema.properties.count
        guard array.count <= count else {
            note(
                RealmError(
                    .invalidValue,
                    """
                    Invalid array input: more values (\(array.count)) than properties (\(count)) of \
                    '\(model.schema.className)'.
                    """, className: model.schema.className), notes)
            return
        }
        for (ordinal, value) in array.enumerated() { set(object, model, ordinal, value, building, notes) }
        notes.given[ObjectIdentifier(object)] = Set(array.indices)
    }

    private static func fill(
        _ object: ObjectBase, _ model: ClassModel, from other: ObjectBase, _ building: _ObjectBuilding,
        _ notes: ObjectCopies
    ) {
        guard other.isValid else {
            note(other.deletedError(nil), notes)
            return
        }
        let source = ObjectModelReader.model(of: other)
        for (ordinal, property) in model.properties.enumerated() where !property.schema.isComputed {
            guard let place = source === model ? ordinal : source.ordinal(named: property.schema.name) else {
                note(
                    RealmError(
                        .invalidValue,
                        """
                        Invalid value of class '\(source.schema.className)' to initialize object of type \
                        '\(model.schema.className)': missing key '\(property.schema.name)'.
                        """, className: model.schema.className, propertyName: property.schema.name), notes)
                continue
            }
            set(object, model, ordinal, other.anyValue(place, source), building, notes)
        }
    }

    private static func set(
        _ object: ObjectBase, _ model: ClassModel, _ ordinal: Int, _ value: Any?, _ building: _ObjectBuilding,
        _ notes: ObjectCopies
    ) {
        let functions = model.properties[ordinal].functions
        let fits = functions.setUnmanaged(
            model.wrapper(object, ordinal), AnyValue.unwrapped(value), building)
        if !fits { note(misfit(value, model, ordinal), notes) }
    }

    private static func note(_ error: RealmError, _ notes: ObjectCopies) {
        if notes.fault == nil { notes.fault = error }
    }

    /// The error for a value that does not fit a property.
    static func misfit(_ value: Any?, _ model: ClassModel, _ ordinal: Int) -> RealmError {
        let property = model.properties[ordinal].schema
        let unwrapped = AnyValue.unwrapped(value)
        let type = unwrapped.map { " of type '\(Swift.type(of: $0))'" } ?? ""
        return RealmError(
            .invalidValue,
            """
            Invalid value '\(short(unwrapped))'\(type) for '\(property.typeText)' property \
            '\(model.schema.className).\(property.name)'.
            """, className: model.schema.className, propertyName: property.name)
    }

    private static func short(_ value: Any?) -> String {
        guard let value else { return "nil" }
        if value is ObjectBase { return "an object" }
        let text = "\(value)"
        return text.count > 40 ? text.prefix(40) + "…" : text
    }

    // MARK: Linked objects

    /// The object that a value given for a link stands for; nil where it does not fit.
    static func linked<Target: ObjectBase>(
        _ value: Any, _ type: Target.Type, _ building: _ObjectBuilding
    ) -> Target? {
        guard let copies = building.copies else {
            if let object = value as? Target { return object }
            guard isFilling(value) else { return nil }
            let object = type.init()
            let notes = ObjectCopies(for: nil)
            fill(object, from: value, building, notes)
            return notes.fault == nil ? object : nil
        }
        if let object = value as? ObjectBase {
            return copy(of: object, copies, building) as? Target
        }
        guard isFilling(value) else { return nil }
        let object = type.init()
        fill(object, from: value, building, copies)
        return object
    }

    private static func isFilling(_ value: Any) -> Bool {
        value is [String: Any] || value is [Any] || value is ObjectBase
    }

    /// The copy of an object for `create`: of one of the Realm's own the object itself.
    static func copy(
        of object: ObjectBase, _ copies: ObjectCopies, _ building: _ObjectBuilding
    ) -> ObjectBase {
        if let session = object.session, session === copies.session { return object }
        if let known = copies.copy(of: object) { return known }
        let copy = Swift.type(of: object).init()
        copies.note(copy, of: object)
        copies.pending.append((object, copy))
        return copy
    }

    /// Gives values to the copies that have none yet, and to those that these lead to.
    static func fillPending(_ copies: ObjectCopies) {
        while copies.fault == nil, let (original, copy) = copies.pending.popLast() {
            fill(copy, from: original, _ObjectBuilding(copies: copies), copies)
        }
    }
}
