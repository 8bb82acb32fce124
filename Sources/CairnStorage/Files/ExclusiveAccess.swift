internal import CairnLMDB
internal import Glibc

/// A store's files while nobody has them open, in this process or another: what is needed to replace or
/// remove them.
package struct ExclusiveAccess: ~Copyable {
    private let paths: StorePaths
    private let presence: PresenceFile
    private let claim: OpenFileTable.Claim

    /// The data file, with symbolic links followed. It need not be there.
    package var path: String { paths.data }

    private init(_ paths: StorePaths, _ presence: consuming PresenceFile, _ claim: OpenFileTable.Claim) {
        self.paths = paths
        self.presence = presence
        self.claim = claim
    }

    // MARK: - Inside

    /// Opens the file for the duration of the access. It must be closed, with all references gone, before
    /// `replaceDataFile` or `removeFiles`, and before the access ends.
    ///
    /// Errors: those of `StoreFile.open`.
    package func openFile(_ options: StoreOptions) throws(StorageError) -> StoreFile {
        let opener = StoreOpener(
            options: options, paths: paths, lockFilesInUse: claim.lockFilesInUse)
        let prepared = try FileSizeSignal.withBlocked { () throws(StorageError) in
            try opener.openFirst(presence, removesPresence: false)
        }
        return StoreFile(
            OpenFiles(prepared, presence: nil, isListed: false), options: options, paths: paths)
    }

    /// Puts another file in the place of the data file, at once and for good: after a power loss there is
    /// the old or the new one.
    ///
    /// - Parameter newPath: A whole data file on the same file system, which nobody has open. It is flushed
    ///   to the device first, and has its old name no more afterwards.
    package func replaceDataFile(with newPath: String) throws(StorageError) {
        do throws(SystemFailure) {
            let new = try FileDescriptor.open(newPath, O_RDWR)
            try new.sync()
            // First: with the old lock file, the new data file would have the old one's readers.
            try FileDescriptor.remove(paths.lock)
            guard rename(newPath, paths.data) == 0 else { throw SystemFailure(code: errno, call: "rename") }
            let record = PresenceRecord(dataInode: try new.status().identity.inode, lockInode: 0)
            try presence.write(record, syncs: false)
            try FileDescriptor.syncFolder(paths.folder)
        } catch {
            throw FileFailure.error(error, .replacing, path: paths.data)
        }
    }

    /// Removes the data file and the files beside it; true when there was a data file.
    @discardableResult
    package func removeFiles() throws(StorageError) -> Bool {
        do throws(SystemFailure) {
            // The presence file last: as long as it has its name, nobody gets past this access.
            let wasThere = try FileDescriptor.remove(paths.data)
            try FileDescriptor.remove(paths.lock)
            try FileDescriptor.remove(paths.presence)
            return wasThere
        } catch {
            throw FileFailure.error(error, .removing, path: paths.data)
        }
    }
}

// MARK: - Getting it

extension StoreFile {
    /// Runs `body` while nobody else has the file at `path` open or can open it.
    ///
    /// Threads of this process that open it meanwhile wait for the end of `body`; other processes wait some
    /// seconds. `body` may open it through the access only. Waits while this process is opening or closing
    /// it. Throws `alreadyOpen` when somebody has it open, and what the operating system refuses.
    package static func withExclusiveAccess<Result>(
        to path: String, _ body: (borrowing ExclusiveAccess) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let paths = try StorePaths.resolve(path, .replacing)
        switch OpenFileTable.begin(paths, wantsValue: false) {
        case .open:
            throw ExclusiveAccess.refusal(paths)
        case .mine(let claim, open: _):
            defer { OpenFileTable.finish(claim, open: nil) }
            return try ExclusiveAccess.run(paths, claim, body)
        }
    }

    /// Removes the database and the files beside it; true when there was one.
    ///
    /// Throws `alreadyOpen` when somebody has it open, and removes nothing then.
    @discardableResult
    package static func deleteFiles(at path: String) throws(StorageError) -> Bool {
        do throws(StorageError) {
            return try withExclusiveAccess(to: path) { access throws(StorageError) in
                try access.removeFiles()
            }
        } catch {
            if error.code == .fileNotFound { return false }
            throw error
        }
    }
}

extension ExclusiveAccess {
    fileprivate static func run<Result>(
        _ paths: StorePaths, _ claim: OpenFileTable.Claim,
        _ body: (borrowing ExclusiveAccess) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let access = ExclusiveAccess(paths, try lockedPresence(paths), claim)
        defer {
            access.removeNewPresenceFile()
            access.presence.unlockUse()
        }
        // Somebody may have the data file open by another name, or without side files.
        if let data = try access.openData() {
            guard try access.lockName(data) else { throw refusal(paths) }
            return try body(access)
        }
        return try body(access)
    }

    private static func lockedPresence(_ paths: StorePaths) throws(StorageError) -> PresenceFile {
        do throws(SystemFailure) {
            let presence = try PresenceFile.open(paths.presence)
            if try presence.lockUse(exclusive: true), try presence.isAt(paths.presence) { return presence }
        } catch {
            throw FileFailure.error(error, .replacing, path: paths.data)
        }
        throw refusal(paths)
    }

    private func openData() throws(StorageError) -> FileDescriptor? {
        do throws(SystemFailure) {
            return try FileDescriptor.open(paths.data, O_RDONLY)
        } catch {
            if error.code == ENOENT { return nil }
            throw FileFailure.error(error, .replacing, path: paths.data)
        }
    }

    private func lockName(_ data: borrowing FileDescriptor) throws(StorageError) -> Bool {
        do {
            return try NameLock.lock(data, presence: presence.identity)
        } catch {
            throw FileFailure.error(error, .replacing, path: paths.data)
        }
    }

    /// Leaves no presence file where there was none and is no database.
    private func removeNewPresenceFile() {
        guard presence.isNew, (try? FileStatus.read(paths.data)) == nil else { return }
        // Only tidying up: the next one to open takes it over.
        _ = try? FileDescriptor.remove(paths.presence)
    }

    fileprivate static func refusal(_ paths: StorePaths) -> StorageError {
        StorageError(
            .alreadyOpen,
            "The database '\(paths.data)' is open, and cannot be replaced or removed. Close it everywhere first."
        )
    }
}
