internal import CairnStorage

/// Makes unmanaged objects managed, with all the unmanaged objects they lead to.
///
/// 1. The graph is walked and checked: nothing has changed yet if an object cannot be added.
/// 2. Every object gets its row: a new one, or under an update policy that of its primary key. A
///    duplicate undoes the rows made so far.
/// 3. Values and links are stored: every link has a row to lead to by now.
/// 4. The objects become accessors.
///
/// Without recursion: a chain of a million objects needs no deep stack.
struct ObjectAdder {
    private let session: RealmSession
    private let policy: UpdatePolicy
    /// `create` with an update policy: for each object the properties that were given; others of a row
    /// that is there stay as they are.
    private let given: [ObjectIdentifier: Set<Int>]

    private struct Entry {
        let object: ObjectBase
        /// The session holds it.
        unowned(unsafe) let model: ClassModel
        let access: UnsafeMutablePointer<ClassAccess>
        var row = RowKey(0)
        var isNew = true
    }

    init(_ session: RealmSession, _ policy: UpdatePolicy, given: [ObjectIdentifier: Set<Int>] = [:]) {
        self.session = session
        self.policy = policy
        self.given = given
    }

    /// Adds an object; one that is in the Realm already stays as it is.
    ///
    /// - Returns: false where it could not be added, which was reported.
    @discardableResult
    func add(_ object: ObjectBase) -> Bool {
        if object.isManaged { return isUsable(object) }
        guard let entry = entry(for: object) else { return false }
        if entry.model.linkOrdinals.isEmpty { return addAlone(entry) }
        guard var entries = collect(entry) else { return false }
        for index in entries.indices where !makeRow(&entries[index]) {
            undo(entries[..<index])
            return false
        }
        for entry in entries { store(entry) }
        for entry in entries { bind(entry) }
        return true
    }

    /// The common case, an object that leads to no other, in as few steps as there can be.
    private func addAlone(_ entry: Entry) -> Bool {
        var entry = entry
        guard makeRow(&entry) else { return false }
        if entry.isNew { storeAll(entry) } else { storeUpdate(entry) }
        bind(entry)
        return true
    }

    // MARK: 1. Checking

    private func entry(for object: ObjectBase) -> Entry? {
        let type = Swift.type(of: object)
        guard let ordinal = session.ordinal(of: type) else {
            report(
                RealmError(
                    .misuse,
                    """
                    Object type '\(type.className())' is not managed by the Realm. If using a custom \
                    `objectTypes` array in your configuration, add `\(type.className())` to the list of \
                    `objectTypes`.
                    """, className: type.className()))
            return nil
        }
        return Entry(
            object: object, model: unsafeDowncast(session.models[ordinal], to: ClassModel.self),
            access: session.handle(ordinal))
    }

    /// Whether a managed object may be linked to here.
    private func isUsable(_ object: ObjectBase) -> Bool {
        guard object.session === session else {
            let name = object.storedClassName
            report(
                RealmError(
                    .misuse,
                    object.session?.isFrozen == true
                        ? "Cannot add a frozen object of class '\(name)'. Call thaw() on it first."
                        : """
                        Object of class '\(name)' is already managed by another Realm. Use create instead to \
                        copy it into this Realm.
                        """, className: name))
            return false
        }
        guard object.isValid else {
            let name = object.storedClassName
            report(
                RealmError(
                    .invalidatedObject,
                    "Adding a deleted or invalidated object of class '\(name)' to a Realm is not permitted.",
                    className: name))
            return false
        }
        return true
    }

