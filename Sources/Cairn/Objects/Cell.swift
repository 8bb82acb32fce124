public import CairnStorage

/// Where one value of one object is: a chunk that is good to read on this thread, and a slot in it.
///
/// Valid until the session changes or moves. Made for each read of a property, and gone after it.
@frozen
public struct _Cell {
    @usableFromInline let chunk: UnsafeRawPointer
    @usableFromInline let slot: Int
    /// The tables of the reading thread.
    @usableFromInline let access: UnsafeMutablePointer<ClassAccess>
    /// The property's ordinal.
    @usableFromInline let property: Int
    /// Not retained: the caller holds it.
    @usableFromInline unowned(unsafe) let object: ObjectBase

    @inlinable @inline(__always)
    init(
        chunk: UnsafeRawPointer, slot: Int, access: UnsafeMutablePointer<ClassAccess>, property: Int,
        object: ObjectBase
    ) {
        self.chunk = chunk
        self.slot = slot
        self.access = access
        self.property = property
        self.object = object
    }

    /// A value of fixed width, as it is stored.
    @inlinable @inline(__always)
    func fixed<T: BitwiseCopyable>(_ type: T.Type) -> T {
        chunk.loadUnaligned(
            fromByteOffset: ChunkLayout.slots &+ slot &* MemoryLayout<T>.stride, as: T.self)
    }

    /// A value of the shape `bits`.
    @inlinable @inline(__always)
    var bit: Bool { ChunkView(chunk).valueBit(slot) }

    /// Whether the value is nil.
    @inlinable @inline(__always)
    var isNull: Bool { ChunkView(chunk).bit(slot) }

    /// The bytes of a string or binary. Valid as long as the cell.
    @inlinable @inline(__always)
    var text: UnsafeRawBufferPointer {
        let place = chunk + (ChunkLayout.slots &+ slot &* 16)
        let count = Int(place.loadUnaligned(as: UInt32.self))
        if count <= TextSlot.inPlaceLimit {
            return UnsafeRawBufferPointer(start: place + TextSlot.inPlace, count: count)
        }
        return longText
    }

    @usableFromInline @inline(never)
    var longText: UnsafeRawBufferPointer { access.table.text(rowKey, position) }

    var rowKey: RowKey { RowKey(object.row) }
    var position: Int { access.position(property) }
    /// The class linked to, or linking here.
    var target: UnsafeMutablePointer<ClassAccess>? { access.pointee.targets[property] }
}
