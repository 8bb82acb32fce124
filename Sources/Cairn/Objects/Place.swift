internal import CRuntime
public import CairnStorage

/// Where a value is to be stored: a row of a write in progress that is known to be there.
@frozen
public struct _Place {
    @usableFromInline let access: UnsafeMutablePointer<ClassAccess>
    @usableFromInline let row: RowKey
    /// The property's ordinal.
    @usableFromInline let property: Int

    init(_ access: UnsafeMutablePointer<ClassAccess>, _ row: RowKey, _ property: Int) {
        self.access = access
        self.row = row
        self.property = property
    }

    var session: RealmSession { access.session }
    var table: SessionTable { access.table }
    var position: Int { access.position(property) }
    var target: UnsafeMutablePointer<ClassAccess>? { access.pointee.targets[property] }

    // One function a shape, none of them generic: they are called from programs' own code.

    @usableFromInline
    func store(_ value: Int64) {
        changing { table throws(StorageError) in try table.set(row, position, value) }
    }

    @usableFromInline
    func store(_ value: Double) {
        changing { table throws(StorageError) in try table.set(row, position, value) }
    }

    @usableFromInline
    func store(_ value: Float) {
        changing { table throws(StorageError) in try table.set(row, position, value) }
    }

    @usableFromInline
    func store(_ value: Bool) {
        changing { table throws(StorageError) in try table.setBool(row, position, value) }
    }

    /// Stores 12 or 16 bytes of fixed width.
    @usableFromInline
    func storeFixed(_ bytes: UnsafeRawBufferPointer) {
        changing { table throws(StorageError) in try table.setBytes(row, position, bytes) }
    }

    /// Stores a string or binary.
    @usableFromInline
    func storeText(_ bytes: UnsafeRawBufferPointer) {
        changing { table throws(StorageError) in try table.setText(row, position, bytes) }
    }

    @usableFromInline
    func storeNull() { changing { table throws(StorageError) in try table.setNull(row, position) } }

    /// `noting`, with the table and without counting a reference to it.
    @inline(__always)
    private func changing(_ change: (SessionTable) throws(StorageError) -> Void) {
        guard let table = access.pointee.table else {
            preconditionFailure("the tables of a closed session were changed")
        }
        table._withUnsafeGuaranteedRef { table in
            do throws(StorageError) {
                try change(table)
            } catch {
                session.doom(RealmError(error, file: session.settings.fileURL))
            }
        }
    }

    func storeLink(_ target: RowKey?) {
        noting { () throws(StorageError) in try table.setLink(row, position, target) }
    }

    /// Carries out a change. What the engine throws cannot be thrown by an assignment, so it ends the
    /// write like a mistake.
    func noting(_ change: () throws(StorageError) -> Void) {
        do throws(StorageError) {
            try change()
        } catch {
            session.doom(RealmError(error, file: session.settings.fileURL))
        }
    }
}

extension ObjectBase {
    /// Where a property of a managed object is to be stored; nil where it cannot be, which was reported.
    @usableFromInline @inline(never)
    final func place(_ property: Int) -> _Place? {
        guard let access else { return nil }
        let state = access.pointee.state
        if state.pointee.isWriting, state.pointee.token == cairn_thread_token(),
            state.pointee.epoch == seenEpoch, access.pointee.primaryKey != property
        {
            return _Place(access, RowKey(row), property)
        }
        guard canBeChanged(property) else { return nil }
        return _Place(access, RowKey(row), property)
    }

    private final func canBeChanged(_ property: Int) -> Bool {
        guard let session else { return false }
        if session.role?.mistakeTaker != nil {
            Misuse.report(
                RealmError(
                    .misuse,
                    """
                    '\(name(of: property))' was set on the old side of a migration, which is read-only. Set it on \
                    the new object.
                    """, className: storedClassName, propertyName: propertyName(property)), session)
            return false
        }
        if session.isFrozen {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    "Attempting to modify a frozen object: '\(name(of: property))'. Call thaw() on it first.",
                    className: storedClassName, propertyName: propertyName(property)))
            return false
        }
        guard readableAccess(property) != nil, !session.hasDeferredError else { return false }
        guard session.isWriting else {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    """
                    Attempting to modify object outside of a write transaction: '\(name(of: property))'. Call \
                    beginWrite(), or change it in the block of write { }.
                    """, className: storedClassName, propertyName: propertyName(property)))
            return false
        }
        guard model?.primaryKey != property else {
            Misuse.report(
                RealmError(
                    .misuse,
                    """
                    Primary key can't be changed after an object is inserted: '\(name(of: property))'. Add a \
                    new object with the other key.
                    """, className: storedClassName, propertyName: propertyName(property)), session)
            return false
        }
        return true
    }
}
