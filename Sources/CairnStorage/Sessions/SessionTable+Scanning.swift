/// Whole columns at once: what the query engine is to be built on, and aggregates without a condition.
extension SessionTable {
    /// A sum of numbers, with the number of them that took part.
    package struct Sum {
        package var double = 0.0
        package var count = 0
    }

    /// The sum of a double or date column over all rows; null takes no part.
    ///
    /// The order of the additions is fixed (eight running sums a block), so the same rows give the same
    /// sum; it may differ in the last bits from that of another order.
    ///
    /// - Complexity: O(rows), at the speed of memory.
    package func sum(_ position: Int) -> Sum {
        precondition(
            facts[position].shape == .eight
                && (facts[position].kind == .double || facts[position].kind == .date),
            "only doubles and dates are summed")
        var sum = Sum()
        forEachBlock { block, directory in
            let chunk = chunk(position, block)
            sum.count += add(chunk, directory, to: &sum.double)
        }
        return sum
    }

    private func add(_ chunk: UnsafeRawPointer, _ directory: DirectoryView, to total: inout Double) -> Int {
        let view = ChunkView(chunk)
        let slots = chunk + ChunkLayout.slots
        var count = 0
        var lanes = SIMD8<Double>(repeating: 0)
        for word in 0..<Block.wordCount {
            let wanted = directory.liveWord(word) & ~view.word(word)
            count &+= wanted.nonzeroBitCount
            let first = slots + word &* 512
            if wanted == ~0 {
                for group in 0..<8 {
                    lanes += first.loadUnaligned(fromByteOffset: group &* 64, as: SIMD8<Double>.self)
                }
                continue
            }
            var rest = wanted
            while rest != 0 {
                let slot = rest.trailingZeroBitCount
                rest &= rest &- 1
                lanes[slot & 7] += first.loadUnaligned(fromByteOffset: slot &* 8, as: Double.self)
            }
        }
        total += lanes.sum()
        return count
    }

    /// The number of rows whose bool is true.
    ///
    /// - Complexity: O(blocks).
    package func countTrue(_ position: Int) -> Int {
        var count = 0
        forEachBlock { block, directory in
            let chunk = chunk(position, block)
            for word in 0..<Block.wordCount {
                let bits = chunk.loadUnaligned(
                    fromByteOffset: ChunkLayout.slots &+ word &* 8, as: UInt64.self)
                count &+= (bits & directory.liveWord(word)).nonzeroBitCount
            }
        }
        return count
    }

    /// Calls the body with each row that a list of links leads to, in order.
    ///
    /// - Complexity: O(elements). The body must not change the session.
    @inlinable
    package func forEachLink(
        _ row: RowKey, _ position: Int, _ body: (RowKey) throws(StorageError) -> Void
    ) throws(StorageError) {
        if let elements = plainListElements(row, position, width: 8) {
            var offset = 0
            while offset < elements.count {
                try body(RowKey(elements.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset &+= 8
            }
            return
        }
        try forEachLongListLink(row, position, body)
    }

    @usableFromInline
    func forEachLongListLink(
        _ row: RowKey, _ position: Int, _ body: (RowKey) throws(StorageError) -> Void
    ) throws(StorageError) {
        try forEachRun(row, position) { run, _ throws(StorageError) in
            for index in 0..<run.count {
                guard let element = run.element(at: index) else { continue }
                try body(RowKey(element.loadUnaligned(as: UInt64.self)))
            }
        }
    }
}
