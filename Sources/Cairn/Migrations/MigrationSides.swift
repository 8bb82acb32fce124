internal import CairnStorage

/// The two sides of a migration: the file as it was, and as it becomes. Both are of dynamic objects.
final class MigrationSides {
    /// The classes of the file under their stored names, over the version before the migration.
    let old: RealmSession
    /// The program's classes, in the migration's write. Primary keys are properties like others.
    let new: RealmSession

    /// Memory for what each side has to unpack.
    static let decodedByteLimit = 16 << 20

    /// - Parameters:
    ///   - engine: in the write, with every table and column of the new side.
    ///   - oldSchema: the classes of the file.
    init(
        _ engine: Session, over before: Snapshot, _ store: Store, _ settings: SessionSettings,
        oldSchema: [ObjectSchema], models: [ClassModel], openedAt place: CallSite,
        lifetime: (any AnyObject & Sendable)?
    ) throws(StorageError) {
        // Of the thread alone, wherever the Realm that is opened will belong: nobody delivers to these.
        let confinement = Confinement(ThreadScheduler(), openedAt: place)
        let ordinals = Dictionary(
            models.enumerated().map { (ObjectIdentifier($1.type), $0) },
            uniquingKeysWith: { first, _ in first })
        new = try RealmSession(
            store, settings, models.map { DynamicModel.make($0.schema) }, ordinals: ordinals,
            modelSet: ObjectIdentifier(engine), engine: engine, confinement, lifetime: lifetime)
        let reader = Session(before)
        reader.decodeSeparately(byteLimit: Self.decodedByteLimit)
        old = try RealmSession(
            store, settings, oldSchema.map { DynamicModel.make($0) }, ordinals: [:],
            modelSet: ObjectIdentifier(reader), engine: reader, confinement, lifetime: lifetime)
        old.role = MigrationRole(.old(mistakesOf: new))
    }

    /// Ends both: their objects are dead.
    func close() {
        for session in [old, new] {
            session.role?.end()
            session.tables.close()
        }
    }

    /// Looks columns up anew, after the tables of the new side were changed.
    func resolve() throws(StorageError) { try new.tables.resolveIfNeeded() }

    /// Lets go what was unpacked for rows that were passed.
    func trim() {
        old.tables.engine?.trimDecodedChunks()
        new.tables.engine?.trimDecodedChunks()
    }

    /// An accessor for a row; the one that is given, where nobody else holds it.
    func object(
        _ session: RealmSession, _ ordinal: Int, _ row: RowKey, reusing kept: inout DynamicObject?
    ) -> DynamicObject {
        let access = session.handle(ordinal)
        if kept != nil, isKnownUniquelyReferenced(&kept), let object = kept {
            object.row = row.value
            object.seenEpoch = access.pointee.state.pointee.epoch
            return object
        }
        let made = object(session, ordinal, row)
        kept = made
        return made
    }

    /// An accessor for a row.
    func object(_ session: RealmSession, _ ordinal: Int, _ row: RowKey) -> DynamicObject {
        let model = unsafeDowncast(session.models[ordinal], to: ClassModel.self)
        return unsafeDowncast(
            model.makeObject(session, session.handle(ordinal), row), to: DynamicObject.self)
    }
}
