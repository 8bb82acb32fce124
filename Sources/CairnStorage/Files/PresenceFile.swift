internal import CRuntime
internal import Glibc

/// The open presence file of a store: the locks by which processes tell each other what they do.
///
///     byte   shared                        exclusive
///     0      has the store open            opens it first, closes it last, replaces or removes it
///     1                                    takes the side files away because they belong to another file
///     2                                    is inside LMDB's open or close
///
/// All of them are locks of the open file description (OFD locks): closing another descriptor of the file
/// does not drop them, and the kernel gives them back when the process dies.
///
/// Byte 2 is there because LMDB's close destroys the mutexes in the lock file when it is the last, while
/// an open that waits for its lock at that moment takes them for usable. (So says LMDB's source; it was
/// not seen to happen.)
struct PresenceFile: ~Copyable, Sendable {
    private static let use: Int64 = 0
    private static let removal: Int64 = 1
    private static let transition: Int64 = 2

    let descriptor: FileDescriptor
    let identity: FileIdentity
    /// Whether this call of `open` made the file.
    let isNew: Bool

    private init(_ descriptor: consuming FileDescriptor, identity: FileIdentity, isNew: Bool) {
        self.descriptor = descriptor
        self.identity = identity
        self.isNew = isNew
    }

    /// Opens the presence file, and makes it where it is missing. Takes no lock.
    static func open(_ path: String) throws(SystemFailure) -> PresenceFile {
        do throws(SystemFailure) {
            let made = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
            let identity = try made.status().identity
            return PresenceFile(made, identity: identity, isNew: true)
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        let found = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o644)
        let identity = try found.status().identity
        return PresenceFile(found, identity: identity, isNew: false)
    }

    /// Whether the path still leads to this file: it may have been removed since it was opened.
    func isAt(_ path: String) throws(SystemFailure) -> Bool {
        try FileStatus.read(path, followsLink: false)?.identity == identity
    }

    // MARK: - Record

    func readRecord() throws(SystemFailure) -> PresenceRecord? {
        PresenceRecord(try descriptor.read(at: 0, count: PresenceRecord.byteCount))
    }

    /// Writes the record; to the device too, when `syncs`.
    func write(_ record: PresenceRecord, syncs: Bool) throws(SystemFailure) {
        try descriptor.write(record.bytes, at: 0)
        if syncs { try descriptor.sync() }
    }

    // MARK: - Locks

    /// Takes the lock on the use of the store, or changes the one that is held; false where somebody else
    /// is in the way.
    func lockUse(exclusive: Bool) throws(SystemFailure) -> Bool {
        try lock(Self.use, exclusive: exclusive, waits: false)
    }

    func unlockUse() {
        _ = cairn_unlock_range(descriptor.number, Self.use, 1)
    }

    /// Takes the lock that is needed to take the side files away; false where somebody else does so.
    func lockRemoval() throws(SystemFailure) -> Bool {
        try lock(Self.removal, exclusive: true, waits: false)
    }

    /// Waits until no other process is inside LMDB's open or close of this store, and keeps them out until
    /// `endTransition`. Not twice in a process at the same time: the threads share the lock.
    func beginTransition() {
        // Where the lock cannot be had (a file system without locks), the first one has failed already.
        _ = try? lock(Self.transition, exclusive: true, waits: true)
    }

    func endTransition() {
        _ = cairn_unlock_range(descriptor.number, Self.transition, 1)
    }

    /// Changes the flags of the record while no other process does.
    ///
    /// - Precondition: No other thread of this process is inside this, or inside a transition.
    func changeFlags(
        syncs: Bool, _ change: (inout PresenceRecord.Flags) -> Void
    ) throws(SystemFailure) {
        beginTransition()
        defer { endTransition() }
        guard var record = try readRecord() else { return }
        let before = record
        change(&record.flags)
        if record != before { try write(record, syncs: syncs) }
    }

    private func lock(_ byte: Int64, exclusive: Bool, waits: Bool) throws(SystemFailure) -> Bool {
        let code = cairn_lock_range(descriptor.number, byte, 1, exclusive, waits)
        if code == EAGAIN || code == EACCES { return false }
        if code != 0 { throw SystemFailure(code: code, call: "fcntl(F_OFD_SETLK)") }
        return true
    }
}
