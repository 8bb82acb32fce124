/// The number of a row within its table: handed out in rising order and never reused, so that a
/// stale reference can never meet another row.
///
/// The default order of a table is the order of its row keys, which is the order of insertion.
@usableFromInline @frozen
package struct RowKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, from 0.
    @usableFromInline package var value: UInt64

    @inlinable
    package init(_ value: UInt64) {
        self.value = value
    }

    @inlinable
    package init(block: UInt32, slot: Int) {
        value = UInt64(block) &* UInt64(Block.slotCount) &+ UInt64(slot)
    }

    /// The block that holds the row.
    @inlinable package var block: UInt32 {
        UInt32(truncatingIfNeeded: value / UInt64(Block.slotCount))
    }

    /// The row's place within its block.
    @inlinable package var slot: Int {
        Int(truncatingIfNeeded: value % UInt64(Block.slotCount))
    }

    @inlinable
    package static func < (left: RowKey, right: RowKey) -> Bool {
        left.value < right.value
    }

    @usableFromInline package var description: String { "#\(value)" }

    /// The first number that is no row key: blocks are numbered with 32 bits.
    package static let limit = UInt64(UInt32.max) * UInt64(Block.slotCount)
}

/// The shape of a block: as many row keys as fill seven 64-bit words of a bitmap.
@usableFromInline @frozen
package enum Block {
    /// The words of a block's bitmap.
    @inlinable package static var wordCount: Int { 7 }
    /// The row keys of a block.
    @inlinable package static var slotCount: Int { 448 }
    /// The bytes of a block's bitmap.
    @inlinable package static var bitmapByteCount: Int { 56 }
}
