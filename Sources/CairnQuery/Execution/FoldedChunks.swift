internal import CairnStorage

/// Folded copies of the texts of chunks, so that Foundation folds a text once and not once a query.
///
/// Of ASCII texts there is no copy. Bounded: what is over the limit makes it begin anew. Used by one thread.
package final class FoldedChunks {
    private struct Key: Hashable {
        let space: SpaceID
        let column: ColumnID
        let block: UInt32
        let folding: TextFolding
    }

    private var known: [Key: FoldedChunk] = [:]
    private var byteCount = 0

    package init() {}

    /// The folded texts of a chunk, as far as they were asked for.
    func chunk(
        _ table: SessionTable, _ position: Int, _ block: UInt32, _ chunk: UnsafeRawPointer,
        _ folding: TextFolding
    ) -> FoldedChunk {
        // A chunk that this very session may be changing has no version to know it by.
        guard !table.isWriting else { return FoldedChunk(version: 0) }
        let key = Key(
            space: table.definition.space, column: table.definition.columns[position].id, block: block,
            folding: folding)
        let version = ChunkView(chunk).version
        if let found = known[key], found.version == version {
            byteCount += found.takeGrowth()
            return found
        }
        if byteCount > QueryLimits.foldedByteCount {
            known = [:]
            byteCount = 0
        }
        let new = FoldedChunk(version: version)
        known[key] = new
        return new
    }
}

/// The folded texts of one chunk.
final class FoldedChunk {
    let version: UInt64
    private var places: [Int32: Range<Int>] = [:]
    private var bytes: [UInt8] = []
    private var countedByteCount = 0

    init(version: UInt64) { self.version = version }

    /// Calls the body with the folded form of the text of a slot.
    func withText(
        _ slot: Int, _ text: UnsafeRawBufferPointer, _ folding: TextFolding,
        _ body: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        let place: Range<Int>
        if let known = places[Int32(slot)] {
            place = known
        } else {
            let folded = folding.fold(text)
            place = bytes.count..<(bytes.count + folded.count)
            bytes += folded
            places[Int32(slot)] = place
        }
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[place])) }
    }

    /// The bytes that came since the last call.
    func takeGrowth() -> Int {
        let growth = bytes.count - countedByteCount
        countedByteCount = bytes.count
        return growth
    }
}
