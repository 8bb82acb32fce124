package import CairnLMDB
internal import Glibc

/// Opens the files of one store, against every other process that does something with them.
///
/// Whoever finds the presence file without any user takes it exclusively, and so may repair and make what
/// is missing; it keeps it shared when the store is open. Whoever finds it in use joins, and changes
/// nothing but LMDB's reader table.
///
///     first process                          second process
///     presence exclusive
///     check data file, make lock file        presence exclusive: refused; shared: refused
///     mdb_env_open                           tries again
///     presence shared
///                                            presence exclusive: refused; shared: granted
///                                            check data file, mdb_env_open
///
/// The data file is left as it was whenever this throws, and files that were made are removed.
///
/// The caller sees to it that nothing in this process has the file open, and that no other thread is
/// opening it.
struct StoreOpener {
    /// How long somebody who replaces or removes the file is waited for.
    private static let patience: Duration = .seconds(10)

    let options: StoreOptions
    let paths: StorePaths
    /// The lock files that this process has open through LMDB, for whatever data file.
    let lockFilesInUse: Set<FileIdentity>

    func open() throws(StorageError) -> OpenFiles {
        try FileSizeSignal.withBlocked { () throws(StorageError) in
            let end = ContinuousClock.now + Self.patience
            var pause: UInt32 = 500
            while ContinuousClock.now < end {
                if let files = try attempt() { return files }
                // Another process is opening, replacing or removing the file. There is nothing to wait on:
                // a lock that waits could not be given up.
                usleep(pause)
                pause = min(pause * 2, 20_000)
            }
            throw StorageError(
                .alreadyOpen,
                "The database '\(paths.data)' is being replaced or removed by another process. Try again later."
            )
        }
    }

    /// One try; nil when somebody else was in the way, and it is to be made again.
    private func attempt() throws(StorageError) -> OpenFiles? {
        try refuseWhatIsNoFile()
        guard let presence = try openPresence() else {
            return OpenFiles(try openWithoutSideFiles(), presence: nil)
        }
        if try system({ () throws(SystemFailure) in try presence.lockUse(exclusive: true) }) {
            guard try isInPlace(presence) else { return nil }
            let prepared = try openFirst(presence)
            _ = try system { () throws(SystemFailure) in try presence.lockUse(exclusive: false) }
            return OpenFiles(prepared, presence: presence)
        }
        guard try system({ () throws(SystemFailure) in try presence.lockUse(exclusive: false) }),
            try isInPlace(presence), let prepared = try join(presence)
        else { return nil }
        return OpenFiles(prepared, presence: presence)
    }

    private func refuseWhatIsNoFile() throws(StorageError) {
        let status = try system { () throws(SystemFailure) in try FileStatus.read(paths.data) }
        if status == nil && options.isReadOnly { throw missing }
        if let status, !status.isRegularFile {
            throw StorageError(
                .notADatabase,
                "The path '\(paths.data)' is \(status.isFolder ? "a folder" : "a device or pipe"), not a database. Give the path of a file."
            )
        }
    }

    /// Nil for a reader that may not write beside the data file.
    private func openPresence() throws(StorageError) -> PresenceFile? {
        do {
            return try PresenceFile.open(paths.presence)
        } catch {
            if options.isReadOnly, [EACCES, EPERM, EROFS].contains(error.code) { return nil }
            throw failed(error)
        }
    }

    private func isInPlace(_ presence: borrowing PresenceFile) throws(StorageError) -> Bool {
        do { return try presence.isAt(paths.presence) } catch { throw failed(error) }
    }
}

// MARK: - Joining

