internal import CairnStorage

/// A session in the middle of a group's write.
struct SharedWrite {
    let ticket: AsyncWriteTicket
    /// What the session reads outside of the write.
    let own: Session
    /// The group's.
    let shared: Session
    /// The first row key of each class that the block may hand out.
    let limits: [UInt64]
}

/// A block's part of a group that has not been committed yet, for objects that it has added: until then the
/// session shows the version before.
struct AwaitedCommit {
    let ticket: AsyncWriteTicket
    /// For each class the row keys that the block has handed out.
    let added: [Range<UInt64>]
}

// Asynchronous writes: for the time of its block, a session reads and changes what the group's does.
extension RealmSession {
    /// Begins the block's part of the group.
    ///
    /// - Throws: what keeps it from beginning. The ticket has ended then.
    func beginSharedWrite(_ ticket: AsyncWriteTicket) throws(RealmError) {
        do throws(RealmError) {
            try checkVersionCount()
        } catch {
            ticket.end(isMerged: false)
            throw error
        }
        do throws(StorageError) {
            if tables.engine == nil { try open() }
            guard let own = tables.engine,
                let shared = StoreServices.of(store).asyncWrites.session(for: ticket)
            else { throw StorageError(.storeFailed, "An asynchronous write has lost its turn.") }
            if shared.schema != own.schema { try Self.check(models, against: shared.schema) }
            mistakes = MistakeRecord()
            deferredError = nil
            try shared.pushLayer()
            do throws(StorageError) {
                try tables.exchange(shared)
            } catch {
                try shared.popLayer()
                throw error
            }
            sharedWrite = SharedWrite(
                ticket: ticket, own: own, shared: shared, limits: tables.rowKeyLimits())
        } catch {
            ticket.end(isMerged: false)
            throw Self.realmError(error, settings)
        }
    }

    /// Ends the block's part: its changes are the group's.
    ///
    /// - Throws: the first mistake that was made in it. Its changes, and no others, are undone then.
    func endSharedWrite() throws(RealmError) {
        if let mistake = mistakes.first {
            undoSharedWrite()
            throw mistake
        }
        guard let write = sharedWrite else { return }
        do throws(StorageError) {
            try write.shared.mergeLayer()
        } catch {
            undoSharedWrite()
            throw Self.realmError(error, settings)
        }
        let added = zip(write.limits, tables.rowKeyLimits()).map { $0..<max($0, $1) }
        awaitedCommits.append(AwaitedCommit(ticket: write.ticket, added: added))
        leave(write, isMerged: true)
    }

    /// Ends the block's part and undoes it.
    func undoSharedWrite() {
        guard let write = sharedWrite else { return }
        let limits = tables.rowKeyLimits()
        mistakes = MistakeRecord()
        do throws(StorageError) {
            try write.shared.popLayer()
        } catch {
            // The group cannot be committed any more.
            write.shared.note(error)
        }
        leave(write, isMerged: false)
        tables.noteUndone(limits)
    }

    private func leave(_ write: SharedWrite, isMerged: Bool) {
        sharedWrite = nil
        hasMerged = isMerged
        do throws(StorageError) {
            try tables.exchange(write.own)
        } catch {
            Misuse.trap(RealmError(error, file: settings.fileURL))
        }
        write.ticket.end(isMerged: isMerged)
    }

    /// Waits for the commit of a group, where a row is used that the session's part of it has added.
    ///
    /// - Returns: whether that may have brought the row.
    func awaitCommit(of row: UInt64, _ ordinal: Int) -> Bool {
        guard let awaited = awaitedCommits.first(where: { $0.added[ordinal].contains(row) }),
            StoreServices.of(store).asyncWrites.hurry(),
            case .success(let snapshot) = awaited.ticket.waitForCommit()
        else { return false }
        finishSharedWrite(snapshot, of: awaited.ticket)
        return true
    }

    /// Moves to the version that a group's commit led to.
    func finishSharedWrite(_ snapshot: Snapshot, of ticket: AsyncWriteTicket) {
        awaitedCommits.removeAll { $0.ticket === ticket }
        guard !isWriting, tables.engine != nil else { return }
        do throws(StorageError) {
            guard try advance(to: snapshot) else { return }
        } catch {
            // The write is done all the same. The next refresh or write says why it cannot move.
            Logger.shared.log(.error, "The Realm stays at the version before its write. \(error.message)")
            return
        }
        deliver()
        observers.send(.didChange)
    }

    /// Asks for an asynchronous write.
    func submit(_ ticket: AsyncWriteTicket, isFirst: Bool = false) {
        StoreServices.of(store).asyncWrites.submit(ticket, to: store, isFirst: isFirst)
    }
}
