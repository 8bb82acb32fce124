internal import CairnStorage

/// A scan of a table, block by block.
struct Scan {
    let table: SessionTable
    let node: MaskNode

    /// Calls the body with each block that has rows which fit, until it answers false.
    @inline(__always)
    func forEachMask(_ body: (UInt32, BlockBitmap) -> Bool) {
        for block in table.firstRowBlock..<max(table.firstRowBlock, table.blockLimit) {
            guard let directory = table.directory(block) else { continue }
            let live = BlockBitmap(liveIn: DirectoryView(directory))
            if live.isEmpty { continue }
            let mask = node.mask(block, live)
            if mask.isEmpty { continue }
            guard body(block, mask) else { return }
        }
    }

    /// Those of some rows, rising, that fit.
    func filter(_ rows: [RowKey]) -> [RowKey] {
        var result: [RowKey] = []
        var index = 0
        while index < rows.count {
            let block = rows[index].block
            var candidates = BlockBitmap()
            while index < rows.count, rows[index].block == block {
                candidates.insert(rows[index].slot)
                index += 1
            }
            result.append(contentsOf: node.mask(block, candidates), of: block)
        }
        return result
    }
}

extension [RowKey] {
    /// Appends the rows of a mask.
    mutating func append(contentsOf mask: BlockBitmap, of block: UInt32) {
        reserveCapacity(forAtLeast: mask.count)
        let first = RowKey(block: block, slot: 0).value
        for index in 0..<Block.wordCount {
            var rest = mask.words[index]
            while rest != 0 {
                append(RowKey(first &+ UInt64(index &* 64 &+ rest.trailingZeroBitCount)))
                rest &= rest &- 1
            }
        }
    }

    /// Makes room as `append` does, twice what there is at least.
    private mutating func reserveCapacity(forAtLeast more: Int) {
        if capacity < count + more { reserveCapacity(Swift.max(count + more, capacity * 2)) }
    }
}
