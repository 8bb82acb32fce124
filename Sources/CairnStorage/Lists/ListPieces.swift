/// Where a long list reads its records.
package protocol ListPieceSource: AnyObject {
    /// A whole record of `values`, opened and its checksum compared where that is wanted. Valid until
    /// the next call.
    ///
    /// Throws what reading throws, and `damaged` when there is no such record. Must know the records
    /// that `LongList.flush` has written, and those it removed while copies of the list are alive.
    func value(_ id: ValueID) throws(StorageError) -> UnsafeRawBufferPointer
}

/// A piece of a long list: stored under an id, or edited and in memory.
struct ListPiece {
    /// Its record's key; nil for an edited piece, which is in no record.
    var id: ValueID?
    /// The number of elements, never 0.
    var count: Int
    /// The elements of an edited piece.
    var buffer: ListBuffer?

    /// A piece in a record.
    init(id: ValueID, count: Int) {
        self.id = id
        self.count = count
    }

    /// A piece in memory.
    init(_ buffer: ListBuffer) {
        count = buffer.count
        self.buffer = buffer
    }
}

/// The pieces of a long list in order, and how elements are read from them: what the editor and the
/// reader have in common.
///
/// A value: a copy is a list of its own, and costs nothing before one of the two is changed. Edited
/// pieces are shared by copies until then.
struct ListPieces {
    let layout: ListElementLayout
    private let source: any ListPieceSource
    private(set) var pieces: [ListPiece] = []
    private var counts = PieceCounts()

    /// No pieces.
    init(layout: ListElementLayout, source: any ListPieceSource) {
        self.layout = layout
        self.source = source
    }

    /// The pieces of a stored list. Throws `damaged` when its directory cannot be.
    init(
        layout: ListElementLayout, directory: ValueID, count: Int, source: any ListPieceSource
    ) throws(StorageError) {
        self.init(layout: layout, source: source)
        pieces = try ListDirectory.pieces(source.value(directory), id: directory, count: count)
        for piece in pieces { counts.append(piece.count) }
    }

    // Reading.

    /// The number of elements.
    var count: Int { counts.total }

    /// The piece of an element, and the element's place in it.
    func locate(_ index: Int) -> (piece: Int, offset: Int) { counts.locate(index) }

    /// The elements of a piece. Valid until the piece is changed or the source is asked again.
    ///
    /// Throws `damaged` when its record is not a piece of that many elements.
    func payload(ofPiece index: Int, checksOffsets: Bool = true) throws(StorageError) -> ListPayload {
        if let buffer = pieces[index].buffer { return buffer.payload }
        let (id, record) = try record(ofPiece: index)
        return try ListPayload(
            record.payload, count: record.count, layout: layout, checksOffsets: checksOffsets,
            of: "piece in \(id)")
    }

    /// The bytes of a piece's payload. Asks the source only for texts.
    func byteCount(ofPiece index: Int) throws(StorageError) -> Int {
        if let buffer = pieces[index].buffer { return buffer.byteCount }
        guard layout.holdsTexts else {
            return layout.payloadByteCount(pieces[index].count, textByteCount: 0)
        }
        return try record(ofPiece: index).record.payload.count
    }

    private func record(ofPiece index: Int) throws(StorageError) -> (id: ValueID, record: ValueRecord) {
        guard let id = pieces[index].id else { preconditionFailure("An edited piece has no record.") }
        let record = try ValueRecord(source.value(id), id: id, kind: .listPiece)
        guard record.count == pieces[index].count else {
            throw ValueRecord.damage(id, "has \(record.count) elements, not \(pieces[index].count)")
        }
        return (id, record)
    }

    /// The bytes of an element; nil for null. Valid until the list is changed or the source is asked
    /// again.
    ///
    /// - Precondition: `index` is in `0..<count`.
    /// - Complexity: O(log pieces), and one call of the source unless the piece was edited.
    func element(at index: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
        let place = locate(index)
        if let buffer = pieces[place.piece].buffer { return buffer.payload.element(at: place.offset) }
        return try payload(ofPiece: place.piece, checksOffsets: false)
            .checkedElement(at: place.offset, of: "piece of a list")
    }

    /// Calls `body` with the elements of a range, as many at a time as lie side by side.
    ///
    /// - Parameter body: gets the run, valid during the call if the source is not asked in it, and
    ///   the index of its first element in the list.
    /// - Precondition: the range is inside the list.
    func forEachRun(
        in range: Range<Int>, _ body: (ListRun, Int) throws(StorageError) -> Void
    ) throws(StorageError) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "There are no such elements.")
        guard !range.isEmpty else { return }
        var (piece, offset) = locate(range.lowerBound)
        var index = range.lowerBound
        while index < range.upperBound {
            let end = min(pieces[piece].count, offset + range.upperBound - index)
            try body(ListRun(payload(ofPiece: piece), offset..<end), index)
            index += end - offset
            piece += 1
            offset = 0
        }
    }

    // Changing.

    /// The elements of a piece, in memory and no other copy's: to be changed by the caller, who then
    /// says so to `noteCount`.
    mutating func edit(piece index: Int) throws(StorageError) -> ListBuffer {
        if isKnownUniquelyReferenced(&pieces[index].buffer), let buffer = pieces[index].buffer {
            return buffer
        }
        let buffer = try ListBuffer(ListRun(payload(ofPiece: index)))
        pieces[index] = ListPiece(buffer)
        return buffer
    }

    /// The last piece as `edit` gives it, if it is in memory and no other copy's already.
    mutating func lastBuffer() -> ListBuffer? {
        let last = pieces.count - 1
        guard last >= 0, isKnownUniquelyReferenced(&pieces[last].buffer) else { return nil }
        return pieces[last].buffer
    }

    /// Takes over how many elements an edited piece has now.
    mutating func noteCount(ofPiece index: Int, _ count: Int) {
        counts.add(count - pieces[index].count, to: index)
        pieces[index].count = count
    }

    /// Takes over that an edited piece is stored. It is in memory no more.
    mutating func noteStored(piece index: Int, under id: ValueID) {
        pieces[index] = ListPiece(id: id, count: pieces[index].count)
    }

    /// Puts other pieces in place of some.
    ///
    /// - Complexity: O(pieces from the first one replaced).
    mutating func replacePieces(_ range: Range<Int>, with others: [ListPiece]) {
        pieces.replaceSubrange(range, with: others)
        counts.cut(from: range.lowerBound)
        // By index: an iterator would retain every buffer, which took most of a random insertion.
        for index in range.lowerBound..<pieces.count { counts.append(pieces[index].count) }
    }
}
