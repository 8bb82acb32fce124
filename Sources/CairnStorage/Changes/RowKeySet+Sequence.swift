extension RowKeySet: Sequence {
    package struct Iterator: IteratorProtocol {
        private var entries: IndexingIterator<[Entry]>
        private var block: UInt32 = 0
        private var slots = BlockBitmap().makeIterator()

        fileprivate init(_ entries: [Entry]) {
            self.entries = entries.makeIterator()
        }

        package mutating func next() -> RowKey? {
            while true {
                if let slot = slots.next() { return RowKey(block: block, slot: slot) }
                guard let entry = entries.next() else { return nil }
                block = entry.block
                slots = entry.rows.makeIterator()
            }
        }
    }

    /// The rows, rising.
    package func makeIterator() -> Iterator {
        Iterator(entries)
    }

    package var underestimatedCount: Int { count }
}

extension RowKeySet: ExpressibleByArrayLiteral, CustomStringConvertible {
    package init(arrayLiteral rows: RowKey...) {
        self.init(rows)
    }

    package var description: String {
        let shown = prefix(20).map(\.description).joined(separator: " ")
        return count > 20 ? "\(count) rows: \(shown) …" : "\(count) rows: \(shown)"
    }
}
