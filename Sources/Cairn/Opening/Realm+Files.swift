internal import CairnStorage
internal import Foundation

extension Realm {
    /// Whether the file of a configuration is there.
    ///
    /// Of an in-memory configuration false: its file is nobody's business.
    public static func fileExists(for configuration: Configuration) -> Bool {
        guard let url = configuration.fileURL, url.isFileURL else { return false }
        return FileManager.default.fileExists(atPath: url.path)
    }

    /// Removes the file of a configuration and the files beside it.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `alreadyOpen` where somebody has it open, in this process or another: then nothing is
    ///   removed. `filePermissionDenied`, `fileAccess`.
    @discardableResult
    public static func deleteFiles(for configuration: Configuration) throws -> Bool {
        guard let url = configuration.fileURL, url.isFileURL else { return false }
        do throws(StorageError) {
            return try StoreFile.deleteFiles(at: url.path)
        } catch {
            throw RealmError(error, file: url)
        }
    }
}
