internal import CLMDB
internal import Glibc

/// An open LMDB file: the map, the lock file's map, and what hangs on them.
///
/// Always opened with `MDB_NOSUBDIR`, `MDB_NOTLS` and `MDB_NORDAHEAD`, never with `MDB_WRITEMAP` (with
/// a written map a full disk is a signal, not an error).
///
/// Closed when the value and the last of its transactions are destroyed.
@safe
package struct Environment: ~Copyable, @unchecked Sendable {
    // Unchecked: LMDB guards its environment by the mutexes in the lock file, for every call used
    // here but those that say otherwise. The compiler sees only an opaque pointer.

    /// What is fixed when the environment is opened.
    package struct Options: Sendable {
        /// Address space for the map, in bytes; rounded up by LMDB to what the file needs already.
        package var mapByteCount: Int
        /// Slots of the reader table; a lock file that has more of them already keeps them.
        package var readerCount: Int
        package var isReadOnly: Bool
        package var syncs: SyncMode
        /// No lock file at all (`MDB_NOLOCK`): only for a file that nobody can write.
        package var usesLockFile: Bool
        /// Permission bits of a file that is made, before the process's mask.
        package var fileMode: UInt32

        package init(
            mapByteCount: Int,
            readerCount: Int = 1024,
            isReadOnly: Bool = false,
            syncs: SyncMode = .full,
            usesLockFile: Bool = true,
            fileMode: UInt32 = 0o644
        ) {
            self.mapByteCount = mapByteCount
            self.readerCount = readerCount
            self.isReadOnly = isReadOnly
            self.syncs = syncs
            self.usesLockFile = usesLockFile
            self.fileMode = fileMode
        }
    }

    /// What a commit flushes to the device.
    package enum SyncMode: Hashable, Sendable {
        /// Data and meta page: the commit survives a power loss.
        case full
        /// Data, but not the meta page (`MDB_NOMETASYNC`): a power loss may undo the last commit.
        case noMetaSync
        /// Nothing (`MDB_NOSYNC`): a power loss may leave a damaged file.
        case noSync
    }

    /// What LMDB tells about the environment at this moment.
    package struct Info: Hashable, Sendable {
        package let mapByteCount: Int
        package let pageByteCount: Int
        /// The number of the last page that was ever used; the file ends there or later.
        package let lastPageNumber: Int
        /// `me_last_txnid`, read from the newest meta page in the map: the id of the last commit of
        /// any process. It may be ahead of what a read transaction that begins now gets.
        package let lastTransactionID: UInt64
        package let readerCapacity: Int
        /// The highest number of reader slots that were taken at the same time.
        package let readersInUse: Int
    }

    /// A read transaction that is open somewhere.
    package struct Reader: Hashable, Sendable {
        package let processID: Int32
        package let transactionID: UInt64
    }

    /// Named databases an environment has room for.
    static let databaseLimit: UInt32 = 16

    /// What transactions keep alive.
    private let opened: OpenEnvironment

    private var pointer: OpaquePointer { unsafe opened.pointer }

    private init(_ opened: OpenEnvironment) {
        self.opened = opened
    }

    /// Forgets the environment without closing it: its maps and descriptors stay to the end of the
    /// process. For the child of a `fork`, where closing would write into the parent's lock file.
    package consuming func abandon() {
        opened.isAbandoned = true
    }

    /// Opens the file at `path`, and makes it when it is not there and `isReadOnly` is off.
    package static func open(path: String, options: Options) throws(LMDBError) -> Environment {
        var created: OpaquePointer?
        try LMDBError.check(unsafe mdb_env_create(&created), "mdb_env_create")
        guard let pointer = unsafe created else {
            preconditionFailure("mdb_env_create answered success and no environment")
        }
        do throws(LMDBError) {
            try unsafe configure(pointer, options)
            let code = FileSizeSignal.withBlocked {
                unsafe mdb_env_open(pointer, path, options.flags, options.fileMode)
            }
            try LMDBError.check(code, "mdb_env_open")
            unsafe keepFromOtherPrograms(pointer)
        } catch {
            // LMDB wants this after a failed open as well.
            unsafe mdb_env_close(pointer)
            throw error
        }
        return unsafe Environment(OpenEnvironment(pointer))
    }

    /// LMDB marks its descriptors to be closed by `exec`, all but the data file's.
    private static func keepFromOtherPrograms(_ pointer: OpaquePointer) {
        var descriptor: mdb_filehandle_t = -1
        unsafe mdb_env_get_fd(pointer, &descriptor)
        // A failure leaves the descriptor to the programs this one starts, which harms nothing.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func configure(_ pointer: OpaquePointer, _ options: Options) throws(LMDBError) {
        try LMDBError.check(unsafe mdb_env_set_mapsize(pointer, options.mapByteCount), "mdb_env_set_mapsize")
        try LMDBError.check(
            unsafe mdb_env_set_maxreaders(pointer, UInt32(options.readerCount)), "mdb_env_set_maxreaders")
        try LMDBError.check(unsafe mdb_env_set_maxdbs(pointer, databaseLimit), "mdb_env_set_maxdbs")
    }
}

// MARK: - Transactions

extension Environment {
    /// Begins a read transaction on the newest version. Any thread; it takes a slot of the reader
    /// table until it ends.
    package func beginRead() throws(LMDBError) -> ReadTransaction {
        try unsafe ReadTransaction(pointer: begin(flags: UInt32(MDB_RDONLY)), environment: opened)
    }

