/// Rows by their rank: the place of a row among the live ones, in order of insertion.
extension SessionTable {
    /// How many rows lie before each block, for one state of the table.
    struct BlockRanks {
        /// The epoch that the counts hold for: every delete and every move to another version raises it.
        var epoch: UInt64
        /// The first block that is counted.
        let firstBlock: UInt32
        /// For each block from `firstBlock` on the rows before it; complete up to the last entry's block,
        /// whose own rows are still changing.
        var before: [Int]
    }

    /// The row of a rank, or nil where there are not so many rows.
    ///
    /// - Complexity: O(log blocks), and O(blocks) at the first call after a delete or a move to another
    ///   version.
    package func row(atRank rank: Int) -> RowKey? {
        guard rank >= 0, rank < rowCount else { return nil }
        let ranks = currentRanks()
        var low = 0
        var high = ranks.before.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if ranks.before[middle] <= rank { low = middle } else { high = middle }
        }
        let block = ranks.firstBlock + UInt32(low)
        guard let directory = directory(block) else { return nil }
        var rest = rank - ranks.before[low]
        for index in 0..<Block.wordCount {
            let word = DirectoryView(directory).liveWord(index)
            let count = word.nonzeroBitCount
            if rest < count { return RowKey(block: block, slot: index * 64 + Self.bit(rest, of: word)) }
            rest -= count
        }
        return nil
    }

    /// The rank of a row, or nil for one that is not there.
    ///
    /// - Complexity: O(1), and O(blocks) at the first call after a delete or a move to another version.
    package func rank(of row: RowKey) -> Int? {
        guard contains(row), let directory = directory(row.block) else { return nil }
        let ranks = currentRanks()
        let place = Int(row.block) - Int(ranks.firstBlock)
        guard place >= 0, place < ranks.before.count else { return nil }
        var rank = ranks.before[place]
        let lastWord = row.slot / 64
        for index in 0..<lastWord { rank += DirectoryView(directory).liveWord(index).nonzeroBitCount }
        let below = (UInt64(1) << UInt64(row.slot % 64)) - 1
        return rank + (DirectoryView(directory).liveWord(lastWord) & below).nonzeroBitCount
    }

    /// The place of the n-th bit that is set.
    private static func bit(_ n: Int, of word: UInt64) -> Int {
        var rest = word
        for _ in 0..<n { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }

    private func currentRanks() -> BlockRanks {
        let epoch = session.state.pointee.epoch
        var ranks: BlockRanks
        if let known = blockRanks, known.epoch == epoch, known.firstBlock == firstBlock {
            ranks = known
        } else {
            ranks = BlockRanks(epoch: epoch, firstBlock: firstBlock, before: [0])
        }
        let blockCount = Int(max(firstBlock, blockLimit) - firstBlock)
        // Rows are only added behind what is there, so the counts of earlier blocks stay.
        while ranks.before.count < blockCount {
            let block = ranks.firstBlock + UInt32(ranks.before.count - 1)
            let live = directory(block).map { DirectoryView($0).liveCount } ?? 0
            ranks.before.append((ranks.before.last ?? 0) + live)
        }
        blockRanks = ranks
        return ranks
    }
}
