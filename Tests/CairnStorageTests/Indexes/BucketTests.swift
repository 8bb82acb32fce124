import CairnStorage
import TestSupport
import Testing

@Suite struct `A bucket of a hash index` {
    /// Adds and removes at random beside an array, and compares after each step.
    ///
    /// - Parameters:
    ///   - spread: how many different hashes there are. Few make groups overflow into the next ones, and
    ///     around the end.
    private func compare(width: Int, groupCount: Int, spread: UInt32, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bucket = MutableBucket.make(groupCount: groupCount, rowKeyByteCount: width)
        defer { bucket.chunk.free() }
        var model: [(bits: UInt32, row: RowKey)] = []
        let base: UInt64 = width == 8 ? 1 << 33 : 0
        for step in 0..<600 {
            // Fills up, then empties, then fills again.
            let adds = Int.random(in: 0..<10, using: &random) < (step / 150 % 2 == 0 ? 8 : 2)
            if adds {
                let bits = UInt32.random(in: 0..<spread, using: &random) &* (UInt32.max / spread)
                let row = RowKey(base + UInt64(step))
                if !bucket.hasRoom(for: row) {
                    let larger = bucket.resized(entryCount: model.count * 2, for: row)
                    bucket.chunk.free()
                    bucket = larger
                }
                #expect(bucket.add(hashBits: bits, row: row))
                model.append((bits, row))
            } else if let index = model.indices.randomElement(using: &random) {
                let (bits, row) = model.remove(at: index)
                guard let place = bucket.view.place(of: row, hashBits: bits) else {
                    Issue.record("the entry of \(row) is not found")
                    return
                }
                bucket.remove(at: place)
            }
            #expect(holds(bucket.view, model), "step \(step) of seed \(seed)")
        }
    }

    private func holds(_ bucket: Bucket, _ model: [(bits: UInt32, row: RowKey)]) -> Bool {
        var placeCount = 0
        bucket.forEachPlace { _ in placeCount += 1 }
        return bucket.count == model.count && placeCount == model.count
            && model.allSatisfy { entry in
                guard let place = bucket.place(of: entry.row, hashBits: entry.bits) else { return false }
                return bucket.hashBits(place) == entry.bits && bucket.rowKey(place) == entry.row
            }
    }

    @Test(arguments: [4, 8], [1, 2, 5, 16]) func `finds what was added and not what was removed`(
        width: Int, groupCount: Int
    ) {
        for spread in [1, 2, 3, 17, 1_000] as [UInt32] {
            compare(width: width, groupCount: groupCount, spread: spread, seed: UInt64(spread))
        }
    }

    @Test func `does not take a free place for the row with the first key`() {
        let bucket = MutableBucket.make(groupCount: 1, rowKeyByteCount: 4)
        defer { bucket.chunk.free() }
        #expect(bucket.view.place(of: RowKey(0), hashBits: 0) == nil)
        bucket.add(hashBits: 0, row: RowKey(0))
        #expect(bucket.view.place(of: RowKey(0), hashBits: 0) == 0)
    }

    @Test func `takes wide row keys when one no longer fits four bytes`() {
        let narrow = MutableBucket.make(groupCount: 1, rowKeyByteCount: 4)
        let last = RowKey(UInt64(UInt32.max) - 1)
        #expect(narrow.hasRoom(for: last))
        narrow.add(hashBits: 7, row: last)
        let next = RowKey(UInt64(UInt32.max))
        #expect(!narrow.hasRoom(for: next))
        let wide = narrow.resized(entryCount: 2, for: next)
        narrow.chunk.free()
        defer { wide.chunk.free() }
        wide.add(hashBits: 7, row: next)
        let entries: [(bits: UInt32, row: RowKey)] = [(7, last), (7, next)]
        #expect(holds(wide.view, entries))
    }
}
