internal import CRuntime
internal import Glibc

/// A lock on the data file itself, which tells by which side files it is in use.
///
/// LMDB's lock file and the presence file are found by name. A data file that is reached by two names at
/// once (a hard link; moved or side files removed while it is in use; a file mounted alone) would have two
/// lock files, and two writers at a time. So every store holds a shared lock on one byte, far behind the
/// data, whose place is computed from the identity of its presence file: who finds another one of these
/// bytes locked stays out.
///
///     first byte       those who read without any side file
///     the others       those who came by the presence file with this number
enum NameLock {
    private static let start: Int64 = 1 << 62
    private static let byteCount: Int64 = 1 << 61

    /// The place for a presence file; nil for a reader without one.
    private static func byte(of presence: FileIdentity?) -> Int64 {
        guard let presence else { return start }
        // Mixed, so that equal inode numbers of two devices do not meet.
        let mixed = (presence.inode &+ presence.device &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        return start + 1 + Int64(mixed >> 8) % (byteCount - 1)
    }

    /// Locks the data file under this presence file, until the descriptor is closed or `unlock`.
    ///
    /// False when it is in use under another one. Of two who come at the same time under different names,
    /// at most one succeeds, since both lock before they look.
    static func lock(
        _ file: borrowing FileDescriptor, presence: FileIdentity?
    ) throws(SystemFailure) -> Bool {
        let own = byte(of: presence)
        try check(cairn_lock_range(file.number, own, 1, false, false))
        let isFreeBefore = try isFree(file, from: start, to: own)
        let isFreeBehind = try isFree(file, from: own + 1, to: start + byteCount)
        if !isFreeBefore || !isFreeBehind { unlock(file) }
        return isFreeBefore && isFreeBehind
    }

    static func unlock(_ file: borrowing FileDescriptor) {
        _ = cairn_unlock_range(file.number, start, byteCount)
    }

    private static func isFree(
        _ file: borrowing FileDescriptor, from: Int64, to: Int64
    ) throws(SystemFailure) -> Bool {
        guard from < to else { return true }
        var isFree = false
        try check(cairn_range_is_free(file.number, from, to - from, &isFree))
        return isFree
    }

    private static func check(_ code: Int32) throws(SystemFailure) {
        if code != 0 { throw SystemFailure(code: code, call: "fcntl(F_OFD_SETLK)") }
    }
}
