internal import CairnStorage

extension ObjectBase {
    /// The Realm of a managed object; nil for an unmanaged one, and for one that was handed to `delete`.
    public var realm: Realm? {
        guard !wasHandedToDelete else { return nil }
        return session.map { Realm($0) }
    }

    /// Whether it never changes and may be used on every thread.
    public var isFrozen: Bool { session?.isFrozen ?? false }

    /// The object's counterpart in another session at its row; nil where it is not there.
    fileprivate final func counterpart(in other: RealmSession) -> ObjectBase? {
        guard let access, let tables = other.readable("An object") else { return nil }
        let ordinal = access.pointee.ordinal
        guard (tables.accesses + ordinal).table.contains(RowKey(row)) else { return nil }
        return unsafeDowncast(other.models[ordinal], to: ClassModel.self).makeObject(
            other, other.handle(ordinal), RowKey(row))
    }

    /// What `freeze()` of the subclasses does.
    final func frozenCounterpart() -> ObjectBase? {
        guard let session else {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    "Unmanaged objects cannot be frozen: one of class '\(Self.className())'. Add it to a Realm first.",
                    className: Self.className()))
            return nil
        }
        if session.isFrozen { return self }
        guard isValid else {
            Misuse.report(deletedError(nil), session)
            return nil
        }
        if let counterpart = counterpart(in: session.frozen()) { return counterpart }
        Misuse.report(
            RealmError(
                .misuse,
                """
                An object of class '\(Self.className())' was frozen in the write that adds it. Freeze it after \
                the write.
                """, className: Self.className()), session)
        return nil
    }

    /// What `thaw()` of the subclasses does.
    final func liveCounterpart() -> ObjectBase? {
        guard let session else {
            Misuse.reportFatal(
                RealmError(
                    .misuse, "Unmanaged objects cannot be thawed: one of class '\(Self.className())'.",
                    className: Self.className()))
            return nil
        }
        guard session.isFrozen else { return self }
        return counterpart(in: Realm(session).thaw().session)
    }
}

extension Object: ThreadConfined {
    /// The object as it is now, for every thread.
    ///
    /// Unmanaged and deleted objects, and those that the write in progress has added, cannot be frozen.
    public func freeze() -> Self {
        guard let frozen = frozenCounterpart() else { return self }
        return unsafeDowncast(frozen, to: Self.self)
    }

    /// The live object on the calling thread, at its Realm's version; nil where it was deleted.
    public func thaw() -> Self? { liveCounterpart().map { unsafeDowncast($0, to: Self.self) } }
}