    /// Begins the write transaction, and waits for the one of any other thread or process to end.
    ///
    /// The thread that began it must end it. A thread that has one already waits for itself for ever.
    package func beginWrite() throws(LMDBError) -> WriteTransaction {
        try unsafe WriteTransaction(pointer: begin(flags: 0), environment: opened)
    }

    private func begin(flags: UInt32) throws(LMDBError) -> OpaquePointer {
        var begun: OpaquePointer?
        try LMDBError.check(unsafe mdb_txn_begin(pointer, nil, flags, &begun), "mdb_txn_begin")
        guard let transaction = unsafe begun else {
            preconditionFailure("mdb_txn_begin answered success and no transaction")
        }
        return unsafe transaction
    }
}

// MARK: - The environment as a whole

extension Environment {
    package var info: Info {
        var info = unsafe MDB_envinfo()
        var shape = MDB_stat()
        // Neither call can fail: both refuse null pointers only.
        unsafe mdb_env_info(pointer, &info)
        unsafe mdb_env_stat(pointer, &shape)
        return unsafe Info(
            mapByteCount: info.me_mapsize,
            pageByteCount: Int(shape.ms_psize),
            lastPageNumber: info.me_last_pgno,
            lastTransactionID: UInt64(info.me_last_txnid),
            readerCapacity: Int(info.me_maxreaders),
            readersInUse: Int(info.me_numreaders))
    }

    /// Maps the file anew with another size; 0 takes over the size another process has set.
    ///
    /// - Precondition: No transaction of this process is open. The old map is gone afterwards, and
    ///   whoever still reads in it dies of a signal.
    package func setMapByteCount(_ byteCount: Int) throws(LMDBError) {
        try LMDBError.check(unsafe mdb_env_set_mapsize(pointer, byteCount), "mdb_env_set_mapsize")
    }

    /// Sets what commits flush from here on. Call it inside the write transaction it is meant for, or
    /// while no other thread can commit: the flags are read by `commit` without a lock.
    package func setSyncMode(_ mode: SyncMode) throws(LMDBError) {
        let all = UInt32(MDB_NOSYNC | MDB_NOMETASYNC)
        let on = mode.flags
        try LMDBError.check(unsafe mdb_env_set_flags(pointer, on, 1), "mdb_env_set_flags")
        try LMDBError.check(unsafe mdb_env_set_flags(pointer, all & ~on, 0), "mdb_env_set_flags")
    }

    /// Flushes the file to the device.
    ///
    /// - Parameter force: Also when the sync mode is `.noSync`.
    package func sync(force: Bool) throws(LMDBError) {
        try LMDBError.check(unsafe mdb_env_sync(pointer, force ? 1 : 0), "mdb_env_sync")
    }

    /// Frees the reader slots of processes that have died, and says how many there were.
    @discardableResult
    package func clearStaleReaders() throws(LMDBError) -> Int {
        var count: Int32 = 0
        try LMDBError.check(unsafe mdb_reader_check(pointer, &count), "mdb_reader_check")
        return Int(count)
    }

    /// The read transactions that are open, of all processes, in the order of their slots.
    package func readers() throws(LMDBError) -> [Reader] {
        var lines: [String] = []
        let code = unsafe withUnsafeMutablePointer(to: &lines) { lines in
            unsafe mdb_reader_list(
                pointer,
                { text, context in
                    // Proof: LMDB hands both back as they were given, and `context` is `lines`.
                    unsafe context!.assumingMemoryBound(to: [String].self).pointee
                        .append(String(cString: text!))
                    return 0
                }, lines)
        }
        if code < 0 { throw LMDBError.failure(code, "mdb_reader_list") }
        return lines.flatMap { $0.split(separator: "\n") }.compactMap(Reader.init(line:))
    }
}

extension Environment.Reader {
    /// Reads a line of `mdb_reader_list`: process id, thread id in hexadecimal, transaction id. The
    /// heading and slots without a transaction ("-") give nil.
    fileprivate init?(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count == 3, let process = Int32(words[0]), let transaction = UInt64(words[2]) else {
            return nil
        }
        self.init(processID: process, transactionID: transaction)
    }
}

// MARK: - Flags

extension Environment.SyncMode {
    fileprivate var flags: UInt32 {
        switch self {
        case .full: 0
        case .noMetaSync: UInt32(MDB_NOMETASYNC)
        case .noSync: UInt32(MDB_NOSYNC)
        }
    }
}

extension Environment.Options {
    fileprivate var flags: UInt32 {
        var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | MDB_NORDAHEAD) | syncs.flags
        if isReadOnly { flags |= UInt32(MDB_RDONLY) }
        if !usesLockFile { flags |= UInt32(MDB_NOLOCK) }
        return flags
    }
}

// MARK: - What is open

/// LMDB's environment, which is closed when nobody needs it any more: neither the `Environment` nor a
/// transaction, whose end LMDB writes into the lock file's map.
@safe
@usableFromInline
package final class OpenEnvironment: @unchecked Sendable {
    // Unchecked: `pointer` never changes, and `isAbandoned` is set by the one thread of a forked child.
    // The compiler sees only an opaque pointer and a variable.
    let pointer: OpaquePointer
    var isAbandoned = false

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    @usableFromInline
    deinit {
        if !isAbandoned { unsafe mdb_env_close(pointer) }
    }
}
