/// Where pieces are cut and joined.
///
/// A piece that would pass the target is split into even parts, except at the end of the list
/// (`append`); one that falls under a quarter of it is joined with a neighbour where both fit.
extension LongList {
    /// Replaces elements of one piece, and tells whether it could: not when the piece gets too large,
    /// or empty.
    mutating func replaceInPlace(
        _ piece: Int, _ range: Range<Int>, _ run: ListRun
    ) throws(StorageError) -> Bool {
        let count = pieces.pieces[piece].count
        let newCount = count - range.count + run.count
        // A stored piece that is replaced as a whole need not be read.
        guard newCount > 0, range.count < count || pieces.pieces[piece].id == nil else { return false }
        let buffer = try edit(piece: piece)
        let byteCount = buffer.byteCount
        let newByteCount = buffer.byteCount(replacing: range, with: run)
        guard newByteCount <= limits.pieceTarget || newCount == 1 else { return false }
        buffer.replace(range, with: run)
        if range.count != run.count { pieces.noteCount(ofPiece: piece, newCount) }
        if newByteCount < byteCount { joinIfSmall(piece) }
        return true
    }

    /// Replaces the pieces of a range by new ones.
    ///
    /// - Parameters:
    ///   - start: the first element that goes; what is before it in its piece stays.
    ///   - end: the place behind the last that goes; what is behind it in its piece stays.
    mutating func rebuild(
        from start: (piece: Int, offset: Int), to end: (piece: Int, offset: Int), with run: ListRun
    ) throws(StorageError) {
        let head = try part(of: start.piece, 0..<start.offset)
        let tail = try part(of: end.piece, end.offset..<pieces.pieces[end.piece].count)
        let splice = ListSplice(ListRun(head.payload), run, ListRun(tail.payload))
        let added = splice.pieces(target: limits.pieceTarget)
        withExtendedLifetime((head, tail)) {}
        replacePieces(start.piece..<(end.piece + 1), with: added)
        // From behind, so that the places of those before stay what they are.
        joinIfSmall(start.piece + max(added.count, 1) - 1)
        joinIfSmall(added.isEmpty ? start.piece - 1 : start.piece)
    }

    /// A copy of some elements of a piece, which is looked at only when there are any.
    private func part(of piece: Int, _ range: Range<Int>) throws(StorageError) -> ListBuffer {
        guard !range.isEmpty else { return ListBuffer(layout: layout) }
        return try ListBuffer(ListRun(pieces.payload(ofPiece: piece), range))
    }

    /// Joins a piece with its neighbours as long as it is small and both fit one.
    ///
    /// A neighbour that cannot be read is left alone: the change that led here is made, and whoever
    /// reads that neighbour is told.
    private mutating func joinIfSmall(_ piece: Int) {
        try? joinNeighbours(of: piece)
    }

    private mutating func joinNeighbours(of piece: Int) throws(StorageError) {
        var piece = piece
        while pieces.pieces.indices.contains(piece) {
            let byteCount = try pieces.byteCount(ofPiece: piece)
            guard byteCount < limits.pieceTarget / 4 else { return }
            if try join(piece - 1, piece) {
                piece -= 1
            } else if try !join(piece, piece + 1) {
                return
            }
        }
    }

    /// Makes one piece of two neighbours, if they are there and fit.
    private mutating func join(_ left: Int, _ right: Int) throws(StorageError) -> Bool {
        guard left >= 0, right < pieces.pieces.count else { return false }
        let count = pieces.pieces[left].count + pieces.pieces[right].count
        let textByteCount = try textByteCount(ofPiece: left) + textByteCount(ofPiece: right)
        guard layout.payloadByteCount(count, textByteCount: textByteCount) <= limits.pieceTarget else {
            return false
        }
        let joined = try ListBuffer(ListRun(pieces.payload(ofPiece: left)))
        joined.append(ListRun(try pieces.payload(ofPiece: right)))
        replacePieces(left..<(right + 1), with: [ListPiece(joined)])
        return true
    }

    /// The bytes of a piece's texts.
    func textByteCount(ofPiece piece: Int) throws(StorageError) -> Int {
        guard layout.holdsTexts else { return 0 }
        return try pieces.byteCount(ofPiece: piece)
            - layout.payloadByteCount(pieces.pieces[piece].count, textByteCount: 0)
    }

    /// Puts other pieces in place of some, whose records are noted as abandoned.
    private mutating func replacePieces(_ range: Range<Int>, with others: [ListPiece]) {
        abandoned.append(contentsOf: pieces.pieces[range].compactMap(\.id))
        pieces.replacePieces(range, with: others)
        isChanged = true
    }
}

extension ListSplice {
    /// The splice as pieces in memory: even ones, as few as fit the target.
    func pieces(target: Int) -> [ListPiece] {
        let partCount = (byteCount + target - 1) / target
        guard partCount > 0 else { return [] }
        let goal = (byteCount + partCount - 1) / partCount
        var pieces: [ListPiece] = []
        var start = 0
        while start < count {
            let end = endOfPiece(from: start, goal: goal, target: target)
            pieces.append(ListPiece(ListBuffer(self[start..<end])))
            start = end
        }
        return pieces
    }

    /// Where the piece that begins at `start` ends: when it has reached `goal` bytes, and before it
    /// passes `target`; behind its first element at the earliest.
    ///
    /// - Complexity: O(log count).
    func endOfPiece(from start: Int, goal: Int, target: Int) -> Int {
        var low = start + 1
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[start..<middle].byteCount >= goal { high = middle } else { low = middle + 1 }
        }
        return low > start + 1 && self[start..<low].byteCount > target ? low - 1 : low
    }
}

extension ListRun {
    /// The number of elements of the longest beginning that `fits`, which gets its count and the bytes
    /// of its texts.
    ///
    /// - Complexity: O(log count).
    func largestPrefix(where fits: (Int, Int) -> Bool) -> Int {
        if fits(count, textByteCount) { return count }
        var low = 0
        var high = count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if fits(middle, self[0..<middle].textByteCount) { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
