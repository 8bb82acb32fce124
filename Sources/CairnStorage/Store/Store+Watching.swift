internal import CairnLMDB

extension Store {
    /// Tells of commits of other processes, until the token is cancelled or released.
    ///
    /// The token keeps the store open. Nothing is told in the child of a `fork`.
    ///
    /// - Parameter onChange: called on the watcher's thread, without a lock, with a version that the file has
    ///   reached; the versions of its calls rise. For every commit of another process, also of one between
    ///   the store's newest version and this call, there is a call with its version or a later one. Now and
    ///   then there is one for an own commit. Should only hand over: all other files wait meanwhile.
    package func watch(onChange: @escaping @Sendable (Version) -> Void) -> Token {
        let known = latestKnownVersion
        let watch = CommitWatcher.shared.watch(path: file.path, after: known.value) {
            self.look()
        } onChange: {
            onChange(Version($0))
        }
        return Token(watch, addWatch(watch), of: self)
    }

    /// A watch of a store. Cancels it when released.
    package final class Token: Sendable {
        private let watch: CommitWatcher.Token
        private let id: UInt64
        private let store: Store

        fileprivate init(_ watch: CommitWatcher.Token, _ id: UInt64, of store: Store) {
            self.watch = watch
            self.id = id
            self.store = store
        }

        deinit {
            cancel()
        }

        /// Ends the watch, as `CommitWatcher.Token.cancel` does. May be called from every thread and
        /// repeatedly.
        package func cancel() {
            store.removeWatch(id)
            watch.cancel()
        }
    }

    /// The newest version that this store has looked at.
    private var latestKnownVersion: Version { state.withLock { $0.newest?.version ?? Version(0) } }

    private func addWatch(_ watch: CommitWatcher.Token) -> UInt64 {
        state.withLock { state in
            state.lastWatch += 1
            state.watches[state.lastWatch] = watch
            return state.lastWatch
        }
    }

    fileprivate func removeWatch(_ id: UInt64) {
        // What goes with the token goes outside of the lock.
        _ = state.withLock { $0.watches.removeValue(forKey: id) }
    }

    /// For the watcher: the published version and the visible one, under the lock that keeps the map from
    /// being replaced meanwhile.
    private func look() -> CommitLook? {
        guard (try? file.checkUsable()) != nil else { return nil }
        return state.withLock { state in
            let published = self.file.environment.info.lastTransactionID
            do throws(StorageError) {
                return CommitLook(publishedID: published, visibleID: try self.beginRead(&state).id)
            } catch {
                switch error.code {
                // There is news, which a refresh can take when the snapshots that are in its way have gone.
                case .grownByAnotherProcess: return CommitLook(publishedID: published, visibleID: published)
                // There will be no more.
                case .storeFailed: return CommitLook(publishedID: 0, visibleID: 0)
                default: return nil
                }
            }
        }
    }

    /// Sets what is called after each commit of this store, on the thread that has committed and before its
    /// session moves to the new version. It should only hand over.
    package func setCommitListener(_ listener: (@Sendable () -> Void)?) {
        state.withLock { $0.commitListener = listener }
    }

    /// Tells the watches and the listener of a commit that has just succeeded.
    func noteOwnCommit(_ version: Version) {
        let (watches, listener) = state.withLock { (Array($0.watches.values), $0.commitListener) }
        for watch in watches { watch.noteOwnCommit(version.value) }
        listener?()
    }

    /// The one object that a layer above keeps for the store; made when it is first asked for.
    ///
    /// - Parameter make: must not use the store. What it makes must not hold the store for ever.
    package func companion<Companion: AnyObject & Sendable>(_ make: () -> Companion) -> Companion {
        state.withLock { state in
            if let known = state.companion as? Companion { return known }
            let new = make()
            state.companion = new
            return new
        }
    }
}
