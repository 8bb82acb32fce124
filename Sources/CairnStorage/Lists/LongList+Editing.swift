/// Single elements. An element may lie in the list itself: it is copied first.
extension LongList {
    /// Appends an element; nil for null.
    ///
    /// Throws `limitReached` for a text or a list that is too long, `damaged`. Traps for an element
    /// the layout does not allow.
    ///
    /// - Complexity: O(bytes of the element), amortised.
    package mutating func append(_ element: UnsafeRawBufferPointer?) throws(StorageError) {
        guard let last = pieces.lastBuffer(), last.byteCount(appending: element) <= limits.pieceTarget,
            count < ListLimits.countLimit
        else { return try append(contentsOf: take(element)) }
        try last.append(element)
        pieces.noteCount(ofPiece: pieces.pieces.count - 1, last.count)
        isChanged = true
    }

    /// Inserts an element before the one at `index`. Throws as `append` does.
    ///
    /// - Complexity: O(log pieces + bytes of a piece).
    package mutating func insert(_ element: UnsafeRawBufferPointer?, at index: Int) throws(StorageError) {
        try replace(index..<index, with: take(element))
    }

    /// Puts another element in the place of one. Throws as `append` does.
    ///
    /// - Complexity: O(log pieces) for fixed widths, else as `insert`.
    package mutating func set(_ element: UnsafeRawBufferPointer?, at index: Int) throws(StorageError) {
        try replace(index..<(index + 1), with: take(element))
    }

    /// Removes an element.
    ///
    /// - Complexity: O(log pieces + bytes of a piece).
    package mutating func remove(at index: Int) throws(StorageError) {
        try removeSubrange(index..<(index + 1))
    }

    /// Removes elements. Pieces that vanish as a whole are not looked at.
    package mutating func removeSubrange(_ range: Range<Int>) throws(StorageError) {
        try replace(range, with: ListRun(ListPayload(emptyOf: layout)))
    }

    /// Removes everything. With a `flush` after it, every record of the list is removed.
    package mutating func removeAll() throws(StorageError) {
        try removeSubrange(0..<count)
    }

    /// Moves an element so that its index is `target` afterwards.
    ///
    /// When it throws, the element may be missing from the list.
    package mutating func move(from index: Int, to target: Int) throws(StorageError) {
        precondition(target >= 0 && target < count, "There is no such place.")
        guard index != target else { return }
        let run = try take(element(at: index))
        try remove(at: index)
        try replace(target..<target, with: run)
    }

    private func take(_ element: UnsafeRawBufferPointer?) throws(StorageError) -> ListRun {
        passage.removeAll()
        try passage.append(element)
        return ListRun(passage.payload)
    }
}

/// Many elements.
extension LongList {
    /// The payload bytes that are collected before they are put into pieces.
    private static let batchByteCount = 65_536

    /// Puts elements in place of some: inserts (empty range), appends, removes (no elements).
    ///
    /// Throws as `append` does; the elements before the failing one may have been taken in.
    ///
    /// - Parameter elements: each valid until the next is asked for; they may not lie in the list.
    package mutating func replace(
        _ range: Range<Int>, with elements: some Sequence<UnsafeRawBufferPointer?>
    ) throws(StorageError) {
        let batch = ListBuffer(layout: layout)
        var range = range
        for element in elements {
            try batch.append(element)
            guard batch.byteCount >= Self.batchByteCount else { continue }
            try replace(range, withElementsOf: batch)
            range = (range.lowerBound + batch.count)..<(range.lowerBound + batch.count)
            batch.removeAll()
        }
        try replace(range, withElementsOf: batch)
    }

    /// The same with elements that were collected in memory.
    package mutating func replace(
        _ range: Range<Int>, withElementsOf buffer: ListBuffer
    ) throws(StorageError) {
        defer { withExtendedLifetime(buffer) {} }
        try replace(range, with: ListRun(buffer.payload))
    }

    /// Puts copies of elements in place of some: inserts (empty range), appends, removes (empty run).
    ///
    /// Throws `limitReached` for a list that gets too long, `damaged`.
    ///
    /// - Parameter run: of the list's layout. Must not lie in the list, and must stay valid while the
    ///   source is asked for other values.
    /// - Complexity: O(bytes of the run + log pieces + bytes of a piece), and O(pieces) where their
    ///   number changes.
    package mutating func replace(_ range: Range<Int>, with run: ListRun) throws(StorageError) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "There are no such elements.")
        precondition(run.layout == layout, "The elements are of another kind.")
        guard range.lowerBound < count else { return try append(contentsOf: run) }
        guard !range.isEmpty || run.count > 0 else { return }
        try checkCount(removing: range.count, adding: run.count)
        let start = pieces.locate(range.lowerBound)
        let last = range.isEmpty ? start : pieces.locate(range.upperBound - 1)
        let end = (piece: last.piece, offset: last.offset + (range.isEmpty ? 0 : 1))
        let offsets = start.offset..<max(start.offset, end.offset)
        if start.piece == end.piece, try replaceInPlace(start.piece, offsets, run) { return }
        try rebuild(from: start, to: end, with: run)
    }

    /// Appends copies of elements. Throws and wants the same as `replace`.
    ///
    /// The last piece is filled first and never split: lists that only grow have full pieces.
    ///
    /// - Complexity: O(bytes of the run), amortised.
    package mutating func append(contentsOf run: ListRun) throws(StorageError) {
        precondition(run.layout == layout, "The elements are of another kind.")
        try checkCount(removing: 0, adding: run.count)
        var taken = try fillLastPiece(with: run)
        guard taken < run.count else { return }
        let rest = ListSplice(run)
        var added: [ListPiece] = []
        while taken < run.count {
            let end = rest.endOfPiece(from: taken, goal: limits.pieceTarget, target: limits.pieceTarget)
            added.append(ListPiece(ListBuffer(rest[taken..<end])))
            taken = end
        }
        let last = pieces.pieces.count
        pieces.replacePieces(last..<last, with: added)
        isChanged = true
    }

    /// Appends as many elements to the last piece as it has room for, and tells how many.
    private mutating func fillLastPiece(with run: ListRun) throws(StorageError) -> Int {
        let last = pieces.pieces.count - 1
        guard last >= 0, run.count > 0 else { return 0 }
        let byteCount = try pieces.byteCount(ofPiece: last)
        let count = pieces.pieces[last].count
        let textByteCount = byteCount - layout.payloadByteCount(count, textByteCount: 0)
        let fitting = run.largestPrefix { prefixCount, prefixTextByteCount in
            layout.payloadByteCount(count + prefixCount, textByteCount: textByteCount + prefixTextByteCount)
                <= limits.pieceTarget
        }
        guard fitting > 0 else { return 0 }
        let buffer = try edit(piece: last)
        buffer.append(fitting == run.count ? run : run[0..<fitting])
        pieces.noteCount(ofPiece: last, buffer.count)
        return fitting
    }

    private func checkCount(removing removed: Int, adding added: Int) throws(StorageError) {
        guard count - removed + added <= ListLimits.countLimit else {
            throw StorageError(
                .limitReached, "A list can have \(ListLimits.countLimit) elements at the most.")
        }
    }

    /// The elements of a piece, to be changed; its record is noted as abandoned.
    mutating func edit(piece index: Int) throws(StorageError) -> ListBuffer {
        let id = pieces.pieces[index].id
        let buffer = try pieces.edit(piece: index)
        if let id { abandoned.append(id) }
        isChanged = true
        return buffer
    }
}
