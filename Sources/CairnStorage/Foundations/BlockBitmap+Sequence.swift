/// The set slots, rising.
extension BlockBitmap: Sequence {
    /// Takes the lowest bit of a word at a time: a step costs two instructions and no branch a
    /// clear slot.
    @usableFromInline @frozen
    package struct Iterator: IteratorProtocol {
        @usableFromInline var bitmap: BlockBitmap
        @usableFromInline var index = 0
        @usableFromInline var word: UInt64

        @inlinable
        init(_ bitmap: BlockBitmap) {
            self.bitmap = bitmap
            word = bitmap.words[0]
        }

        @inlinable
        package mutating func next() -> Int? {
            while word == 0 {
                guard index &+ 1 < Block.wordCount else { return nil }
                index &+= 1
                word = bitmap.words[index]
            }
            defer { word &= word &- 1 }
            return index &* 64 &+ word.trailingZeroBitCount
        }
    }

    @inlinable
    package func makeIterator() -> Iterator {
        Iterator(self)
    }

    @inlinable package var underestimatedCount: Int { count }

    /// Calls the closure with each set slot, rising: the form for inner loops.
    @inlinable
    package func forEachSlot<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
        for index in words.indices {
            var word = words[index]
            while word != 0 {
                try body(index &* 64 &+ word.trailingZeroBitCount)
                word &= word &- 1
            }
        }
    }
}

extension BlockBitmap: CustomStringConvertible {
    @usableFromInline package var description: String { "slots \(Array(self))" }
}
