public import CRuntime
public import CairnStorage

/// What all stored objects have in common. Subclass `Object`, not this.
///
/// An object is *unmanaged* after `init()`: its values are its own, and any thread may use it as it may
/// use any other class instance. It is *managed* once it was added to a Realm or was read from one: then
/// it is an accessor, whose properties read and write the row, and which belongs to its Realm's thread.
open class ObjectBase {
    // The hot path of every property: no exclusivity checks, no dispatch (DESIGN, section 3).

    /// The class's tables; nil for an unmanaged object.
    @exclusivity(unchecked) @usableFromInline
    final var access: UnsafeMutablePointer<ClassAccess>?
    /// The row's key.
    @exclusivity(unchecked) @usableFromInline
    final var row: UInt64 = 0
    /// The session's epoch when the row was last known to be there.
    @exclusivity(unchecked) @usableFromInline
    final var seenEpoch: UInt64 = 0
    /// The hash of the primary key, once it was asked for; 0 before. See `ObjectHash`.
    @exclusivity(unchecked)
    final var keyHash = 0
    /// Whose object it is; nil for an unmanaged one. Keeps `access` alive.
    @exclusivity(unchecked)
    final var session: RealmSession?

    /// An unmanaged object with the declared defaults.
    ///
    /// Also called by the library for each accessor it makes, so an override should be cheap and without
    /// effects elsewhere.
    public required init() {
        // Declared defaults were left out if this is to be an accessor; whatever an initializer of the
        // program makes from here on gets its own.
        cairn_set_makes_accessor(false)
    }

    /// The class's name without its module: the name of its table.
    open class func className() -> String { String(describing: self) }

    /// Whether the class is part of a Realm whose configuration names no classes. Override it to leave a
    /// class out.
    open class func shouldIncludeInDefaultSchema() -> Bool { true }

    /// The stored names of properties that are stored under another name than their own.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Whether objects of the class belong to the one object that links to them.
    class var isEmbeddedClass: Bool { false }

    /// Whether the class is one of the library's own, which are never stored.
    class var isAbstractClass: Bool { self == ObjectBase.self }

    /// The names given to `primaryKey()` in the older style; `Object` asks its own class function.
    class var declaredPrimaryKey: String? { nil }
    class var declaredIndexedProperties: [String] { [] }
    class var declaredIgnoredProperties: [String] { [] }

    /// The value of a property by its name: of links an object, of lists the list, nil for nil. Values are
    /// converted as `Object.init(value:)` does.
    ///
    /// A name that the class has no property of, and a value that does not fit, are misuse.
    public subscript(key: String) -> Any? {
        get { declaredValue(key) }
        set { setDeclaredValue(newValue, key) }
    }

    /// The text that `description` gives.
    open var description: String { ObjectDescription.text(of: self) }

    /// Whether the row is gone, or the Realm was invalidated. False for an unmanaged object. Never fails.
    open var isInvalidated: Bool { !isValid }
}

extension ObjectBase: CustomStringConvertible {}

extension ObjectBase {
    /// Where the value of a property is; nil where there is none to be had, which was reported.
    @inlinable @inline(__always)
    final func cell(_ property: Int) -> _Cell? {
        if let access {
            let state = access.pointee.state
            if state.pointee.token == cairn_thread_token(), state.pointee.epoch == seenEpoch {
                let key = RowKey(row)
                let column = access.pointee.columns + Int(access.pointee.positions[property])
                if let chunk = column.pointee.chunk(key.block) {
                    return _Cell(
                        chunk: chunk, slot: key.slot, access: access, property: property, object: self)
                }
            }
        }
        return slowCell(property)
    }

    /// The same when anything is out of the ordinary: a chunk that was not looked up yet, a session that
    /// moved, a frozen object, a deleted one, another thread.
    @usableFromInline @inline(never)
    final func slowCell(_ property: Int) -> _Cell? {
        if access == nil { KeyPathTracer.note(self, property) }
        guard let access = readableAccess(property) else { return nil }
        let key = RowKey(row)
        let chunk = access.table.chunk(access.position(property), key.block)
        return _Cell(chunk: chunk, slot: key.slot, access: access, property: property, object: self)
    }

    /// The tables to read a property of this object with; nil where it cannot be read, which was reported.
    final func readableAccess(_ property: Int) -> UnsafeMutablePointer<ClassAccess>? {
        guard let access else { return nil }
        let state = access.pointee.state
        if state.pointee.token == cairn_thread_token(), state.pointee.epoch == seenEpoch { return access }
        guard let session else { return nil }
        guard let tables = session.readable(self.name(of: property)) else { return nil }
        let here = tables.accesses + access.pointee.ordinal
        guard noteAlive(here) else {
            Misuse.report(deletedError(property), session)
            return nil
        }
        return here
    }

    /// Whether the row is there for tables of this thread. Live objects remember it.
    private final func noteAlive(_ here: UnsafeMutablePointer<ClassAccess>) -> Bool {
        // A frozen object never changes, and was there when it was made.
        guard here == access else { return true }
        guard seenEpoch >= here.pointee.validSince, !wasHandedToDelete else { return false }
        if seenEpoch == here.pointee.state.pointee.epoch { return true }
        guard
            here.table.contains(RowKey(row))
                // Added by an asynchronous write that is being committed.
                || here.session.awaitCommit(of: row, here.pointee.ordinal)
                    && here.table.contains(RowKey(row)),
            !here.session.tables.isUndone(row, seenEpoch: seenEpoch, here.pointee.ordinal)
        else { return false }
        seenEpoch = here.pointee.state.pointee.epoch
        return true
    }

    /// Whether the object can be read; asks nothing that could fail.
    final var isValid: Bool {
        guard let session, let access else { return true }
        if session.isFrozen {
            return true
        }
        if seenEpoch < access.pointee.validSince || wasHandedToDelete { return false }
        // On another thread nothing but that can be looked at.
        guard session.confinement.isHere, access.pointee.table != nil else {
            return access.pointee.table != nil
        }
        return noteAlive(access)
    }

    /// Whether the instance was handed to `Realm.delete`: it is dead for good then, also where the write is
    /// undone. Its row stays what it was, and so does its hash.
    final var wasHandedToDelete: Bool {
        get { seenEpoch == UInt64.max }
        set { if newValue { seenEpoch = UInt64.max } }
    }

    /// Whether the object belongs to a Realm.
    final var isManaged: Bool { session != nil }

    // MARK: Words for errors

    final var model: ClassModel? {
        guard let session, let access else { return nil }
        return unsafeDowncast(session.models[access.pointee.ordinal], to: ClassModel.self)
    }

    /// The name of the object's class in its Realm: that of a dynamic object is not the class's own.
    final var storedClassName: String { model?.schema.className ?? Self.className() }

    /// `Dog.name`, for sentences.
    final func name(of property: Int) -> String {
        guard let model else { return Self.className() }
        return "\(model.schema.className).\(model.properties[property].schema.name)"
    }

    final func deletedError(_ property: Int?) -> RealmError {
        RealmError(
            .invalidatedObject,
            """
            Object has been deleted or invalidated. \(property.map { "'\(name(of: $0))'" } ?? "An object of class '\(storedClassName)'") \
            was used after its row was deleted or its Realm invalidated. Ask 'isInvalidated' first.
            """, className: storedClassName, propertyName: property.flatMap { propertyName($0) })
    }

    final func propertyName(_ property: Int) -> String? { model?.properties[property].schema.name }
}
