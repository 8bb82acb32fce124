internal import CRuntime
internal import Glibc

/// LMDB's lock file: mutexes and the reader table, in a memory map that LMDB writes.
///
/// A page of it that has no place on the device becomes a signal when the disk is full (seen on tmpfs and
/// ext4). So it is given all its places before LMDB sees it.
///
/// No descriptor of it may be opened or closed in a process that has it open through LMDB: LMDB's locks
/// are of the kind that belongs to the process and goes with the first descriptor that is closed.
enum LockFile {
    private static let headerByteCount = 192
    private static let readerByteCount = 64
    private static let page = 4096

    /// The size of a lock file for so many readers, in whole pages.
    static func byteCount(readerCount: Int) -> Int {
        (headerByteCount + readerByteCount * readerCount + page - 1) / page * page
    }

    /// Whether no other process has the lock file open through LMDB, which then holds a lock on its first
    /// byte.
    ///
    /// - Precondition: This process does not have it open.
    static func isFree(_ path: String) throws(SystemFailure) -> Bool {
        let file = try FileDescriptor.open(path, O_RDONLY | O_NOFOLLOW)
        var isFree = false
        let code = cairn_range_is_free(file.number, 0, 1, &isFree)
        if code != 0 { throw SystemFailure(code: code, call: "fcntl(F_OFD_GETLK)") }
        return isFree
    }

    /// Makes the lock file at `path` ready for LMDB; one that is larger stays so.
    ///
    /// Removed again when this throws and it was not there before.
    ///
    /// - Precondition: No process has it open.
    static func prepare(
        _ path: String, readerCount: Int, like data: FileStatus
    ) throws(SystemFailure) -> (identity: FileIdentity, isNew: Bool) {
        let isNew = try FileStatus.read(path, followsLink: false) == nil
        do throws(SystemFailure) {
            let file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o644)
            try file.allocate(byteCount: byteCount(readerCount: readerCount))
            if isNew {
                file.takeOver(
                    permissions: data.sideFilePermissions, owner: data.owner, group: data.group)
            }
            return (try file.status().identity, isNew)
        } catch {
            if isNew { _ = try? FileDescriptor.remove(path) }
            throw error
        }
    }
}

extension FileStatus {
    /// The permissions of files beside this one: the same, and those who open the file must be able to
    /// write there even when they only read, since readers note themselves in the lock file.
    var sideFilePermissions: UInt32 { permissions & 0o666 | 0o600 }
}
