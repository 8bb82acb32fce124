package import CairnLMDB
internal import Glibc

/// What was being done with a file when something failed; it decides what a code means.
package enum FileAction: String, Sendable {
    case opening, reading, writing, growing, replacing, removing
}

/// The one place where a code of LMDB or of the operating system becomes an error of the engine.
package enum FileFailure {
    /// What `failure`, thrown while `action` was done with the file at `path`, means.
    package static func error(_ failure: LMDBError, _ action: FileAction, path: String) -> StorageError {
        if failure.code > 0 {
            return systemError(failure.code, action, path: path, cause: failure)
        }
        let (code, sentence) = meaning(of: failure.code, action)
        return StorageError(code, "\(action.did(path)): \(sentence)", cause: failure)
    }

    static func error(_ failure: SystemFailure, _ action: FileAction, path: String) -> StorageError {
        systemError(failure.code, action, path: path, cause: failure)
    }

    private static func meaning(of code: Int32, _ action: FileAction) -> (StorageError.Code, String) {
        switch code {
        case LMDBError.mapFull:
            (.mapFull, "it has reached the largest size it may have. Allow a larger file, or delete objects.")
        case LMDBError.transactionFull:
            (.limitReached, "the write changes more pages than one commit can hold. Split it into several.")
        case LMDBError.panic:
            (
                .storeFailed,
                "an earlier write failed half way. Close every use of the file in this process, then open it again."
            )
        case LMDBError.corrupted, LMDBError.pageNotFound, LMDBError.cursorFull, LMDBError.pageFull:
            (.damaged, "its pages do not fit together. Restore a copy, or salvage what can be read.")
        case LMDBError.readersFull:
            (
                .tooManyReaders,
                "every slot for readers is taken by a living process. End some readers, or open the file with more slots once everybody has closed it."
            )
        case LMDBError.mapResized:
            (
                .grownByAnotherProcess,
                "another process has made it larger than this one's memory map, which cannot grow while snapshots are in use. Let go of them and try again."
            )
        case LMDBError.invalid where action == .opening:
            (.notADatabase, "it is not a Cairn database.")
        case LMDBError.versionMismatch:
            (
                .newerFormat,
                "its page format is another one than this program knows. Use a newer version of it."
            )
        case LMDBError.invalid, LMDBError.incompatible:
            (.damaged, "it is not laid out as it must be. Restore a copy, or salvage what can be read.")
        case LMDBError.keyExists:
            (.duplicateKey, "there is a value under this key already.")
        default:
            (.fileAccess, "LMDB refused with a code of its own. The cause names it.")
        }
    }

    private static func systemError(
        _ code: Int32, _ action: FileAction, path: String, cause: any Error
    ) -> StorageError {
        let (kind, sentence) = meaning(ofSystem: code, action, path)
        return StorageError(kind, "\(action.did(path)): \(sentence)", cause: cause)
    }

    private static func meaning(
        ofSystem code: Int32, _ action: FileAction, _ path: String
    ) -> (StorageError.Code, String) {
        switch code {
        case ENOENT:
            (.fileNotFound, "it, or a folder above it, is not there. Check the path.")
        case EACCES, EPERM, EROFS:
            (
                .permissionDenied,
                "the operating system refuses it. Check the permissions of the file, of its '-lock' and '-presence' files, and of the folder."
            )
        case ENOSPC, EDQUOT:
            (.diskFull, "no space is left on the device, or the quota is used up. Free some and try again.")
        case EFBIG:
            (
                .fileTooLarge,
                "it would pass the size that the process's limit (ulimit -f) or the file system allows. Raise the limit."
            )
        case ENOMEM where action == .opening || action == .growing:
            (
                .addressSpaceExhausted,
                "there is no address space for its memory map. Raise the limit of the process (ulimit -v), or set a smaller maximum file size."
            )
        case EMFILE, ENFILE:
            (.fileAccess, "too many files are open. Raise the limit (ulimit -n), or close some.")
        case ENOTDIR:
            (.fileAccess, "what should be a folder in its path is a file. Check the path.")
        case EIO where isFull(path):
            // LMDB's answer to a write that was done in part, which a full disk is the usual reason of.
            (.diskFull, "no space is left on the device. Free some and try again.")
        case EIO where isAtSizeLimit(path):
            (
                .fileTooLarge,
                "it would pass the size that the process's limit (ulimit -f) allows. Raise the limit."
            )
        default:
            (.fileAccess, "the operating system reported an error. The cause names it.")
        }
    }

    /// Whether the file system has less left than the largest piece LMDB writes at once.
    private static func isFull(_ path: String) -> Bool {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return false }
        return Int(status.f_bavail) * Int(status.f_frsize) < 1 << 20
    }

    private static func isAtSizeLimit(_ path: String) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < Int.max,
            let status = try? FileStatus.read(path)
        else { return false }
        return status.byteCount + 1 << 20 > Int(limit.rlim_cur)
    }
}

extension FileAction {
    /// The first half of a sentence.
    fileprivate func did(_ path: String) -> String {
        switch self {
        case .opening: "The database '\(path)' cannot be opened"
        case .reading: "The database '\(path)' cannot be read"
        case .writing: "The database '\(path)' cannot be written"
        case .growing: "The database '\(path)' cannot grow"
        case .replacing: "The database '\(path)' cannot be replaced"
        case .removing: "The database '\(path)' cannot be removed"
        }
    }
}
