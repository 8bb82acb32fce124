internal import CairnLMDB

/// What every transaction of a store needs to know to read the file.
struct StoreContents: Sendable {
    var catalog: Database
    var chunks: Database
    var ordered: Database
    var values: Database
    var changes: Database
    var identity: IdentityRecord
    var codec = ContentCodec()
    /// Whether checksums are compared when a chunk or value is first read.
    var verifiesChecksums: Bool
    var cache: DecodedChunkCache
    var limits = EngineLimits()
    /// For the sentences of errors.
    var path: String

    /// The error for a chunk that is not what the format allows.
    func damage(_ what: String, cause: (any Error)? = nil) -> StorageError {
        StorageError(
            .damaged,
            """
            The file \(path) is damaged: \(what). Make a copy of it before anything else, then run verify on it.
            """, cause: cause)
    }

    /// The error for what LMDB answered.
    func failure(_ error: LMDBError, _ action: FileAction) -> StorageError {
        FileFailure.error(error, action, path: path)
    }
}
