internal import Glibc

/// Reads pages of a data file by `pread`.
///
/// A second descriptor of the data file is harmless to a store that has the file open in this process:
/// closing a descriptor drops the process's fcntl locks on *that* file, and LMDB's are on the lock file.
///
/// One thread only. There is no cache: the check needs each page once, and the system's page cache serves the rest.
final class PageFile {
    private let descriptor: Int32
    private let isOwned: Bool

    /// The length of the file in bytes when it was opened, or last asked for.
    private(set) var byteCount: UInt64 = 0

    /// Opens a file for reading. The file is closed with the object.
    ///
    /// - Throws: `fileNotFound`, `permissionDenied`, or `fileAccess`, also for what is not a regular file.
    static func open(path: String) throws(StorageError) -> PageFile {
        // Without O_NONBLOCK, opening a pipe waits for its other end.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("cannot be opened: \(path)", errno) }
        let file = PageFile(descriptor: descriptor, isOwned: true)
        try file.refreshByteCount()
        return file
    }

    /// Reads through a descriptor of the caller's, who closes it.
    static func borrowing(descriptor: Int32) throws(StorageError) -> PageFile {
        let file = PageFile(descriptor: descriptor, isOwned: false)
        try file.refreshByteCount()
        return file
    }

    private init(descriptor: Int32, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Asks for the length anew: a live file grows.
    func refreshByteCount() throws(StorageError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure("has no length", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StorageError(.fileAccess, "What should be a data file is not a regular file.")
        }
        byteCount = UInt64(max(0, status.st_size))
    }

    /// Fills a buffer with the bytes from an offset on.
    ///
    /// - Returns: Whether the file reaches that far; the buffer's content is of no use otherwise.
    /// - Throws: `fileAccess` when the device fails.
    func read(at offset: UInt64, into page: PageBytes) throws(StorageError) -> Bool {
        guard offset <= byteCount, UInt64(page.count) <= byteCount - offset else { return false }
        return try page.refill { rest, filled throws(StorageError) in
            try readOnce(rest, at: Int(offset) + filled)
        }
    }

    private func readOnce(_ rest: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int {
        while true {
            let added = pread(descriptor, rest.baseAddress, rest.count, offset)
            if added >= 0 { return added }
            let code = errno
            if code != EINTR { throw Self.failure("cannot be read at byte \(offset)", code) }
        }
    }

    private static func failure(_ what: String, _ code: Int32) -> StorageError {
        let kind: StorageError.Code =
            switch code {
            case ENOENT, ENOTDIR: .fileNotFound
            case EACCES, EPERM: .permissionDenied
            default: .fileAccess
            }
        return StorageError(kind, "The data file \(what) (\(String(cString: strerror(code)))).")
    }
}
