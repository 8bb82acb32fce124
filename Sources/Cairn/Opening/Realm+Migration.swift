internal import CairnStorage
public import Foundation

extension Realm {
    /// Opens a file, which migrates it if its schema version is older, and closes it.
    ///
    /// For programs that want to migrate before anything else uses the file, on a thread of their own.
    ///
    /// - Throws: `alreadyOpen` where this process has a Realm of the file; what `init(configuration:)` throws,
    ///   and what a `throwingMigrationBlock` throws.
    public static func performMigration(
        for configuration: Configuration = .defaultConfiguration, file: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        if let path = configuration.fileURL?.path, Store.isOpen(path) {
            throw RealmError(
                .alreadyOpen,
                "Cannot migrate a file that this process has open: let every Realm of it go first.",
                fileURL: configuration.fileURL)
        }
        _ = try Realm(configuration: configuration, file: file, line: line)
    }
}

/// The schema version of a file.
///
/// - Throws: `fileNotFound`; `invalidDatabase` where the file is no database or nothing was stored in it yet;
///   what opening a file read-only throws besides.
public func schemaVersionAtURL(_ fileURL: URL) throws -> UInt64 {
    do throws(StorageError) {
        let session = try reader(of: fileURL.path)
        guard !session.schema.tables.isEmpty else {
            throw StorageError(.notADatabase, "The file '\(fileURL.path)' has no classes and no version yet.")
        }
        return session.schemaVersion
    } catch {
        throw RealmError(error, file: fileURL)
    }
}

private func reader(of path: String) throws(StorageError) -> Session {
    do throws(StorageError) {
        return try Store.open(StoreOptions(path: path, isReadOnly: true)).makeSession()
    } catch {
        // This process has it open for writing.
        guard error.code == .mismatchedOptions else { throw error }
        return try Store.open(StoreOptions(path: path)).makeSession()
    }
}