extension StoreOpener {
    /// Opens the file beside others who have it open. Nil when the side files turned out to belong to
    /// another data file, and were taken away.
    private func join(_ presence: borrowing PresenceFile) throws(StorageError) -> PreparedFiles? {
        let found = try system { () throws(SystemFailure) in try FileStatus.read(paths.data)?.identity }
        let record = try record(of: presence)
        guard let found, let record, record.dataInode == found.inode else {
            try removeForeignSideFiles(presence)
            return nil
        }
        let data = try openData(O_RDONLY)
        let status = try status(of: data)
        guard status.identity == found else { return nil }
        try lockName(data, presence.identity)
        let lock = try system { () throws(SystemFailure) in try FileStatus.read(paths.lock)?.identity }
        guard let lock, lock.inode == record.lockInode else {
            throw StorageError(
                .fileAccess,
                "The lock file of the database '\(paths.data)' was removed or replaced while the database is in use. Close it in every process, then open it again."
            )
        }
        guard try DataFileCheck.check(data, path: paths.data) == .database else { throw empty }
        presence.beginTransition()
        defer { presence.endTransition() }
        let environment = try openEnvironment(fileByteCount: status.byteCount)
        return PreparedFiles(
            environment: environment, data: data, identity: found, lockIdentity: lock,
            endedUncleanly: record.flags.contains(.needsCheck))
    }

    /// Takes away the names of side files that belong to a data file which is no longer here. Those who
    /// have them open keep them; who comes next makes new ones.
    private func removeForeignSideFiles(_ presence: borrowing PresenceFile) throws(StorageError) {
        do {
            // Under the lock of the very file that goes: of two who get here, the second finds that it is
            // not in its place any more, and does not take away what the first has made.
            guard try presence.lockRemoval(), try presence.isAt(paths.presence) else { return }
            try FileDescriptor.remove(paths.lock)
            try FileDescriptor.remove(paths.presence)
        } catch {
            throw failed(error)
        }
    }
}

// MARK: - Common steps

extension StoreOpener {
    func openEnvironment(
        fileByteCount: Int, usesLockFile: Bool = true
    ) throws(StorageError) -> Environment {
        let size = MapSize(fileByteCount: fileByteCount, maximum: options.maximumFileByteCount)
        do {
            let environment = try size.reserve { byteCount throws(LMDBError) in
                try Environment.open(
                    path: paths.data,
                    options: .init(
                        mapByteCount: byteCount,
                        readerCount: max(options.readerCount, 1),
                        isReadOnly: options.isReadOnly,
                        syncs: options.durability.syncMode,
                        usesLockFile: usesLockFile))
            }
            if usesLockFile { try environment.clearStaleReaders() }
            return environment
        } catch {
            throw FileFailure.error(error, .opening, path: paths.data)
        }
    }

    /// Opens the data file to look at it and to hold `NameLock` on it.
    func openData(_ flags: Int32) throws(StorageError) -> FileDescriptor {
        do { return try FileDescriptor.open(paths.data, flags) } catch { throw failed(error) }
    }

    func lockName(
        _ data: borrowing FileDescriptor, _ presence: FileIdentity?
    ) throws(StorageError) {
        do {
            if try NameLock.lock(data, presence: presence) { return }
        } catch {
            throw failed(error)
        }
        throw StorageError(
            .alreadyOpen,
            "The database '\(paths.data)' is in use under another name, or with other '-lock' and '-presence' files: it has a second name (hard link), or files were moved or removed meanwhile. Use one name only, and close the database everywhere before moving its files."
        )
    }

    func status(of data: borrowing FileDescriptor) throws(StorageError) -> FileStatus {
        do { return try data.status() } catch { throw failed(error) }
    }

    func record(of presence: borrowing PresenceFile) throws(StorageError) -> PresenceRecord? {
        do { return try presence.readRecord() } catch { throw failed(error) }
    }

    func system<Result>(_ body: () throws(SystemFailure) -> Result) throws(StorageError) -> Result {
        do { return try body() } catch { throw failed(error) }
    }

    func failed(_ error: SystemFailure) -> StorageError {
        FileFailure.error(error, .opening, path: paths.data)
    }

    var missing: StorageError {
        StorageError(
            .fileNotFound,
            "The database '\(paths.data)' is not there, and is not made when it is opened for reading only. Check the path."
        )
    }

    var empty: StorageError {
        StorageError(
            .notADatabase,
            "The file '\(paths.data)' is empty, which is no Cairn database. Open it for writing to make one of it."
        )
    }
}

extension StoreOptions.Durability {
    package var syncMode: Environment.SyncMode {
        switch self {
        case .full: .full
        case .lastCommitAtRisk: .noMetaSync
        case .none: .noSync
        }
    }
}