    /// The object and all unmanaged ones that it leads to; nil where one of them cannot be added.
    private func collect(_ root: Entry) -> [Entry]? {
        var entries = [root]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root.object)]
        var next = 0
        var isFine = true
        while next < entries.count {
            let entry = entries[next]
            next += 1
            let mask = updateMask(entry)
            for ordinal in entry.model.linkOrdinals where mask?.contains(ordinal) ?? true {
                let expected = entry.access.pointee.targets[ordinal]
                entry.model.properties[ordinal].functions.forEachTarget?(
                    entry.model.wrapper(entry.object, ordinal)
                ) { target in
                    guard isFine else { return }
                    if target.isManaged {
                        isFine = isUsable(target) && isOfClass(target.access, target, expected)
                    } else if seen.insert(ObjectIdentifier(target)).inserted {
                        guard let found = self.entry(for: target),
                            isOfClass(found.access, target, expected)
                        else {
                            isFine = false
                            return
                        }
                        entries.append(found)
                    } else {
                        isFine = isOfClass(
                            session.ordinal(of: Swift.type(of: target)).map { session.handle($0) }, target,
                            expected)
                    }
                }
                guard isFine else { return nil }
            }
        }
        return entries
    }

    /// The properties that an update by `create` sets: of a row that is there those that were given, so
    /// that the defaults of the others are not added. nil for all.
    private func updateMask(_ entry: Entry) -> Set<Int>? {
        guard policy != .error, entry.model.primaryKey >= 0,
            let mask = given[ObjectIdentifier(entry.object)]
        else { return nil }
        let table = entry.access.table
        var isThere = false
        entry.model.withKey?(entry.model.wrapper(entry.object, entry.model.primaryKey)) { key in
            // What it throws is thrown again when the row is made.
            isThere = (try? table.rowOfPrimaryKey(key)) != nil
        }
        return isThere ? mask : nil
    }

    /// Whether an object is of the class that a property links to: its row is one of that class's table.
    private func isOfClass(
        _ access: UnsafeMutablePointer<ClassAccess>?, _ object: ObjectBase,
        _ expected: UnsafeMutablePointer<ClassAccess>?
    ) -> Bool {
        if access == expected { return true }
        let name = object.storedClassName
        let expectedName = expected.map { session.models[$0.pointee.ordinal].schema.className } ?? ""
        report(
            RealmError(
                .invalidValue,
                """
                Object of type '\(name)' does not match object type '\(expectedName)': a link leads to objects \
                of that very class, not of its subclasses.
                """, className: name))
        return false
    }

    // MARK: 2. Rows

    @inline(__always)
    private func makeRow(_ entry: inout Entry) -> Bool {
        let table = entry.access.table
        do throws(StorageError) {
            if entry.model.primaryKey >= 0 {
                guard try makeKeyedRow(&entry, table) else { return false }
            } else {
                entry.row = try table.insert()
            }
        } catch {
            session.doom(RealmError(error, file: session.settings.fileURL))
            return false
        }
        // From here on links to the object find its row.
        entry.object.session = session
        entry.object.access = entry.access
        entry.object.row = entry.row.value
        return true
    }

    @inline(__always)
    private func makeKeyedRow(_ entry: inout Entry, _ table: SessionTable) throws(StorageError) -> Bool {
        let wrapper = entry.model.wrapper(entry.object, entry.model.primaryKey)
        var row = RowKey(0)
        var isNew = true
        var failure: StorageError?
        entry.model.withKey?(wrapper) { key in
            do throws(StorageError) {
                if policy != .error, let known = try table.rowOfPrimaryKey(key) {
                    row = known
                    isNew = false
                } else {
                    row = try table.insert(key: key)
                }
            } catch {
                failure = error
            }
        }
        if let failure {
            guard failure.code == .duplicateKey else { throw failure }
            reportDuplicate(entry, wrapper)
            return false
        }
        entry.row = row
        entry.isNew = isNew
        return true
    }

    private func reportDuplicate(_ entry: Entry, _ wrapper: UnsafeMutableRawPointer) {
        let property = entry.model.properties[entry.model.primaryKey]
        let key = property.functions.getUnmanaged(wrapper).map { "\($0)" } ?? "nil"
        report(
            RealmError(
                .duplicatePrimaryKey,
                """
                Attempting to create an object of type '\(entry.model.schema.className)' with an existing \
                primary key value '\(key)'. To overwrite it, add it with `update: .modified`.
                """, className: entry.model.schema.className, propertyName: property.schema.name,
                primaryKey: key))
    }

    private func undo(_ entries: ArraySlice<Entry>) {
        for entry in entries {
            entry.object.session = nil
            entry.object.access = nil
            entry.object.row = 0
            guard entry.isNew, let engine = session.tables.engine else { continue }
            do throws(StorageError) {
                try engine.delete(entry.row, from: entry.access.table)
            } catch {
                session.doom(RealmError(error, file: session.settings.fileURL))
            }
        }
    }

    // MARK: 3. Values

    private func store(_ entry: Entry) {
        if entry.isNew { storeAll(entry) } else { storeUpdate(entry) }
    }

    @inline(__always)
    private func storeAll(_ entry: Entry) {
        let base = Unmanaged.passUnretained(entry.object).toOpaque()
        for property in entry.model.storing {
            property.store(base + property.offset, _Place(entry.access, entry.row, property.ordinal))
        }
    }

    private func storeUpdate(_ entry: Entry) {
        let mask = given[ObjectIdentifier(entry.object)]
        for (ordinal, property) in entry.model.properties.enumerated() {
            if ordinal == entry.model.primaryKey || property.schema.isComputed { continue }
            if let mask, !mask.contains(ordinal) { continue }
            let wrapper = entry.model.wrapper(entry.object, ordinal)
            let place = _Place(entry.access, entry.row, ordinal)
            if policy == .modified, property.functions.isStored(wrapper, place) { continue }
            property.functions.store(wrapper, place)
        }
    }

    // MARK: 4. Accessors

    @inline(__always)
    private func bind(_ entry: Entry) {
        let object = entry.object
        entry.model.bindAdded(object)
        object.seenEpoch = entry.access.pointee.state.pointee.epoch
    }

    private func report(_ error: RealmError) { Misuse.report(error, session) }

    // MARK: Links

    /// The rows that links to objects lead to: unmanaged ones are added first.
    ///
    /// - Returns: nil where one cannot be linked to, which was reported; those before it were added.
    static func rows(
        of targets: [ObjectBase], _ expected: UnsafeMutablePointer<ClassAccess>?, _ session: RealmSession
    ) -> [RowKey]? {
        var rows: [RowKey] = []
        rows.reserveCapacity(targets.count)
        for target in targets {
            guard let row = row(of: target, expected, session) else { return nil }
            rows.append(row)
        }
        return rows
    }

    /// The row that a link to an object leads to: an unmanaged one is added first.
    ///
    /// - Parameter expected: the class that the link leads to.
    /// - Returns: nil where the object cannot be linked to, which was reported.
    static func row(
        of target: ObjectBase, _ expected: UnsafeMutablePointer<ClassAccess>?, _ session: RealmSession
    ) -> RowKey? {
        // One that is being added has its row, but is not bound yet.
        if target.session === session, target.access == expected, expected != nil,
            target.seenEpoch == 0 || target.isValid
        {
            return RowKey(target.row)
        }
        let adder = ObjectAdder(session, .error)
        if target.isManaged {
            // Reports which of the two it is.
            guard adder.isUsable(target), adder.isOfClass(target.access, target, expected) else { return nil }
        } else {
            guard let entry = adder.entry(for: target), adder.isOfClass(entry.access, target, expected),
                adder.add(target)
            else { return nil }
        }
        return RowKey(target.row)
    }
}
