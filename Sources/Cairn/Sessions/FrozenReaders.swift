internal import CRuntime

/// The reader that a thread used last, so that reading one frozen object after the other asks no
/// dictionary and no lock.
enum FrozenReaders {
    /// The calling thread's reader of a frozen session.
    ///
    /// - Parameter make: finds it, or makes it. What it returns must live as long as the session.
    static func reader(of session: UInt64, make: () -> ClassTables) -> ClassTables {
        if let known = cairn_frozen_reader(session) {
            return Unmanaged<ClassTables>.fromOpaque(known).takeUnretainedValue()
        }
        let reader = make()
        cairn_set_frozen_reader(session, Unmanaged.passUnretained(reader).toOpaque())
        return reader
    }
}

extension FrozenReaders {
    /// The readers of one frozen session, by the token of their thread.
    struct Table {
        private var readers: [UInt64: ClassTables] = [:]
        private var sweepLimit = 32

        /// The reader of a thread, or nil.
        subscript(token: UInt64) -> ClassTables? { readers[token] }

        /// Adds a reader, and drops those of threads that have ended, each time their number has doubled.
        mutating func insert(_ reader: ClassTables, for token: UInt64) {
            readers[token] = reader
            guard readers.count > sweepLimit else { return }
            readers = readers.filter { cairn_thread_lives($0.key) }
            sweepLimit = max(32, readers.count * 2)
        }

        var count: Int { readers.count }
    }
}

extension Confinement {
    /// The token of the calling thread.
    static var currentToken: UInt64 { cairn_thread_token() }
}
