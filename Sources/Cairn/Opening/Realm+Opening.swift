public import Foundation

extension Realm {
    /// Opens the file of the default configuration.
    ///
    /// - Throws: as `init(configuration:)`.
    public init(file: StaticString = #fileID, line: UInt = #line) throws {
        try self.init(configuration: .defaultConfiguration, file: file, line: line)
    }

    /// Opens the default configuration with another file.
    ///
    /// - Throws: as `init(configuration:)`.
    public init(fileURL: URL, file: StaticString = #fileID, line: UInt = #line) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration, file: file, line: line)
    }

    /// Opens a file, on the calling thread.
    ///
    /// Makes the file where there is none. Classes and indexes that the file lacks are added to it.
    ///
    /// - Parameters:
    ///   - file: where the Realm is opened, for messages about its use on other threads.
    /// - Throws: `Realm.Error`: `schemaMismatch` where the file's classes differ in another way, with a
    ///   line for each difference; `fail` for classes that do not fit together, a schema version older than
    ///   the file's, or a file that is open with other options; `fileNotFound`, `filePermissionDenied`, `fileAccess`, `invalidDatabase`,
    ///   `unsupportedFileFormatVersion`, `addressSpaceExhausted`, `outOfDiskSpace`.
    public init(configuration: Configuration, file: StaticString = #fileID, line: UInt = #line) throws {
        let place = CallSite(file: "\(file)", line: line)
        self.init(try SessionOpening(configuration, openedAt: place).open())
    }

    /// The configuration that the Realm was opened with.
    public var configuration: Configuration { Configuration(of: session) }
}
