internal import CairnStorage

extension Realm {
    // MARK: Adding

    /// Makes an object managed, with all unmanaged objects that it leads to. The instance itself becomes
    /// the accessor. One that is in this Realm already stays as it is.
    ///
    /// Needs a write. Mistakes that make the write fail: an object with the same primary key under
    /// `.error`; an object of another Realm, a frozen or a deleted one; a class that is not in the schema.
    ///
    /// - Parameter update: what happens where an object with the primary key is there already, for every
    ///   object of the graph. Lists are replaced as a whole. Of two objects with one key in a graph the
    ///   one that is met last wins.
    /// - Complexity: O(properties and objects that it leads to).
    public func add(_ object: Object, update: UpdatePolicy = .error) {
        guard requireWrite("add"), canUpdate(object, update) else { return }
        ObjectAdder(session, update).add(object)
    }

    /// Makes an object managed, like `add`, and throws what keeps it from being added.
    ///
    /// The write goes on: nothing has changed but that objects which `object` leads to may have been added.
    /// For programs that want to handle a duplicate on the spot; Realm has no such form.
    ///
    /// - Throws: `duplicatePrimaryKey`, and the other mistakes that `add` makes the write fail with.
    public func insert(_ object: Object, update: UpdatePolicy = .error) throws {
        guard requireWrite("insert") else { return }
        let mistake = session.catchingMistake {
            if canUpdate(object, update) { ObjectAdder(session, update).add(object) }
        }
        if let mistake { throw mistake }
    }

    /// Adds objects, in order.
    public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Element: Object {
        guard requireWrite("add") else { return }
        for object in objects { add(object, update: update) }
    }

    private func canUpdate(_ object: Object, _ update: UpdatePolicy) -> Bool {
        guard update != .error else { return true }
        return canUpdate(Swift.type(of: object))
    }

    private func canUpdate(_ type: ObjectBase.Type) -> Bool {
        guard let model = model(of: type) else { return false }
        guard model.primaryKey >= 0 else {
            Misuse.report(
                RealmError(
                    .misuse,
                    """
                    '\(model.schema.className)' does not have a primary key and can not be updated. Declare one \
                    with @Persisted(primaryKey: true), or add without an update policy.
                    """, className: model.schema.className), session)
            return false
        }
        return true
    }

