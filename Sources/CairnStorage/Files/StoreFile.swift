internal import CRuntime
package import CairnLMDB
internal import Glibc

/// An open data file: its LMDB environment, and the locks that tell other processes so.
///
/// There is one a file and process, found through every name of the file, and shared by all who open it.
/// It is closed when the last reference has gone; all transactions must have ended by then, so whatever
/// holds a transaction holds the file too. Any thread may call it.
package final class StoreFile: Sendable {
    /// The options of the first one who opened it.
    package let options: StoreOptions
    /// The data file, with symbolic links followed.
    package let path: String

    private struct State {
        var hasNotedUnsyncedCommits = false
        var hasFailed = false
    }

    private let files: OpenFiles
    /// Also held while the presence file is changed: the locks on it do not tell threads apart.
    private let state = Guarded(State())

    init(_ files: consuming OpenFiles, options: StoreOptions, paths: StorePaths) {
        self.files = files
        self.options = options
        self.path = paths.data
    }

    /// Opens the file, or finds it where this process has it open. Makes it when it is not there, unless
    /// for reading only.
    ///
    /// Waits while another thread is opening or closing it, and some seconds while another process is
    /// replacing it. Errors: `fileNotFound`, `permissionDenied`, `notADatabase`, `newerFormat`, `cutShort`,
    /// `damaged`, `diskFull`, `fileTooLarge`, `addressSpaceExhausted`, `mismatchedOptions`, `alreadyOpen`
    /// (being replaced, or in use under another name), `storeFailed`, `fileAccess`. The data file is left
    /// as it was by all of them.
    package static func open(_ options: StoreOptions) throws(StorageError) -> StoreFile {
        let paths = try StorePaths.resolve(options.path, .opening)
        switch OpenFileTable.begin(paths, wantsValue: false) {
        case .open(let file, value: _):
            try file.check(fits: options)
            return file
        case .mine(let claim, open: _):
            return try open(options, claim)
        }
    }

    /// Opens a file that is claimed, and gives the claim back.
    private static func open(
        _ options: StoreOptions, _ claim: OpenFileTable.Claim
    ) throws(StorageError) -> StoreFile {
        do throws(StorageError) {
            let file = try openClaimed(options, claim)
            OpenFileTable.finish(claim, open: file)
            return file
        } catch {
            OpenFileTable.finish(claim, open: nil)
            throw error
        }
    }

    /// Opens a file that is claimed. The caller gives the claim back with what this returns.
    static func openClaimed(
        _ options: StoreOptions, _ claim: OpenFileTable.Claim
    ) throws(StorageError) -> StoreFile {
        let opener = StoreOpener(
            options: options, paths: claim.paths, lockFilesInUse: claim.lockFilesInUse)
        return StoreFile(try opener.open(), options: options, paths: claim.paths)
    }

    package var isReadOnly: Bool { options.isReadOnly }
    package var dataFileIdentity: FileIdentity { files.identity }
    var lockFileIdentity: FileIdentity? { files.lockIdentity }

    /// The LMDB environment. Call `checkUsable` first where a fork may lie between.
    package var environment: Environment {
        _read { yield files.environment }
    }

    /// Whether the file was found with commits of durability `.none` that nobody had flushed when the last
    /// process that used it ended, and no check has passed since (`acknowledgeUncleanEnd`). A power loss
    /// may have damaged it then.
    package var endedUncleanly: Bool { files.endedUncleanly }

    /// Throws `usedAfterFork` in a process that was forked from the one that opened the file.
    package func checkUsable() throws(StorageError) {
        guard files.isOfThisProcess else {
            throw StorageError(
                .usedAfterFork,
                "The database '\(path)' was opened before a fork and is used after it, in the child. Open it in the child anew."
            )
        }
    }

    /// Throws where these options cannot share this file.
    func check(fits other: StoreOptions) throws(StorageError) {
        try checkUsable()
        guard other.isReadOnly == isReadOnly else {
            throw StorageError(
                .mismatchedOptions,
                "The database '\(path)' is open in this process for \(isReadOnly ? "reading only" : "reading and writing"), and cannot be opened for \(isReadOnly ? "reading and writing" : "reading only") meanwhile."
            )
        }
        guard !hasFailed else {
            throw error(LMDBError(code: LMDBError.panic, call: "mdb_env_open"), .opening)
        }
    }

    /// What a failure of LMDB on this file means.
    package func error(_ failure: LMDBError, _ action: FileAction) -> StorageError {
        FileFailure.error(failure, action, path: path)
    }

    /// Checks the pages of a version, which the caller holds by a read transaction, against the databases
    /// that there must be. What it finds is in the report.
    ///
    /// Throws `notFound` where the version has left the meta pages: check a newer one then.
    func checkStructure(
        version: UInt64, databases: [String: KeyOrder]
    ) throws(StorageError) -> StructureReport {
        try checkUsable()
        return try StructureCheck.run(
            descriptor: files.data.number, version: version, databases: databases)
    }

    // MARK: - State

    /// Whether `markFailed` was called. The file can be opened again when all its references have gone.
    package var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Notes that LMDB refuses everything from now on.
    package func markFailed() {
        state.withLock { $0.hasFailed = true }
    }

    /// Notes in the presence file, and on the device, that commits will not be flushed. Call it before the
    /// first commit of durability `.none`; later calls cost next to nothing.
    package func noteUnsyncedCommits() throws(StorageError) {
        try changeFlags { state throws(SystemFailure) in
            guard !state.hasNotedUnsyncedCommits else { return }
            try files.presence?.changeFlags(syncs: true) { $0.insert(.hasUnsyncedCommits) }
            state.hasNotedUnsyncedCommits = true
        }
    }

    /// Takes the note away that made `endedUncleanly` true. Call it when the structure check has passed.
    package func acknowledgeUncleanEnd() throws(StorageError) {
        try changeFlags { _ throws(SystemFailure) in
            try files.presence?.changeFlags(syncs: true) { $0.remove(.needsCheck) }
        }
    }

    private func changeFlags(
        _ body: (inout State) throws(SystemFailure) -> Void
    ) throws(StorageError) {
        try checkUsable()
        do {
            try state.withLock { state throws(SystemFailure) in try body(&state) }
        } catch {
            throw FileFailure.error(error, .writing, path: path)
        }
    }

    // MARK: - Map

    /// Makes the memory map larger, within `maximumFileByteCount`: for a file that another process has
    /// made larger than it, or when it is full.
    ///
    /// Throws `mapFull` when the maximum is reached, `addressSpaceExhausted` when there is no room; the
    /// old map holds then.
    ///
    /// - Precondition: No transaction of this process is open on the file, and none can begin: the old map
    ///   goes away, and whoever still reads in it dies of a signal.
    package func growMap() throws(StorageError) {
        try checkUsable()
        let current = environment.info.mapByteCount
        do {
            let byteCount = try fileByteCount()
            let size = MapSize(
                fileByteCount: byteCount, current: current, maximum: options.maximumFileByteCount)
            guard size.wanted > current else {
                throw error(LMDBError(code: LMDBError.mapFull, call: "mdb_env_set_mapsize"), .growing)
            }
            // LMDB gives the old map up before it asks for the new one: ask whether it will get it.
            let available = try reserveMap(size, current: current)
            do {
                try environment.setMapByteCount(available)
            } catch {
                // Somebody took the room in between, and LMDB has no map at all.
                markFailed()
                throw self.error(error, .growing)
            }
        }
    }

    private func reserveMap(_ size: MapSize, current: Int) throws(StorageError) -> Int {
        do {
            return try size.reserve { byteCount throws(LMDBError) in
                guard MapSize.isAvailable(byteCount), byteCount > current else {
                    throw LMDBError(code: ENOMEM, call: "mmap")
                }
                return byteCount
            }
        } catch {
            throw self.error(error, .growing)
        }
    }

    private func fileByteCount() throws(StorageError) -> Int {
        do { return try files.data.status().byteCount } catch {
            throw FileFailure.error(error, .growing, path: path)
        }
    }
}
