/// A long list in a write session: edited in memory, piece by piece, and written by `flush`.
///
/// Pieces are loaded when they are first changed; only those are held in memory and written again.
/// A value: a copy is a list of its own (a layer keeps one to restore), shares every piece that
/// neither has changed since, and costs one allocation and 32 bytes a piece at its first change.
///
/// Used by one thread at a time, copies included. When a method throws, the list is as it was before
/// unless the method says otherwise. An index outside the list traps.
package struct LongList {
    package let limits: ListLimits
    var pieces: ListPieces
    /// The record of the directory as it was last stored; nil when the list is in no record.
    var directory: ValueID?
    /// The records of stored pieces that are no longer in the list.
    var abandoned: [ValueID] = []
    /// Whether anything was changed since the directory was stored.
    var isChanged = false
    /// Holds one element on its way in. Never in use between two calls, so copies may share it.
    let passage: ListBuffer

    /// An empty list, in no record.
    package init(
        layout: ListElementLayout, limits: ListLimits = .standard, source: any ListPieceSource
    ) {
        self.limits = limits
        pieces = ListPieces(layout: layout, source: source)
        passage = ListBuffer(layout: layout)
    }

    /// A list that is stored in pieces.
    ///
    /// Throws `damaged` when its directory cannot be. Pieces are looked at when they are needed.
    ///
    /// - Parameters:
    ///   - directory: the value id in the list's slot.
    ///   - count: the number of elements in the list's slot.
    /// - Complexity: O(pieces).
    package init(
        layout: ListElementLayout, directory: ValueID, count: Int, limits: ListLimits = .standard,
        source: any ListPieceSource
    ) throws(StorageError) {
        self.limits = limits
        self.directory = directory
        pieces = try ListPieces(layout: layout, directory: directory, count: count, source: source)
        passage = ListBuffer(layout: layout)
    }

    /// A list that has outgrown the heap: copies of the elements of its payload, in no record yet.
    package init(
        _ payload: ListPayload, limits: ListLimits = .standard, source: any ListPieceSource
    ) throws(StorageError) {
        self.init(layout: payload.layout, limits: limits, source: source)
        try append(contentsOf: ListRun(payload))
    }

    package var layout: ListElementLayout { pieces.layout }

    /// The number of elements.
    package var count: Int { pieces.count }

    /// The bytes of an element; nil for null. Valid until the list is changed or the source is asked
    /// for another value.
    ///
    /// Throws `damaged` when its piece cannot be.
    ///
    /// - Complexity: O(log pieces), and one call of the source unless the piece was edited.
    package func element(at index: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
        try pieces.element(at: index)
    }

    /// Calls `body` with the elements of a range, as many at a time as lie side by side.
    ///
    /// Throws `damaged` when a piece cannot be, and what `body` throws.
    ///
    /// - Parameter body: gets the run, valid during the call if the source is not asked in it, and
    ///   the index of its first element in the list.
    package func forEachRun(
        in range: Range<Int>, _ body: (ListRun, Int) throws(StorageError) -> Void
    ) throws(StorageError) {
        try pieces.forEachRun(in: range, body)
    }
}

/// A long list of a snapshot, for reading: the directory is read once, pieces when they are asked for.
///
/// Never writes to itself, so it may be used by several threads if its source may.
package struct LongListReader {
    private let pieces: ListPieces

    /// Throws `damaged` when the directory cannot be.
    ///
    /// - Parameters:
    ///   - directory: the value id in the list's slot.
    ///   - count: the number of elements in the list's slot.
    /// - Complexity: O(pieces).
    package init(
        layout: ListElementLayout, directory: ValueID, count: Int, source: any ListPieceSource
    ) throws(StorageError) {
        pieces = try ListPieces(layout: layout, directory: directory, count: count, source: source)
    }

    package var layout: ListElementLayout { pieces.layout }

    /// The number of elements.
    package var count: Int { pieces.count }

    /// The bytes of an element; nil for null. Valid until the source is asked for another value.
    ///
    /// Throws `damaged` when its piece cannot be. An index outside the list traps.
    ///
    /// - Complexity: O(log pieces), and one call of the source.
    package func element(at index: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
        try pieces.element(at: index)
    }

    /// Calls `body` with the elements of a range, as many at a time as lie side by side.
    ///
    /// Throws `damaged` when a piece cannot be, and what `body` throws.
    ///
    /// - Parameter body: gets the run, valid during the call if the source is not asked in it, and
    ///   the index of its first element in the list.
    package func forEachRun(
        in range: Range<Int>, _ body: (ListRun, Int) throws(StorageError) -> Void
    ) throws(StorageError) {
        try pieces.forEachRun(in: range, body)
    }

    /// The records the list takes: its pieces, in order, without the directory. For `verify`.
    package var pieceIDs: [ValueID] { pieces.pieces.compactMap(\.id) }
}