    /// Makes an object of a class from a value and adds it.
    ///
    /// Needs a write. Always copies: objects given as values stay what they are, except those of this
    /// Realm, which are linked to.
    ///
    /// - Parameters:
    ///   - value: as for `Object.init(value:)`.
    ///   - update: where an object with the primary key is there already. Properties that `value` does
    ///     not name keep their values then, and get their defaults where there is none.
    /// - Returns: the managed object; after a mistake a detached one.
    @discardableResult
    public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error)
        -> T
    {
        guard requireWrite("create"), let model = model(of: type), update == .error || canUpdate(type) else {
            return type.init()
        }
        if update != .error, let own = value as? T, own.session === session { return own }
        let copies = ObjectCopies(for: session)
        guard let object = model.type.init() as? T else { return type.init() }
        if let original = value as? ObjectBase { copies.note(object, of: original) }
        ObjectBuilder.fill(object, from: value, _ObjectBuilding(copies: copies), copies)
        ObjectBuilder.fillPending(copies)
        if let fault = copies.fault {
            Misuse.report(fault, session)
            return type.init()
        }
        guard ObjectAdder(session, update, given: copies.given).add(object) else { return type.init() }
        return object
    }

    private func model(of type: ObjectBase.Type) -> ClassModel? {
        guard let ordinal = session.ordinal(of: type) else {
            Misuse.report(Self.unknownClass(type.className()), session)
            return nil
        }
        return unsafeDowncast(session.models[ordinal], to: ClassModel.self)
    }

    static func unknownClass(_ name: String) -> RealmError {
        RealmError(
            .misuse,
            """
            Object type '\(name)' is not managed by the Realm. If using a custom `objectTypes` array in your \
            configuration, add `\(name)` to the list of `objectTypes`.
            """, className: name)
    }

    // MARK: Finding

    /// The object with a primary key, or nil.
    ///
    /// A class without a primary key, and a key of another type, are misuse.
    ///
    /// - Complexity: O(1).
    public func object<Element: Object, KeyType>(
        ofType type: Element.Type, forPrimaryKey key: KeyType
    ) -> Element? {
        guard let tables = session.readable("A Realm"), let model = model(of: type) else { return nil }
        guard model.primaryKey >= 0 else {
            Misuse.report(
                RealmError(
                    .misuse, "'\(model.schema.className)' does not have a primary key.",
                    className: model.schema.className), session)
            return nil
        }
        guard let ordinal = session.ordinal(of: type) else { return nil }
        let access = tables.accesses + ordinal
        guard let row = row(of: key, model, access) else { return nil }
        return unsafeDowncast(model.makeObject(session, session.handle(ordinal), row), to: Element.self)
    }

    private func row<KeyType>(
        of key: KeyType, _ model: ClassModel, _ access: UnsafeMutablePointer<ClassAccess>
    ) -> RowKey? {
        var found: RowKey?
        var failure: StorageError?
        guard let type = model.keyType,
            TypedKey.withBytes(of: key, for: type, { find($0, access, &found, &failure) })
        else { return rowOfAny(AnyValue.unwrapped(key), model, access) }
        if let failure { report(failure) }
        return found
    }

    private func find(
        _ key: UnsafeRawBufferPointer?, _ access: UnsafeMutablePointer<ClassAccess>, _ found: inout RowKey?,
        _ failure: inout StorageError?
    ) {
        do throws(StorageError) {
            found = try access.table.rowOfPrimaryKey(key)
        } catch {
            failure = error
        }
    }

    /// The row of a key whose type is to be looked at.
    private func rowOfAny(
        _ key: Any?, _ model: ClassModel, _ access: UnsafeMutablePointer<ClassAccess>
    ) -> RowKey? {
        var found: RowKey?
        var failure: StorageError?
        let functions = model.properties[model.primaryKey].functions
        let fits = functions.withAnyKey?(key) { find($0, access, &found, &failure) } ?? false
        if !fits {
            Misuse.report(ObjectBuilder.misfit(key, model, model.primaryKey), session)
        } else if let failure {
            report(failure)
        }
        return found
    }

    /// Something that the engine failed at and that cannot be thrown from here: it ends a write, and is
    /// logged elsewhere.
    func report(_ failure: StorageError) {
        let error = RealmError(failure, file: session.settings.fileURL)
        if session.isWriting { session.doom(error) } else { Logger.shared.log(.error, error.message) }
    }

    // MARK: Deleting

    /// Deletes an object. Links to it become nil, lists lose it. The instance has no Realm afterwards.
    ///
    /// Needs a write. An object that was deleted by another accessor already is no mistake; one that is not
    /// in this Realm is.
    public func delete(_ object: ObjectBase) {
        guard requireWrite("delete") else { return }
        guard object.session === session, let access = object.access, !object.wasHandedToDelete else {
            Misuse.report(
                RealmError(
                    .misuse,
                    """
                    Can only delete an object from the Realm it belongs to: this one of class \
                    '\(Swift.type(of: object).className())' is not in it.
                    """, className: Swift.type(of: object).className()), session)
            return
        }
        if object.isValid { delete([RowKey(object.row)], of: access) }
        object.wasHandedToDelete = true
    }

    /// Deletes objects.
    public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
        guard requireWrite("delete") else { return }
        for object in Array(objects) { delete(object) }
    }

    func delete(_ rows: [RowKey], of access: UnsafeMutablePointer<ClassAccess>) {
        guard let engine = session.tables.engine else { return }
        do throws(StorageError) {
            let table = access.table
            if rows.count == 1 {
                try engine.delete(rows[0], from: table)
            } else {
                try engine.delete(rows, from: table)
            }
        } catch {
            report(error)
        }
    }

    /// Deletes all objects of the classes of this Realm's schema. Other classes' objects stay.
    public func deleteAll() {
        guard requireWrite("deleteAll") else { return }
        for ordinal in session.models.indices { deleteAll(of: session.handle(ordinal)) }
    }

    func deleteAll(of access: UnsafeMutablePointer<ClassAccess>) {
        var rows: [RowKey] = []
        access.table.forEachRow { rows.append($0) }
        delete(rows, of: access)
    }
}
