package import CairnLMDB

extension StoreFile {
    /// Begins a read transaction on the newest version.
    ///
    /// When every slot for readers is taken, those of processes that have died are freed, and it is tried
    /// once more. Throws `tooManyReaders`, `grownByAnotherProcess` (`growMap` helps), `storeFailed`,
    /// `usedAfterFork`.
    package func beginRead() throws(StorageError) -> ReadTransaction {
        try checkUsable()
        do throws(LMDBError) {
            return try environment.beginRead()
        } catch {
            guard error.code == LMDBError.readersFull else { throw noted(self.error(error, .reading)) }
        }
        do throws(LMDBError) {
            try environment.clearStaleReaders()
            return try environment.beginRead()
        } catch {
            throw noted(self.error(error, .reading))
        }
    }

    /// LMDB refuses everything after a write that failed half way: who opens the file then must learn it.
    private func noted(_ error: StorageError) -> StorageError {
        if error.code == .storeFailed { markFailed() }
        return error
    }

    /// Begins the write transaction, on the thread that will end it. Waits for the writer of any other
    /// thread or process.
    ///
    /// Throws `readOnly`, `grownByAnotherProcess` (`growMap` helps), `storeFailed`, `usedAfterFork`.
    package func beginWrite() throws(StorageError) -> WriteTransaction {
        try checkUsable()
        guard !isReadOnly else {
            throw StorageError(
                .readOnly,
                "The database '\(path)' was opened for reading only, and cannot be written. Open it for writing."
            )
        }
        do {
            return try environment.beginWrite()
        } catch {
            throw noted(self.error(error, .writing))
        }
    }
}
