internal import CairnStorage

/// Somebody who observes one object.
final class ObjectObservation<Observed: ObjectBase>: Observation {
    private let object: Observed
    private let ordinal: Int
    /// nil: the object's own properties.
    private let paths: [ObservedPath]?
    private let block: (ObjectChange<Observed>) -> Void

    init(
        _ object: Observed, _ ordinal: Int, _ paths: [ObservedPath]?, _ life: ObservationLife,
        _ block: @escaping (ObjectChange<Observed>) -> Void
    ) {
        self.object = object
        self.ordinal = ordinal
        self.paths = paths
        self.block = block
        super.init(life)
    }

    override func bringForward(_ news: News?, _ session: RealmSession) -> (() -> Void)? {
        guard let news, let engine = session.tables.engine else { return nil }
        let access = session.handle(ordinal)
        let row = RowKey(object.row)
        guard access.table.contains(row) else {
            _ = life.end()
            return { [block] in block(.deleted) }
        }
        do throws(StorageError) {
            let names = try changedNames(news.changes, access, engine)
            guard !names.isEmpty else { return nil }
            let properties = propertyChanges(names, news, session)
            return { [block, object] in block(.change(object, properties)) }
        } catch {
            _ = life.end()
            let error = RealmError(error, file: session.settings.fileURL)
            return { [block] in block(.error(error)) }
        }
    }

    /// The ordinals of the properties to be told of.
    private func changedNames(
        _ changes: ChangeSet, _ access: UnsafeMutablePointer<ClassAccess>, _ engine: Session
    ) throws(StorageError) -> [Int] {
        let row = RowKey(object.row)
        let properties = access.session.models[ordinal].schema.allProperties
        if let paths {
            var names: Set<String> = []
            for path in paths where !names.contains(path.firstName) {
                if try ModificationRule.rows(at: path, changes, engine).contains(row) {
                    names.insert(path.firstName)
                }
            }
            return properties.indices.filter { names.contains(properties[$0].name) }
        }
        let modified = changes.changes(of: access.table.definition.space).modified
        return properties.indices.filter { property in
            !properties[property].isComputed
                && modified[column(property, access)]?.contains(row) == true
        }
    }

    private func column(_ property: Int, _ access: UnsafeMutablePointer<ClassAccess>) -> ColumnID {
        access.table.definition.columns[access.position(property)].id
    }

    // MARK: Values

    private func propertyChanges(_ names: [Int], _ news: News, _ session: RealmSession) -> [PropertyChange] {
        let access = session.handle(ordinal)
        let model = unsafeDowncast(session.models[ordinal], to: ClassModel.self)
        let before = objectBefore(news, session, model)
        return names.map { property in
            let schema = model.properties[property].schema
            guard !schema.isCollection, !schema.isComputed else {
                return PropertyChange(name: schema.name, oldValue: nil, newValue: nil)
            }
            let get = model.properties[property].functions.get
            var old: Any?
            if let before, let others = news.others,
                others.changes.changes(of: access.table.definition.space)
                    .modified[column(property, access)]?.contains(RowKey(object.row)) == true
            {
                old = live(AnyValue.unwrapped(get(before, property)), in: session)
            }
            return PropertyChange(
                name: schema.name, oldValue: old, newValue: AnyValue.unwrapped(get(object, property)))
        }
    }

    /// The object as it was before others changed it; nil where they did not, or it was not there.
    private func objectBefore(_ news: News, _ session: RealmSession, _ model: ClassModel) -> ObjectBase? {
        guard let others = news.others else { return nil }
        let frozen = RealmSession(freezing: session, at: others.before)
        guard let tables = frozen.readable("An observed object"),
            (tables.accesses + ordinal).table.contains(RowKey(object.row))
        else { return nil }
        return model.makeObject(frozen, frozen.handle(ordinal), RowKey(object.row))
    }

    /// Of a link, the object in the Realm that listens; it may be gone.
    private func live(_ value: Any?, in session: RealmSession) -> Any? {
        guard let object = value as? ObjectBase, let access = object.access else { return value }
        let handle = session.handle(access.pointee.ordinal)
        let model = unsafeDowncast(session.models[access.pointee.ordinal], to: ClassModel.self)
        let counterpart = model.makeObject(session, handle, RowKey(object.row))
        // Nobody has seen it alive at this version.
        counterpart.seenEpoch = handle.pointee.validSince
        return counterpart
    }
}
