/// A table, hash index, ordered index or backlink column: what owns a range of keys in the file.
///
/// One counter a file hands them out, from 1, and none is ever used again: a process with an older
/// schema may be at work.
@usableFromInline @frozen
package struct SpaceID: Hashable, Comparable, Sendable, CustomStringConvertible {
    @usableFromInline package var value: UInt16

    @inlinable
    package init(_ value: UInt16) { self.value = value }

    @inlinable
    package static func < (left: SpaceID, right: SpaceID) -> Bool { left.value < right.value }

    @usableFromInline package var description: String { "space \(value)" }
}

/// A column of a table, from 1, never reused within the table. 0 stands for a block's directory.
@usableFromInline @frozen
package struct ColumnID: Hashable, Comparable, Sendable, CustomStringConvertible {
    @usableFromInline package var value: UInt16

    @inlinable
    package init(_ value: UInt16) { self.value = value }

    @inlinable
    package static func < (left: ColumnID, right: ColumnID) -> Bool { left.value < right.value }

    @usableFromInline package var description: String { "column \(value)" }

    /// The column number of a block's directory.
    @inlinable package static var directory: ColumnID { ColumnID(0) }
    /// The column number under which hash buckets are kept.
    @inlinable package static var bucket: ColumnID { ColumnID(1) }
}

/// The key of a chunk: space, block and column in one integer, in that order.
@usableFromInline @frozen
package struct ChunkKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// `space << 48 | block << 16 | column`, the key in the database `chunks`.
    @usableFromInline package var value: UInt64

    @inlinable
    package init(_ value: UInt64) { self.value = value }

    @inlinable
    package init(_ space: SpaceID, _ block: UInt32, _ column: ColumnID) {
        value = UInt64(space.value) << 48 | UInt64(block) << 16 | UInt64(column.value)
    }

    @inlinable package var space: SpaceID { SpaceID(UInt16(truncatingIfNeeded: value >> 48)) }
    @inlinable package var block: UInt32 { UInt32(truncatingIfNeeded: value >> 16) }
    @inlinable package var column: ColumnID { ColumnID(UInt16(truncatingIfNeeded: value)) }

    @inlinable
    package static func < (left: ChunkKey, right: ChunkKey) -> Bool { left.value < right.value }

    @usableFromInline package var description: String { "\(space), block \(block), \(column)" }
}

/// A record of the database `values`, from 1, never reused.
@usableFromInline @frozen
package struct ValueID: Hashable, Comparable, Sendable, CustomStringConvertible {
    @usableFromInline package var value: UInt64

    @inlinable
    package init(_ value: UInt64) { self.value = value }

    @inlinable
    package static func < (left: ValueID, right: ValueID) -> Bool { left.value < right.value }

    @usableFromInline package var description: String { "value \(value)" }
}

/// A version of the file: the id of the LMDB transaction that wrote it.
@usableFromInline @frozen
package struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
    @usableFromInline package var value: UInt64

    @inlinable
    package init(_ value: UInt64) { self.value = value }

    @inlinable
    package static func < (left: Version, right: Version) -> Bool { left.value < right.value }

    @usableFromInline package var description: String { "version \(value)" }
}
