internal import CRuntime

/// The files this process has open, by identity: two LMDB environments of one file in one process would
/// drop each other's locks.
///
/// States of a file, changed by several threads under the one lock:
///
///     absent ──begin──▶ busy ──finish──▶ open (weakly held) ──last reference gone──▶ closing ──forget──▶ absent
///                        │                 ▲
///                        └──finish(nil)──▶ absent (a failed open; a removed file)
///
/// Who wants a file that is busy or closing waits. No code of a layer above runs under the lock.
final class OpenFileTable {
    struct Entry {
        weak var file: StoreFile?
        /// What the layer above has made of the file.
        weak var value: (any AnyObject & Sendable)?
        let lockIdentity: FileIdentity?
    }

    /// What `begin` answers.
    enum Answer {
        /// The file is open, with a value where one is wanted.
        case open(StoreFile, value: (any AnyObject & Sendable)?)
        /// The caller has the file to itself until it calls `finish`. The file is open already when only
        /// its value is missing.
        case mine(Claim, open: StoreFile?)
    }

    /// A file that one thread has to itself.
    struct Claim {
        let paths: StorePaths
        fileprivate let identity: FileIdentity?
        /// The lock files that are open through LMDB in this process.
        let lockFilesInUse: Set<FileIdentity>
    }

    private var entries: [FileIdentity: Entry] = [:]
    private var busyPaths: Set<String> = []
    private var busyFiles: Set<FileIdentity> = []

    /// Runs `body` with the table of this process, under its lock.
    private static func withTable<Result>(_ body: (OpenFileTable) -> Result) -> Result {
        cairn_file_table_lock()
        defer { cairn_file_table_unlock() }
        if let table = cairn_file_table_get() {
            return body(Unmanaged<OpenFileTable>.fromOpaque(table).takeUnretainedValue())
        }
        // The first use, or the first after a fork: the parent's table is left alone, as it may have been
        // in the middle of a change.
        let table = OpenFileTable()
        cairn_file_table_set(Unmanaged.passRetained(table).toOpaque())
        return body(table)
    }

    /// Finds the file at `paths` or claims it; waits while another thread has claimed or is closing it.
    static func begin(_ paths: StorePaths, wantsValue: Bool) -> Answer {
        withTable { table in
            while true {
                if let answer = table.answer(paths, wantsValue: wantsValue) { return answer }
                cairn_file_table_wait()
            }
        }
    }

    /// Nil while somebody else has the file.
    private func answer(_ paths: StorePaths, wantsValue: Bool) -> Answer? {
        // A path that cannot be looked at is reported by whoever opens it.
        let identity = (try? FileStatus.read(paths.data))?.identity
        guard !busyPaths.contains(paths.data) else { return nil }
        guard let identity else { return claim(paths, nil, nil) }
        guard !busyFiles.contains(identity) else { return nil }
        guard let entry = entries[identity] else { return claim(paths, identity, nil) }
        guard let file = entry.file else { return nil }
        let value = entry.value
        return wantsValue && value == nil ? claim(paths, identity, file) : .open(file, value: value)
    }

    private func claim(_ paths: StorePaths, _ identity: FileIdentity?, _ file: StoreFile?) -> Answer {
        busyPaths.insert(paths.data)
        if let identity { busyFiles.insert(identity) }
        let locks = Set(entries.values.compactMap(\.lockIdentity))
        return .mine(Claim(paths: paths, identity: identity, lockFilesInUse: locks), open: file)
    }

    /// Whether this process has the file open. Does not wait: one that is being opened counts as closed.
    static func isOpen(_ identity: FileIdentity) -> Bool {
        withTable { $0.entries[identity]?.file != nil }
    }

    /// Gives a claim back, with the file that is open now, if any.
    static func finish(_ claim: Claim, open file: StoreFile?, value: (any AnyObject & Sendable)? = nil) {
        withTable { table in
            table.busyPaths.remove(claim.paths.data)
            if let identity = claim.identity { table.busyFiles.remove(identity) }
            if let file {
                table.entries[file.dataFileIdentity] = Entry(
                    file: file, value: value, lockIdentity: file.lockFileIdentity)
            }
            cairn_file_table_signal()
        }
    }

    /// Called when a file has been closed entirely.
    static func forget(_ identity: FileIdentity) {
        withTable { table in
            table.entries[identity] = nil
            cairn_file_table_signal()
        }
    }
}
