internal import Glibc

/// What a call of the operating system answered instead of success.
struct SystemFailure: Error, Hashable, CustomStringConvertible {
    /// The `errno` value.
    let code: Int32
    let call: String

    var description: String { "\(call): \(String(cString: strerror(code))) (\(code))" }
}

/// A file, whatever its name is at the moment. An inode number is used anew only when the last
/// descriptor of the file has gone.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// What the operating system knows about a file.
struct FileStatus {
    let identity: FileIdentity
    let byteCount: Int
    /// Kind and permission bits.
    let mode: UInt32
    let owner: UInt32
    let group: UInt32

    var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
    var permissions: UInt32 { mode & 0o7777 }

    fileprivate init(_ status: stat) {
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        byteCount = Int(status.st_size)
        mode = status.st_mode
        owner = status.st_uid
        group = status.st_gid
    }

    /// The file that `path` leads to, or nil where there is none.
    ///
    /// - Parameter followsLink: Whether a symbolic link stands for what it leads to.
    static func read(_ path: String, followsLink: Bool = true) throws(SystemFailure) -> FileStatus? {
        var status = stat()
        if (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 { return FileStatus(status) }
        if errno == ENOENT { return nil }
        throw SystemFailure(code: errno, call: followsLink ? "stat" : "lstat")
    }
}

/// An open file, closed when the value is destroyed.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32

    private init(number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Opens a file, without waiting (for the other end of a pipe, say), and closed by `exec`.
    static func open(
        _ path: String, _ flags: Int32, mode: UInt32 = 0
    ) throws(SystemFailure) -> FileDescriptor {
        while true {
            let number = Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
            if number >= 0 { return FileDescriptor(number: number) }
            if errno != EINTR { throw SystemFailure(code: errno, call: "open") }
        }
    }

    func status() throws(SystemFailure) -> FileStatus {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemFailure(code: errno, call: "fstat") }
        return FileStatus(status)
    }

    /// The bytes at `offset`; fewer than `count` where the file ends.
    func read(at offset: Int, count: Int) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(number, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
            }
            if got > 0 { done += got }
            if got == 0 { break }
            if got < 0 && errno != EINTR { throw SystemFailure(code: errno, call: "pread") }
        }
        bytes.removeLast(count - done)
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(SystemFailure) {
        var done = 0
        while done < bytes.count {
            let put = bytes.withUnsafeBytes { buffer in
                pwrite(number, buffer.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            }
            if put > 0 { done += put }
            if put == 0 { throw SystemFailure(code: ENOSPC, call: "pwrite") }
            if put < 0 && errno != EINTR { throw SystemFailure(code: errno, call: "pwrite") }
        }
    }

    /// Gives the first `byteCount` bytes of the file their place on the device; a longer file is left.
    func allocate(byteCount: Int) throws(SystemFailure) {
        let code = posix_fallocate(number, 0, off_t(byteCount))
        if code != 0 { throw SystemFailure(code: code, call: "posix_fallocate") }
    }

    func truncate(to byteCount: Int) throws(SystemFailure) {
        guard ftruncate(number, off_t(byteCount)) == 0 else {
            throw SystemFailure(code: errno, call: "ftruncate")
        }
    }

    func sync() throws(SystemFailure) {
        guard fsync(number) == 0 else { throw SystemFailure(code: errno, call: "fsync") }
    }

    /// Makes a file that was made beside another one belong to whoever that one belongs to, so that a
    /// store first opened by an administrator does not shut its owner out.
    func takeOver(permissions: UInt32, owner: UInt32, group: UInt32) {
        // Only a help: where it is not allowed, the file stays as it was made.
        if geteuid() == 0 { _ = fchown(number, owner, group) }
        _ = fchmod(number, permissions)
    }
}

extension FileDescriptor {
    /// Flushes a folder, so that the names made or changed in it survive a power loss.
    static func syncFolder(_ path: String) throws(SystemFailure) {
        try open(path, O_RDONLY | O_DIRECTORY).sync()
    }

    /// Removes a name; true when it was there.
    @discardableResult
    static func remove(_ path: String) throws(SystemFailure) -> Bool {
        if unlink(path) == 0 { return true }
        if errno == ENOENT { return false }
        throw SystemFailure(code: errno, call: "unlink")
    }
}
