package import CairnLMDB

/// The entries of an LMDB database whose keys are bytes.
///
/// Valid while the cursor's transaction lives, and on the thread that uses the transaction.
package struct LMDBOrderedSource: OrderedSource, ~Copyable {
    private var cursor: Cursor

    /// - Parameter cursor: of the database `ordered`, in a read transaction, or in the write
    ///   transaction of a session that has spilled.
    package init(_ cursor: consuming Cursor) {
        self.cursor = cursor
    }

    @inline(__always)
    package mutating func seek(
        atOrAfter key: UnsafeRawBufferPointer
    ) throws(StorageError) -> OrderedPair? {
        do throws(LMDBError) { return try cursor.seek(atOrAfter: key).pair } catch { throw error.failure }
    }

    @inline(__always)
    package mutating func last() throws(StorageError) -> OrderedPair? {
        do throws(LMDBError) { return try cursor.last().pair } catch { throw error.failure }
    }

    @inline(__always)
    package mutating func next() throws(StorageError) -> OrderedPair? {
        do throws(LMDBError) { return try cursor.next().pair } catch { throw error.failure }
    }

    @inline(__always)
    package mutating func previous() throws(StorageError) -> OrderedPair? {
        do throws(LMDBError) { return try cursor.previous().pair } catch { throw error.failure }
    }
}

extension Cursor.Entry? {
    @inline(__always)
    fileprivate var pair: OrderedPair? {
        guard let self else { return nil }
        return OrderedPair(key: self.key, value: self.value)
    }
}

extension LMDBError {
    @inline(never)
    fileprivate var failure: StorageError {
        switch code {
        case LMDBError.panic, LMDBError.badTransaction:
            StorageError(.storeFailed, "An earlier failure ended the transaction.", cause: self)
        case 1...:
            StorageError(.fileAccess, "The system could not read the ordered entries.", cause: self)
        default:
            StorageError(
                .damaged, "The ordered entries cannot be read. Run verify on the file.", cause: self)
        }
    }
}
