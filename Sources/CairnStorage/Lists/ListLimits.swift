/// Where lists are cut. A file's reader does not depend on these numbers: tests make them small.
package struct ListLimits: Sendable {
    /// The payload bytes a piece aims at. Only a piece of a single element may have more.
    package let pieceTarget: Int
    /// The largest payload that is kept in a chunk's heap, without pieces.
    package let heapLimit: Int

    package init(pieceTarget: Int, heapLimit: Int) {
        precondition(pieceTarget > 0 && heapLimit >= 0, "A piece needs room for something.")
        self.pieceTarget = pieceTarget
        self.heapLimit = heapLimit
    }

    /// Those of the format's page: with the header of a record, a piece fills two overflow pages.
    package static let standard = ListLimits(pieceTarget: 8160, heapLimit: ListSlot.heapLimit)

    /// The most elements a list may have: its slot counts with 32 bits.
    package static let countLimit = Int(UInt32.max)
}
