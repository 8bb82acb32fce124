/// Memory for the chunks that sessions own, kept for the next one when it is given back.
///
/// A small transaction takes some tens of kilobytes in a few large pieces and gives them back a moment
/// later; the C library returns such pieces to the system at once and asks for them again, which cost
/// more than the transaction's own work. Bounded: what is above `keptByteLimit` is freed.
enum ChunkMemory {
    /// Pieces are multiples of this.
    private static let granularity = 256
    /// Larger pieces are not kept.
    private static let largestKept = 16 << 10
    private static let keptByteLimit = 8 << 20

    private struct Kept: @unchecked Sendable {
        // @unchecked: the pointers are to memory that nobody else knows.
        var pieces: [[UnsafeMutableRawPointer]] = Array(repeating: [], count: largestKept / granularity + 1)
        var byteCount = 0
    }

    private static let kept = Guarded(Kept())

    private static func rounded(_ byteCount: Int) -> Int {
        (byteCount + granularity - 1) / granularity * granularity
    }

    /// Memory of at least that size, aligned to a line of the processor's cache; its content is anything.
    static func allocate(byteCount: Int) -> UnsafeMutableRawPointer {
        let size = rounded(byteCount)
        if size <= largestKept {
            let known = kept.withLock { kept -> UnsafeMutableRawPointer? in
                guard let piece = kept.pieces[size / granularity].popLast() else { return nil }
                kept.byteCount -= size
                return piece
            }
            if let known { return known }
        }
        return .allocate(byteCount: size, alignment: 64)
    }

    /// Gives memory back.
    ///
    /// - Parameter byteCount: what it was asked for with.
    static func free(_ piece: UnsafeMutableRawPointer, byteCount: Int) {
        let size = rounded(byteCount)
        // Whoever still points here shall read something that no test takes for its own.
        assert(overwrite(piece, byteCount: size))
        guard size <= largestKept else { return piece.deallocate() }
        let isKept = kept.withLock { kept -> Bool in
            guard kept.byteCount + size <= keptByteLimit else { return false }
            kept.pieces[size / granularity].append(piece)
            kept.byteCount += size
            return true
        }
        if !isKept { piece.deallocate() }
    }

    private static func overwrite(_ piece: UnsafeMutableRawPointer, byteCount: Int) -> Bool {
        piece.initializeMemory(as: UInt8.self, repeating: 0xDD, count: byteCount)
        return true
    }
}
