internal import CairnStorage

/// Finds or makes the live session of a frozen one.
enum SessionThawing {
    /// The live session of the calling thread for a frozen one.
    static func thaw(_ frozen: RealmSession) throws(RealmError) -> RealmSession {
        let key = SessionRegistry.Key(
            store: ObjectIdentifier(frozen.store), thread: Confinement.currentToken, models: frozen.modelSet)
        if let known = SessionRegistry.session(key) { return known }
        do throws(StorageError) {
            let engine = try frozen.store.makeSession()
            let session = try RealmSession(thawing: frozen, engine: engine)
            SessionRegistry.insert(session, key)
            return session
        } catch {
            throw RealmError(error, file: frozen.settings.fileURL)
        }
    }
}
