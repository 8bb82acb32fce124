internal import CairnLMDB
internal import Glibc

// Opening by the one who has the store to itself, and without side files.
extension StoreOpener {
    /// What has to be undone when the opening fails.
    private struct Undo {
        var madeData = false
        var fillsEmptyData = false
        var madeLock = false
    }

    /// Opens the file under an exclusive lock on its presence file, and makes what is missing.
    ///
    /// - Parameters:
    ///   - presence: Held exclusively, and in its place.
    ///   - removesPresence: Whether a new presence file is removed when the opening fails.
    func openFirst(
        _ presence: borrowing PresenceFile, removesPresence: Bool = true
    ) throws(StorageError) -> PreparedFiles {
        var undo = Undo()
        do throws(StorageError) {
            return try openFirst(presence, &undo)
        } catch {
            // Each of these only tidies up; what is thrown is the reason.
            if undo.madeLock { _ = try? FileDescriptor.remove(paths.lock) }
            if undo.madeData { _ = try? FileDescriptor.remove(paths.data) }
            if undo.fillsEmptyData { try? FileDescriptor.open(paths.data, O_RDWR).truncate(to: 0) }
            if removesPresence && presence.isNew { _ = try? FileDescriptor.remove(paths.presence) }
            throw error
        }
    }

    private func openFirst(
        _ presence: borrowing PresenceFile, _ undo: inout Undo
    ) throws(StorageError) -> PreparedFiles {
        let data = try openOrMakeData(&undo)
        let status = try status(of: data)
        try lockName(data, presence.identity)
        let known = try record(of: presence).flatMap { $0.dataInode == status.identity.inode ? $0 : nil }
        let isMade = try findNothing(in: data, known)
        undo.fillsEmptyData = isMade && !undo.madeData
        if presence.isNew { try refuseLockFileOfOthers() }
        let lock = try prepareLockFile(isKnown: known != nil, like: status, &undo)

        let syncs = options.durability != .none
        var flags = known?.flags ?? []
        if flags.contains(.hasUnsyncedCommits) {
            flags.remove(.hasUnsyncedCommits)
            flags.insert(.needsCheck)
        }
        let endedUncleanly = flags.contains(.needsCheck)
        flags.remove(.isBeingMade)
        let final = PresenceRecord(
            dataInode: status.identity.inode, lockInode: lock.inode, flags: flags)
        var first = final
        if isMade { first.flags.insert(.isBeingMade) }
        if presence.isNew {
            presence.descriptor.takeOver(
                permissions: status.sideFilePermissions, owner: status.owner, group: status.group)
        }
        if first != known { try write(first, presence, syncs: syncs && isMade || endedUncleanly) }

        let environment = try openEnvironment(fileByteCount: status.byteCount)
        try checkInPlace(status.identity, lock)
        if isMade {
            // Before the first commit: it must not be on the device when the note above still is.
            try write(final, presence, syncs: syncs)
            if syncs {
                try system { () throws(SystemFailure) in try FileDescriptor.syncFolder(paths.folder) }
            }
        }
        return PreparedFiles(
            environment: environment, data: data, identity: status.identity, lockIdentity: lock,
            endedUncleanly: endedUncleanly)
    }

    private func openOrMakeData(_ undo: inout Undo) throws(StorageError) -> FileDescriptor {
        do throws(SystemFailure) {
            return try FileDescriptor.open(paths.data, options.isReadOnly ? O_RDONLY : O_RDWR)
        } catch {
            if error.code == ENOENT && options.isReadOnly { throw missing }
            guard error.code == ENOENT else { throw failed(error) }
        }
        do throws(SystemFailure) {
            let data = try FileDescriptor.open(paths.data, O_RDWR | O_CREAT | O_EXCL, mode: 0o644)
            undo.madeData = true
            return data
        } catch {
            throw failed(error)
        }
    }

