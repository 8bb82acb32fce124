internal import CairnStorage

/// Whether rows of a linked table fit a condition, for whoever comes to them by links, in any order.
///
/// The first few rows of a block are looked at one by one; then the block is evaluated as a whole, and its
/// mask kept. So a handful of links costs a handful of rows, and many links cost a scan of the table at most.
final class TargetMatcher {
    let table: SessionTable
    private let node: MaskNode
    /// How many rows of each block were asked for; `evaluated` where its mask is known.
    private let states: UnsafeMutablePointer<UInt8>
    private let masks: UnsafeMutablePointer<BlockBitmap>
    private let blockCount: Int
    private static let evaluated = UInt8.max

    init(_ table: SessionTable, _ node: MaskNode) {
        self.table = table
        self.node = node
        blockCount = Int(table.blockLimit)
        states = .allocate(capacity: max(1, blockCount))
        states.initialize(repeating: 0, count: max(1, blockCount))
        // Not written before it is needed: of a large table only the pages in use are real.
        masks = .allocate(capacity: max(1, blockCount))
    }

    deinit {
        states.deallocate()
        masks.deallocate()
    }

    var cost: Int { node.cost }

    @inline(__always)
    func matches(_ row: RowKey) -> Bool {
        let block = Int(row.block)
        // A link out of damaged bytes leads nowhere.
        guard block < blockCount else { return false }
        if states[block] == Self.evaluated { return masks[block].contains(row.slot) }
        return look(row, block)
    }

    @inline(never)
    private func look(_ row: RowKey, _ block: Int) -> Bool {
        guard let directory = table.directory(row.block) else { return false }
        if states[block] >= QueryLimits.singleRowCount {
            masks[block] = node.mask(row.block, BlockBitmap(liveIn: DirectoryView(directory)))
            states[block] = Self.evaluated
            return masks[block].contains(row.slot)
        }
        states[block] += 1
        guard DirectoryView(directory).isLive(row.slot) else { return false }
        return !node.mask(row.block, BlockBitmap(slot: row.slot)).isEmpty
    }
}
