internal import CairnStorage
internal import Foundation
internal import Glibc

/// The files behind Realms that are kept in memory: on the memory file system where there is one, removed
/// with the last user of their name.
final class InMemoryFile: Sendable {
    let path: String

    // Names are the process's own, so that two programs with one name do not meet.
    private static let files = Guarded<[String: Weak]>([:])

    private struct Weak {
        weak var file: InMemoryFile?
        let path: String
    }

    private init(path: String) {
        self.path = path
    }

    /// The file of a name, which lasts as long as somebody holds what this returns.
    static func named(_ identifier: String) -> InMemoryFile {
        files.withLock { files in
            if let known = files[identifier]?.file { return known }
            let file = InMemoryFile(path: makePath())
            files[identifier] = Weak(file: file, path: file.path)
            return file
        }
    }

    private static func makePath() -> String {
        let memory = "/dev/shm"
        let folder = access(memory, W_OK) == 0 ? memory : FileManager.default.temporaryDirectory.path
        return "\(folder)/cairn-\(getpid())-\(UUID().uuidString)"
    }

    deinit {
        do throws(StorageError) {
            try StoreFile.deleteFiles(at: path)
        } catch {
            Logger.shared.log(.warn, "The file of a Realm in memory was left behind. \(error.message)")
        }
    }
}
