/// What the engine throws: a kind that code can decide by, a sentence for a person, and the cause.
///
/// Only what data, disk, another process or a person can cause is thrown. A mistake of the calling
/// program traps instead.
@usableFromInline
package struct StorageError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. New kinds may come: a `switch` over it needs a `default`.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let description: String

        private init(_ description: String) {
            self.description = description
        }

        // Opening.

        /// The file is not a Cairn database: other bytes, or nothing but zeros.
        package static let notADatabase = Code("notADatabase")
        /// The file was written by a newer format than this program knows.
        package static let newerFormat = Code("newerFormat")
        /// The file ends before its last page.
        package static let cutShort = Code("cutShort")
        /// The file, or the folder above it, is not there.
        package static let fileNotFound = Code("fileNotFound")
        /// The operating system refuses to read or to write the file or its folder.
        package static let permissionDenied = Code("permissionDenied")
        /// Another error of the operating system on the file.
        package static let fileAccess = Code("fileAccess")
        /// The address space for the memory map could not be had.
        package static let addressSpaceExhausted = Code("addressSpaceExhausted")
        /// Somebody has the file open, so it cannot be replaced or removed.
        package static let alreadyOpen = Code("alreadyOpen")
        /// The file is open in this process with options that do not fit these.
        package static let mismatchedOptions = Code("mismatchedOptions")
        /// The store was opened before `fork` and is used after it, in the child.
        package static let usedAfterFork = Code("usedAfterFork")

        // Reading and writing.

        /// Bytes in the file are not what the format allows, or do not fit together.
        package static let damaged = Code("damaged")
        /// No space is left on the device, or the quota is used up.
        package static let diskFull = Code("diskFull")
        /// The file has reached `maximumFileSize` (its memory map).
        package static let mapFull = Code("mapFull")
        /// The file would pass the size the process or the file system allows.
        package static let fileTooLarge = Code("fileTooLarge")
        /// Another process has made the file larger than this process's map, and live snapshots
        /// keep the map from growing.
        package static let grownByAnotherProcess = Code("grownByAnotherProcess")
        /// Every slot for readers is taken by a living process.
        package static let tooManyReaders = Code("tooManyReaders")
        /// An earlier failure left the store readable only, until every session of it has gone.
        package static let storeFailed = Code("storeFailed")
        /// The store was opened for reading only.
        package static let readOnly = Code("readOnly")

        // Contents.

        /// A value with this key is there already.
        package static let duplicateKey = Code("duplicateKey")
        /// A table, column, index or row that is named is not there.
        package static let notFound = Code("notFound")
        /// A number of the format is used up (tables, columns, rows of one table).
        package static let limitReached = Code("limitReached")
        /// A thread that is already inside a write of this file begins another.
        package static let alreadyInWrite = Code("alreadyInWrite")
    }

    /// The kind.
    package let code: Code
    /// What happened and what to do about it, in sentences. Names the file where one is concerned;
    /// never holds a stored value.
    package let message: String
    /// What a lower layer threw, where there is one.
    package let cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The same with a sentence that names the file, if the message does not: for those who decode a record
    /// know nothing of the file that it is in.
    func naming(file path: String) -> StorageError {
        message.contains(path) ? self : StorageError(code, "\(message) The file is '\(path)'.", cause: cause)
    }

    @usableFromInline
    package var description: String {
        cause.map { "\(message) [\(code); \($0)]" } ?? "\(message) [\(code)]"
    }
}
