internal import CRuntime
internal import CairnLMDB

/// Everything that a store has open, closed in order when the value is destroyed.
///
/// In the child of a fork nothing is closed in LMDB: that would clear the parent's reader slots.
struct OpenFiles: ~Copyable, Sendable {
    let environment: Environment
    /// Nil for a reader that uses no side files, and under exclusive access, where somebody else has it.
    let presence: PresenceFile?
    let data: FileDescriptor
    let identity: FileIdentity
    let lockIdentity: FileIdentity?
    let endedUncleanly: Bool
    /// `cairn_fork_generation` when it was opened.
    let generation: UInt64

    /// Whether it stands in the table of open files, and is to be taken out when all is closed.
    let isListed: Bool

    init(_ prepared: consuming PreparedFiles, presence: consuming PresenceFile?, isListed: Bool = true) {
        self.isListed = isListed
        identity = prepared.identity
        lockIdentity = prepared.lockIdentity
        endedUncleanly = prepared.endedUncleanly
        environment = prepared.environment
        data = prepared.data
        self.presence = presence
        generation = cairn_fork_generation()
    }

    var isOfThisProcess: Bool { generation == cairn_fork_generation() }

    deinit {
        guard isOfThisProcess else {
            environment.abandon()
            return
        }
        presence?.beginTransition()
        Self.close(environment)
        presence?.endTransition()
        // A failure leaves the note, so that the next open checks the file.
        try? Self.noteCleanEnd(presence, data)
        // Given back, not only closed: a child that was forked meanwhile has copies of the descriptors.
        NameLock.unlock(data)
        presence?.unlockUse()
        if isListed { OpenFileTable.forget(identity) }
    }

    private static func close(_ environment: consuming Environment) {}

    /// The last one to close flushes what was committed without, and takes the note of it away.
    private static func noteCleanEnd(
        _ presence: borrowing PresenceFile?, _ data: borrowing FileDescriptor
    ) throws(SystemFailure) {
        guard let record = try presence?.readRecord(), record.flags.contains(.hasUnsyncedCommits),
            try presence?.lockUse(exclusive: true) == true
        else { return }
        try data.sync()
        try presence?.changeFlags(syncs: true) { $0.remove(.hasUnsyncedCommits) }
    }
}

/// What the opener hands over, before anybody owns the presence file for good.
struct PreparedFiles: ~Copyable {
    let environment: Environment
    let data: FileDescriptor
    let identity: FileIdentity
    let lockIdentity: FileIdentity?
    let endedUncleanly: Bool
}
