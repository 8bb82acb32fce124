internal import CairnStorage
public import Foundation

extension Realm {
    /// How a Realm is opened.
    ///
    /// A value: changing one does not affect Realms that are open.
    public struct Configuration: Sendable {
        /// The configuration that `Realm()` uses. Copied when it is read and when it is set.
        public static var defaultConfiguration: Configuration {
            get { defaults.withLock { $0 } ?? Configuration() }
            set { defaults.withLock { $0 = newValue } }
        }

        // Under a lock: any thread may ask for it.
        private static let defaults = Guarded<Configuration?>(nil)

        /// The data file. Beside it lie `…-lock` and `…-presence`, which belong to it. Setting it clears
        /// `inMemoryIdentifier`.
        ///
        /// At first `DefaultLocation.fileURL`: `default.cairn` in the program's folder below
        /// `$XDG_DATA_HOME`, or `~/.local/share` without that.
        public var fileURL: URL? {
            didSet { if fileURL != nil { inMemoryIdentifier = nil } }
        }

        /// The name of a Realm that is kept in memory: all threads of this process that open it see the
        /// same data, until the last Realm of that name has gone. Setting it clears `fileURL`.
        public var inMemoryIdentifier: String? {
            didSet { if inMemoryIdentifier != nil { fileURL = nil } }
        }

        /// Whether nothing is ever changed. The file must be there, with all classes and properties.
        public var readOnly: Bool

        /// The version of the program's classes. Raise it whenever a stored property is added, removed or
        /// changed. A file of an older version is migrated when it is opened; one of a newer is refused.
        public var schemaVersion: UInt64

        /// What is done to a file of an older version, beyond what is done by itself; see `Migration`.
        ///
        /// Called once, on the thread that opens the Realm, inside the write that is the whole migration; never
        /// for a new file. Setting it clears `throwingMigrationBlock`.
        public var migrationBlock: MigrationBlock? {
            didSet { if migrationBlock != nil { throwingMigrationBlock = nil } }
        }

        /// The same, of a block that may throw: the file stays as it is then, and opening the Realm throws
        /// that very error. Setting it clears `migrationBlock`. Realm has no such form.
        public var throwingMigrationBlock: ThrowingMigrationBlock? {
            didSet { if throwingMigrationBlock != nil { migrationBlock = nil } }
        }

        /// Called while a file is migrated, with the rows that are done and all of them: at the beginning,
        /// about every hundredth of them, and at the end, when both are equal. For a progress bar.
        ///
        /// Rows count once for the first `enumerateObjects` of their class, and once more for each change that goes
        /// through them by itself, such as a new index. On the thread that opens the Realm; it must not use the
        /// database. Realm has no such property.
        public var migrationProgress: (@Sendable (_ done: Int, _ total: Int) -> Void)?

        /// Whether a file that would need a migration is deleted and begun anew, instead. Also one of another
        /// schema version, older or newer; never one that this library cannot read. No block is called.
        ///
        /// For the time before an app is published. Opening throws `alreadyOpen` where somebody else has
        /// the file open. Not together with `readOnly`.
        public var deleteRealmIfMigrationNeeded: Bool

        /// The one block that is set.
        var anyMigrationBlock: ThrowingMigrationBlock? { migrationBlock ?? throwingMigrationBlock }

        /// The classes that can be stored; nil for all that the program has, but those whose
        /// `shouldIncludeInDefaultSchema()` says no.
        ///
        /// Classes that others link to must be among them. Of a class that is left out everything in the
        /// file stays, and links to it and from it keep.
        public var objectTypes: [ObjectBase.Type]? {
            get { typeList?.types }
            set { typeList = newValue.map { TypeList(types: $0) } }
        }

        /// How safe a commit is when `write` returns.
        public var durability: Durability = .full

        /// The size in bytes that the file may reach; nil for as much as the machine allows. Also the size
        /// of its memory map: a process can hold some 2,000 files with the usual map of 64 GiB.
        public var maximumFileSize: Int?

        /// Memory in bytes for what of a file has to be unpacked before it can be read. One amount a
        /// file, that of its first opener.
        public var cacheByteCount: Int = 64 << 20

        /// How many versions of the file may be held in this process when a write begins; nil or 0 for any number.
        /// Where there are more, the write throws `fail`: somebody keeps an old version, which makes the file
        /// grow. `Realm.activeVersions` tells who.
        public var maximumNumberOfActiveVersions: UInt?