    /// Whether the data file is one without contents, which LMDB fills; throws when it is neither that
    /// nor a database.
    private func findNothing(
        in data: borrowing FileDescriptor, _ known: PresenceRecord?
    ) throws(StorageError) -> Bool {
        do throws(StorageError) {
            guard try DataFileCheck.check(data, path: paths.data) == .empty else { return false }
        } catch {
            // Somebody died while making it: it never was a database, so nothing is lost with it.
            guard let known, known.flags.contains(.isBeingMade), !options.isReadOnly else { throw error }
            do { try data.truncate(to: 0) } catch { throw failed(error) }
        }
        if options.isReadOnly { throw empty }
        return true
    }

    /// Throws where another program has the lock file in use: LMDB's own names are the same, and the data
    /// file, which nobody has opened as a Cairn database yet, is that program's.
    private func refuseLockFileOfOthers() throws(StorageError) {
        let isFree = try system { () throws(SystemFailure) in
            guard let found = try FileStatus.read(paths.lock, followsLink: false)?.identity,
                !lockFilesInUse.contains(found)
            else { return true }
            return try LockFile.isFree(paths.lock)
        }
        guard isFree else {
            throw StorageError(
                .alreadyOpen,
                "The file '\(paths.data)' is in use by another program, which has its lock file open and does not know it as a Cairn database. Check the path, or end that program."
            )
        }
    }

    /// - Parameter isKnown: Whether the lock file that is there belongs to this data file.
    private func prepareLockFile(
        isKnown: Bool, like data: FileStatus, _ undo: inout Undo
    ) throws(StorageError) -> FileIdentity {
        do throws(SystemFailure) {
            let found = try FileStatus.read(paths.lock, followsLink: false)?.identity
            // Opening one that this process has open through LMDB would drop LMDB's locks on it.
            if let found, !isKnown || lockFilesInUse.contains(found) {
                try FileDescriptor.remove(paths.lock)
            }
            let lock = try LockFile.prepare(paths.lock, readerCount: options.readerCount, like: data)
            undo.madeLock = lock.isNew
            return lock.identity
        } catch {
            throw failed(error)
        }
    }

    private func write(
        _ record: PresenceRecord, _ presence: borrowing PresenceFile, syncs: Bool
    ) throws(StorageError) {
        do { try presence.write(record, syncs: syncs) } catch { throw failed(error) }
    }

    /// LMDB opens by name what was looked at by descriptor.
    private func checkInPlace(_ data: FileIdentity, _ lock: FileIdentity) throws(StorageError) {
        let found = try system { () throws(SystemFailure) in
            [try FileStatus.read(paths.data)?.identity, try FileStatus.read(paths.lock)?.identity]
        }
        guard found == [data, lock] else {
            throw StorageError(
                .fileAccess,
                "The files of the database '\(paths.data)' were moved while it was being opened. Open it again."
            )
        }
    }
}

// MARK: - Without side files

extension StoreOpener {
    /// Opens a file that nobody can write, where no side file can be made or written: on a read-only file
    /// system, or without any permission to write it.
    ///
    /// There is no reader table then. `NameLock` still keeps out whoever opens it with side files, because
    /// permissions can change.
    func openWithoutSideFiles() throws(StorageError) -> PreparedFiles {
        let data = try openData(O_RDONLY)
        let status = try status(of: data)
        guard status.mode & 0o222 == 0 || isOnReadOnlyFileSystem else {
            throw StorageError(
                .permissionDenied,
                "The database '\(paths.data)' cannot be opened: readers note themselves in the '-lock' and '-presence' files beside it, which cannot be made or written here. Allow writing to the folder and these files, or take the permission to write away from the database itself (chmod a-w)."
            )
        }
        try lockName(data, nil)
        guard try DataFileCheck.check(data, path: paths.data) == .database else { throw empty }
        let environment = try openEnvironment(fileByteCount: status.byteCount, usesLockFile: false)
        return PreparedFiles(
            environment: environment, data: data, identity: status.identity, lockIdentity: nil,
            endedUncleanly: false)
    }

    private var isOnReadOnlyFileSystem: Bool {
        var status = statvfs()
        return statvfs(paths.data, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }
}
