/// The rows of a table: 60 bytes for each block that has some.
struct LiveRows {
    private var blocks: [UInt32] = []
    private var rows: [BlockBitmap] = []
    /// Whether a directory could not be read, so that rows are missing here.
    var isIncomplete = false

    /// Adds the rows of a block, which must lie behind those added before.
    mutating func append(_ block: UInt32, _ bitmap: BlockBitmap) {
        blocks.append(block)
        rows.append(bitmap)
    }

    /// - Complexity: O(log blocks); mostly O(1) where there are few gaps.
    func contains(_ row: RowKey) -> Bool {
        guard row.value < RowKey.limit, let first = blocks.first else { return false }
        let block = row.block
        // Blocks without gaps stand where their distance from the first says.
        if block >= first, Int(block - first) < blocks.count, blocks[Int(block - first)] == block {
            return rows[Int(block - first)].contains(row.slot)
        }
        var low = 0
        var high = blocks.count
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle] < block { low = middle + 1 } else { high = middle }
        }
        return low < blocks.count && blocks[low] == block && rows[low].contains(row.slot)
    }
}
