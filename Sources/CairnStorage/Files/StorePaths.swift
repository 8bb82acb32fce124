internal import Glibc

/// The names of a store's files, with symbolic links followed, so that every way to name a file gives
/// the same side files.
///
///     data            the LMDB file
///     data-lock       LMDB's lock file: mutexes and reader table
///     data-presence   Cairn's: who has the store open, and which data file the others belong to
struct StorePaths: Hashable, Sendable {
    let data: String
    let folder: String

    var lock: String { data + "-lock" }
    var presence: String { data + "-presence" }

    /// Follows `path`, whose last part need not be there.
    ///
    /// Throws `fileNotFound` when the folder is missing, and what the operating system says otherwise.
    static func resolve(_ path: String, _ action: FileAction) throws(StorageError) -> StorePaths {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StorageError(
                .fileNotFound, "The path '\(path)' is empty or holds a zero byte. Give the path of a file.")
        }
        var path = path
        // The kernel itself gives up after 40 links.
        for _ in 0..<40 {
            let (folder, name) = split(path)
            guard !name.isEmpty, name != ".", name != ".." else {
                throw StorageError(
                    .notADatabase, "The path '\(path)' is a folder. Give the path of a file in it.")
            }
            let resolved = try resolveFolder(folder, of: path, action)
            let data = resolved == "/" ? "/" + name : resolved + "/" + name
            guard let target = readLink(data) else { return StorePaths(data: data, folder: resolved) }
            path = target.hasPrefix("/") ? target : resolved + "/" + target
        }
        throw FileFailure.error(SystemFailure(code: ELOOP, call: "readlink"), action, path: path)
    }

    // By bytes: a slash followed by a combining mark is one `Character`, and none that looks like "/".
    private static func split(_ path: String) -> (folder: String, name: String) {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[bytes.index(after: slash)...])
        return (slash == bytes.startIndex ? "/" : String(path[..<slash]), name)
    }

    private static func resolveFolder(
        _ folder: String, of path: String, _ action: FileAction
    ) throws(StorageError) -> String {
        guard let resolved = realpath(folder, nil) else {
            if errno == ENOENT {
                throw StorageError(
                    .fileNotFound,
                    "The folder '\(folder)' of the database '\(path)' is not there. Make it first.",
                    cause: SystemFailure(code: ENOENT, call: "realpath"))
            }
            throw FileFailure.error(SystemFailure(code: errno, call: "realpath"), action, path: path)
        }
        defer { free(resolved) }
        let name = String(cString: resolved)
        var status = stat()
        guard stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR else {
            throw FileFailure.error(SystemFailure(code: ENOTDIR, call: "stat"), action, path: path)
        }
        return name
    }

    /// What a symbolic link holds; nil for anything else.
    private static func readLink(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            // Proof: the buffer is not empty, so it has an address.
            bytes.withMemoryRebound(to: CChar.self) { readlink(path, $0.baseAddress!, $0.count) }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