        /// Whether pages are checked when the file is opened, and checksums when something is first read:
        /// damage gives an error then or the right data. Opening takes time in proportion to the file.
        public var verifyChecksums = false

        /// What a commit has reached when it returns.
        public enum Durability: Hashable, Sendable {
            /// It, and all before it, survive a power loss.
            case full
            /// A power loss may undo the last commit, and never damages the file.
            case lastCommitAtRisk
            /// A power loss may damage the file. For tests and caches. The end of the process alone
            /// does no harm.
            case none
        }

        // Metatypes of open classes are not known to be Sendable; they are constants of the program.
        private struct TypeList: @unchecked Sendable {
            let types: [ObjectBase.Type]
        }

        private var typeList: TypeList?

        /// - SeeAlso: the properties of the same names.
        public init(
            fileURL: URL? = DefaultLocation.fileURL, inMemoryIdentifier: String? = nil,
            readOnly: Bool = false, schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
            deleteRealmIfMigrationNeeded: Bool = false, objectTypes: [ObjectBase.Type]? = nil
        ) {
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.migrationBlock = migrationBlock
            self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
            self.fileURL = fileURL
            if let inMemoryIdentifier {
                self.inMemoryIdentifier = inMemoryIdentifier
                self.fileURL = nil
            }
            self.objectTypes = objectTypes
        }

        /// What no configuration can be opened with.
        func check() throws(RealmError) {
            if schemaVersion == UInt64.max {
                throw RealmError(.fail, "The schema version must be less than \(UInt64.max).")
            }
            if readOnly, deleteRealmIfMigrationNeeded {
                throw RealmError(
                    .fail,
                    "Cannot set 'deleteRealmIfMigrationNeeded' together with 'readOnly': nothing may be deleted."
                )
            }
        }

        /// The configuration of a session.
        init(of session: RealmSession) {
            self.init(
                fileURL: session.settings.fileURL, inMemoryIdentifier: session.settings.inMemoryIdentifier,
                readOnly: session.settings.isReadOnly, schemaVersion: session.settings.schemaVersion,
                objectTypes: session.models.map { unsafeDowncast($0, to: ClassModel.self).type })
            durability =
                switch session.settings.durability {
                case .full: .full
                case .lastCommitAtRisk: .lastCommitAtRisk
                case .none: .none
                }
            maximumFileSize = session.settings.options.maximumFileByteCount
            cacheByteCount = session.settings.options.cacheByteCount
            verifyChecksums = session.settings.options.verifyChecksums
            maximumNumberOfActiveVersions = session.settings.maximumVersionCount.map { UInt($0) }
        }
    }
}

extension Realm.Configuration: Equatable {
    /// Whether both name the same file, opened the same way. The classes do not count, as in Realm.
    public static func == (left: Realm.Configuration, right: Realm.Configuration) -> Bool {
        left.fileURL == right.fileURL && left.inMemoryIdentifier == right.inMemoryIdentifier
            && left.readOnly == right.readOnly && left.schemaVersion == right.schemaVersion
    }
}

extension Realm.Configuration: CustomStringConvertible {
    public var description: String {
        """
        Realm.Configuration {
        \tfileURL = \(fileURL?.path ?? "(null)");
        \tinMemoryIdentifier = \(inMemoryIdentifier ?? "(null)");
        \treadOnly = \(readOnly ? "YES" : "NO");
        \tschemaVersion = \(schemaVersion);
        \tobjectTypes = \(objectTypes.map { $0.map { $0.className() }.joined(separator: ", ") } ?? "(all)");
        \tdurability = \(durability);
        }
        """
    }
}

/// Where a Realm is kept that nobody has named a file for.
public enum DefaultLocation {
    /// `$XDG_DATA_HOME/<program>/default.cairn`, or `~/.local/share/<program>/default.cairn`, as the XDG
    /// Base Directory Specification has it for data of a program. The folder is made when a Realm is
    /// opened there.
    ///
    /// The environment is asked once a process.
    public static let fileURL: URL = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        // The specification: a relative path is not to be used.
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/share"
        return URL(fileURLWithPath: data, isDirectory: true)
            .appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
            .appendingPathComponent("default.cairn", isDirectory: false)
    }()

    /// Makes the folder, if the file is the one here.
    static func prepareFolder(for path: String) throws(RealmError) {
        let url = fileURL
        guard path == url.path else { return }
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw RealmError(
                .fileAccess,
                "The folder for the default Realm could not be made: \(error.localizedDescription)",
                fileURL: url, underlyingError: error)
        }
    }
}
