public import Dispatch
public import Foundation

extension Realm {
    /// Opens the file of the default configuration.
    ///
    /// - Parameter queue: as for `init(configuration:)`.
    /// - Throws: as `init(configuration:)`.
    public init(queue: DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line) throws {
        try self.init(configuration: .defaultConfiguration, queue: queue, file: file, line: line)
    }

    /// Opens the default configuration with another file.
    ///
    /// - Throws: as `init(configuration:)`.
    public init(fileURL: URL, file: StaticString = #fileID, line: UInt = #line) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration, file: file, line: line)
    }

    /// Opens a file, for the calling thread or for a queue.
    ///
    /// Makes the file where there is none. Classes and indexes that the file lacks are added to it; a file of
    /// an older schema version is migrated (see `Migration`), and everybody else who writes it waits for that.
    /// Realms that are open meanwhile stay at the version they have.
    ///
    /// - Parameters:
    ///   - queue: a serial queue that the Realm is to belong to, whichever thread runs it. Must be the one that
    ///     the calling code runs on: anything else is misuse. Without one, the Realm belongs to the calling
    ///     thread; on the main thread and the main queue to both.
    ///   - file: where the Realm is opened, for messages about its use on other threads.
    /// - Throws: what a `throwingMigrationBlock` throws; else `Realm.Error`: `schemaMismatch` where the file's
    ///   classes differ in another way and the schema version is the same, with a line for each difference and
    ///   those to write; the first mistake of a migration, and `duplicatePrimaryKey` if it has left two objects
    ///   with one key; `fail` for classes that do not fit together, a schema version older than
    ///   the file's, or a file that is open with other options; `fileNotFound`, `filePermissionDenied`, `fileAccess`, `invalidDatabase`,
    ///   `unsupportedFileFormatVersion`, `addressSpaceExhausted`, `outOfDiskSpace`.
    public init(
        configuration: Configuration, queue: DispatchQueue? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        let place = CallSite(file: "\(file)", line: line)
        let scheduler = try queue.map { queue throws(RealmError) in try Self.scheduler(of: queue) }
        self.init(try SessionOpening(configuration, in: scheduler, openedAt: place).open())
    }

    /// Opens a file where a scheduler delivers. For tests, which decide themselves when that happens.
    package init(configuration: Configuration, scheduler: any Scheduler) throws {
        let place = CallSite(file: scheduler.name, line: 0)
        self.init(try SessionOpening(configuration, in: scheduler, openedAt: place).open())
    }

    private static func scheduler(of queue: DispatchQueue) throws(RealmError) -> any Scheduler {
        let scheduler: any Scheduler = queue === DispatchQueue.main ? MainScheduler() : QueueScheduler(queue)
        guard scheduler.isHere else {
            let error = RealmError(
                .incorrectThread,
                """
                Realm opened from incorrect dispatch queue: a Realm for \(scheduler.name) can be opened in a block \
                that runs on it only.
                """)
            Misuse.reportFatal(error)
            throw error
        }
        return scheduler
    }

    /// The configuration that the Realm was opened with.
    public var configuration: Configuration { Configuration(of: session) }
}
