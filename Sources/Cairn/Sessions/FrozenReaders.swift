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

extension Confinement {
    /// The token of the calling thread.
    static var currentToken: UInt64 { cairn_thread_token() }
}
