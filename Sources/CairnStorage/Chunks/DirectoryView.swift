/// A block's directory: its live rows and the columns that have a chunk. A view over a validated
/// directory chunk.
@usableFromInline @frozen
package struct DirectoryView {
    @usableFromInline let pointer: UnsafeRawPointer

    @inlinable
    package init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    package var columnCount: Int { ChunkView(pointer).extra }

    package func column(_ index: Int) -> ColumnID {
        ColumnID(pointer.loadUnaligned(fromByteOffset: ChunkLayout.slots + index * 2, as: UInt16.self))
    }

    package var columns: [ColumnID] { (0..<columnCount).map(column) }

    package func lists(_ column: ColumnID) -> Bool {
        for index in 0..<columnCount where self.column(index) == column { return true }
        return false
    }

    package func isLive(_ slot: Int) -> Bool { ChunkView(pointer).bit(slot) }

    @inlinable
    package func liveWord(_ index: Int) -> UInt64 { ChunkView(pointer).word(index) }

    package var liveCount: Int { (0..<Block.wordCount).reduce(0) { $0 + liveWord($1).nonzeroBitCount } }

    /// The last live slot, or nil.
    package var lastLiveSlot: Int? {
        for index in (0..<Block.wordCount).reversed() where liveWord(index) != 0 {
            return index * 64 + 63 - liveWord(index).leadingZeroBitCount
        }
        return nil
    }

    /// Adds a column to the list of a directory that the caller owns and that has room for it.
    func insert(_ column: ColumnID) {
        var index = columnCount
        let base = UnsafeMutableRawPointer(mutating: pointer) + ChunkLayout.slots
        while index > 0, self.column(index - 1) > column {
            base.storeBytes(of: self.column(index - 1).value, toByteOffset: index * 2, as: UInt16.self)
            index -= 1
        }
        base.storeBytes(of: column.value, toByteOffset: index * 2, as: UInt16.self)
        ChunkView(pointer).setExtra(columnCount + 1)
    }

    /// Takes a column out of the list of a directory that the caller owns.
    func remove(_ column: ColumnID) {
        let kept = columns.filter { $0 != column }
        let base = UnsafeMutableRawPointer(mutating: pointer) + ChunkLayout.slots
        for (index, column) in kept.enumerated() {
            base.storeBytes(of: column.value, toByteOffset: index * 2, as: UInt16.self)
        }
        ChunkView(pointer).setExtra(kept.count)
    }
}
