internal import CairnStorage
public import Foundation

/// What this library throws, and what it says when it traps. `Realm.Error` is another name for it.
///
/// `code` is for programs, `localizedDescription` for people: what happened, where, and what to do.
/// Stored values stay out of it, except the primary key of a duplicate.
///
/// ```swift
/// do {
///     let realm = try Realm(configuration: configuration)
/// } catch Realm.Error.fileNotFound {
///     …
/// }
/// ```
public struct RealmError: Swift.Error, Sendable {
    /// The kinds of failure. Those up to 22 have Realm's numbers and meanings; those from 100 are
    /// Cairn's own. More may come: a `switch` needs a `default`.
    public enum Code: Int, Sendable, CaseIterable {
        /// A failure without a kind of its own: an invalid schema, a schema version older than the file's, a
        /// file that is open with other options.
        case fail = 1
        /// The operating system could not read or write the file.
        case fileAccess = 2
        /// The permissions of the file or of its folder do not allow it.
        case filePermissionDenied = 3
        /// There is a file already where a new one was to be written.
        case fileExists = 4
        /// The file, or the folder it should be in, is not there.
        case fileNotFound = 5
        /// The file has an older format and may not be upgraded.
        case fileFormatUpgradeRequired = 6
        /// The lock file belongs to an incompatible process.
        case incompatibleLockFile = 8
        /// The address space for the file's map could not be had, or the file has reached
        /// `maximumFileSize`.
        case addressSpaceExhausted = 9
        /// The classes are not those the file was written with.
        case schemaMismatch = 10
        /// Somebody has the file open.
        case alreadyOpen = 12
        /// A text is not what it should be.
        case invalidInput = 13
        /// The device is full.
        case outOfDiskSpace = 14
        /// The file is in use in a way that excludes this one.
        case incompatibleSession = 15
        /// The file was written by a newer version of this library.
        case unsupportedFileFormatVersion = 16
        /// An operation on the file or its folder failed.
        case fileOperationFailed = 19
        /// The file is not a Cairn database, or damaged.
        case invalidDatabase = 20
        /// The library was used in a way it cannot be used.
        case misuse = 100
        /// An object with this primary key is there already.
        case duplicatePrimaryKey = 101
        /// A value does not fit the property it was meant for.
        case invalidValue = 102
        /// An object was used that has been deleted, or whose Realm was invalidated.
        case invalidatedObject = 103
        /// Something of a Realm was used on a thread it does not belong to.
        case incorrectThread = 104
    }

    /// The kind.
    public let code: Code
    /// What happened and what to do about it, in sentences.
    public let message: String
    /// The file concerned, where there is one.
    public internal(set) var fileURL: URL?
    /// The class concerned, where there is one.
    public internal(set) var className: String?
    /// The property concerned, where there is one.
    public internal(set) var propertyName: String?
    /// The primary key concerned, as text, where there is one.
    public internal(set) var primaryKey: String?
    /// What a lower layer threw.
    public internal(set) var underlyingError: (any Swift.Error)?

    package init(
        _ code: Code, _ message: String, className: String? = nil, propertyName: String? = nil,
        primaryKey: String? = nil, fileURL: URL? = nil, underlyingError: (any Swift.Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.className = className
        self.propertyName = propertyName
        self.primaryKey = primaryKey
        self.fileURL = fileURL
        self.underlyingError = underlyingError
    }

    /// The domain of Realm's errors.
    public static let errorDomain = "io.realm"
}

extension RealmError {
    // For `catch Realm.Error.fileNotFound`.

    public static let fail = Code.fail
    public static let fileAccess = Code.fileAccess
    public static let filePermissionDenied = Code.filePermissionDenied
    public static let fileExists = Code.fileExists
    public static let fileNotFound = Code.fileNotFound
    public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
    public static let incompatibleLockFile = Code.incompatibleLockFile
    public static let addressSpaceExhausted = Code.addressSpaceExhausted
    public static let schemaMismatch = Code.schemaMismatch
    public static let alreadyOpen = Code.alreadyOpen
    public static let invalidInput = Code.invalidInput
    public static let outOfDiskSpace = Code.outOfDiskSpace
    public static let incompatibleSession = Code.incompatibleSession
    public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
    public static let fileOperationFailed = Code.fileOperationFailed
    public static let invalidDatabase = Code.invalidDatabase
    public static let misuse = Code.misuse
    public static let duplicatePrimaryKey = Code.duplicatePrimaryKey
    public static let invalidValue = Code.invalidValue
    public static let invalidatedObject = Code.invalidatedObject
    public static let incorrectThread = Code.incorrectThread
}

extension RealmError.Code {
    /// Matches the errors of a kind in `catch` and `switch`.
    public static func ~= (code: RealmError.Code, error: any Swift.Error) -> Bool {
        (error as? RealmError)?.code == code
    }
}

extension RealmError: Equatable {
    /// Errors of one kind are equal, as in Realm.
    public static func == (left: RealmError, right: RealmError) -> Bool { left.code == right.code }
}

extension RealmError: LocalizedError, CustomNSError, CustomStringConvertible {
    public static var errorDomainName: String { errorDomain }
    public var errorDescription: String? { message }
    public var errorCode: Int { code.rawValue }
    public var description: String { "\(message) [\(code), \(code.rawValue)]" }

    /// What `NSError` would carry: the sentence, the path, the cause.
    public var userInfo: [String: Any] { errorUserInfo }

    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let fileURL { info[NSFilePathErrorKey] = fileURL.path }
        if let underlyingError { info[NSUnderlyingErrorKey] = underlyingError }
        return info
    }
}

extension RealmError {
    /// An error of the engine in Realm's terms.
    init(_ error: StorageError, file: URL? = nil) {
        self.init(Self.code(of: error), error.message, fileURL: file, underlyingError: error)
    }

    private static func code(of error: StorageError) -> Code {
        switch error.code {
        case .notADatabase, .damaged, .cutShort: .invalidDatabase
        case .newerFormat: .unsupportedFileFormatVersion
        case .fileNotFound: .fileNotFound
        case .permissionDenied: .filePermissionDenied
        case .fileAccess, .fileTooLarge, .storeFailed, .tooManyReaders, .usedAfterFork: .fileAccess
        case .addressSpaceExhausted, .mapFull, .grownByAnotherProcess: .addressSpaceExhausted
        case .alreadyOpen: .alreadyOpen
        case .diskFull: .outOfDiskSpace
        case .duplicateKey: .duplicatePrimaryKey
        default: .fail
        }
    }
}
