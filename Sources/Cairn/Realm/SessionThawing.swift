internal import CairnStorage

/// Finds or makes the live session for another one of the same file and classes.
enum SessionThawing {
    /// The live session for a frozen one: where that was frozen, if the calling code runs there; else of the
    /// thread or main queue that it runs on.
    static func thaw(_ frozen: RealmSession) throws(RealmError) -> RealmSession {
        let isHere = frozen.confinement.scheduler.isHere
        return try live(like: frozen, in: isHere ? frozen.confinement.scheduler : nil)
    }

    /// A live session of the same file and classes as another one.
    ///
    /// - Parameter scheduler: where it belongs; nil for the thread or main queue that the calling code runs on.
    static func live(
        like other: RealmSession, in scheduler: (any Scheduler)?
    ) throws(RealmError) -> RealmSession {
        let key = SessionRegistry.Key(
            store: ObjectIdentifier(other.store), place: scheduler?.identity ?? Confinement.currentIdentity,
            models: other.modelSet)
        if let known = SessionRegistry.session(key, scheduler) { return known }
        do throws(StorageError) {
            let engine = try other.store.makeSession()
            let place = CallSite(file: "thaw()", line: 0)
            let session = try RealmSession(
                like: other, engine: engine,
                Confinement(scheduler ?? Confinement.currentScheduler, openedAt: place))
            SessionRegistry.insert(session, key)
            return session
        } catch {
            throw RealmError(error, file: other.settings.fileURL)
        }
    }
}
