/// The fields of a validated chunk's header, by name. A view: the memory is somebody else's.
@usableFromInline @frozen
package struct ChunkView {
    @usableFromInline let pointer: UnsafeRawPointer

    @inlinable
    package init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    private var writable: UnsafeMutableRawPointer { UnsafeMutableRawPointer(mutating: pointer) }

    package var version: UInt64 {
        pointer.loadUnaligned(fromByteOffset: ChunkLayout.version, as: UInt64.self)
    }
    package var encoding: UInt8 { pointer.load(fromByteOffset: ChunkLayout.encoding, as: UInt8.self) }
    package var flags: UInt8 { pointer.load(fromByteOffset: ChunkLayout.flags, as: UInt8.self) }

    @inlinable package var slotCount: Int {
        Int(pointer.loadUnaligned(fromByteOffset: ChunkLayout.slotCount, as: UInt16.self))
    }

    /// Directory: the number of columns.
    package var extra: Int { Int(pointer.loadUnaligned(fromByteOffset: ChunkLayout.extra, as: UInt16.self)) }

    @inlinable package var heapByteCount: Int {
        Int(pointer.loadUnaligned(fromByteOffset: ChunkLayout.heapByteCount, as: UInt32.self))
    }

    /// A word of the bitmap: null slots, or in a directory live rows.
    @inlinable @inline(__always)
    package func word(_ index: Int) -> UInt64 {
        pointer.loadUnaligned(fromByteOffset: ChunkLayout.bitmap &+ index &* 8, as: UInt64.self)
    }

    /// A bit of the bitmap.
    @inlinable @inline(__always)
    package func bit(_ slot: Int) -> Bool {
        word(slot &>> 6) &>> UInt64(truncatingIfNeeded: slot & 63) & 1 != 0
    }

    /// The value of a slot of shape `bits`.
    @inlinable @inline(__always)
    package func valueBit(_ slot: Int) -> Bool {
        let word = pointer.loadUnaligned(
            fromByteOffset: ChunkLayout.slots &+ (slot &>> 6) &* 8, as: UInt64.self)
        return word &>> UInt64(truncatingIfNeeded: slot & 63) & 1 != 0
    }

    /// The smallest and the largest value as the zone map has them; nil where the chunk has none, or
    /// no value took part.
    @inlinable
    package var zone: (minimum: UInt64, maximum: UInt64)? {
        let flags = pointer.load(fromByteOffset: ChunkLayout.flags, as: UInt8.self)
        let wanted = ChunkLayout.hasZoneMap | ChunkLayout.hasZoneValue
        guard flags & wanted == wanted else { return nil }
        return (
            pointer.loadUnaligned(fromByteOffset: ChunkLayout.zoneMinimum, as: UInt64.self),
            pointer.loadUnaligned(fromByteOffset: ChunkLayout.zoneMaximum, as: UInt64.self)
        )
    }

    /// Whether the zone map says that no value took part: all are null, or not ordered.
    @inlinable
    package var zoneIsEmpty: Bool {
        let flags = pointer.load(fromByteOffset: ChunkLayout.flags, as: UInt8.self)
        return flags & ChunkLayout.hasZoneMap != 0 && flags & ChunkLayout.hasZoneValue == 0
    }

    // What follows is for chunks that the caller owns.

    @inlinable @inline(__always)
    package func setBit(_ slot: Int, _ isOn: Bool) {
        Self.setBit(slot, isOn, base: UnsafeMutableRawPointer(mutating: pointer) + ChunkLayout.bitmap)
    }

    @inlinable @inline(__always)
    package func setValueBit(_ slot: Int, _ isOn: Bool) {
        Self.setBit(slot, isOn, base: UnsafeMutableRawPointer(mutating: pointer) + ChunkLayout.slots)
    }

    @inlinable @inline(__always)
    static func setBit(_ slot: Int, _ isOn: Bool, base: UnsafeMutableRawPointer) {
        let word = (base + (slot &>> 6) &* 8).assumingMemoryBound(to: UInt64.self)
        let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot & 63)
        word.pointee = isOn ? word.pointee | mask : word.pointee & ~mask
    }

    func setKind(encoding: ChunkEncoding, shape: SlotShape) {
        writable.storeBytes(of: ChunkLayout.currentFormat, toByteOffset: ChunkLayout.format, as: UInt8.self)
        writable.storeBytes(of: encoding.rawValue, toByteOffset: ChunkLayout.encoding, as: UInt8.self)
        writable.storeBytes(of: shape.rawValue, toByteOffset: ChunkLayout.shape, as: UInt8.self)
    }

    func setVersion(_ version: UInt64) {
        writable.storeBytes(of: version, toByteOffset: ChunkLayout.version, as: UInt64.self)
    }

    func setFlags(_ flags: UInt8) {
        writable.storeBytes(of: flags, toByteOffset: ChunkLayout.flags, as: UInt8.self)
    }

    func setSlotCount(_ count: Int) {
        writable.storeBytes(of: UInt16(count), toByteOffset: ChunkLayout.slotCount, as: UInt16.self)
    }

    func setExtra(_ value: Int) {
        writable.storeBytes(of: UInt16(value), toByteOffset: ChunkLayout.extra, as: UInt16.self)
    }

    func setHeapByteCount(_ count: Int) {
        writable.storeBytes(of: UInt32(count), toByteOffset: ChunkLayout.heapByteCount, as: UInt32.self)
    }

    func setZone(minimum: UInt64, maximum: UInt64, hasValue: Bool) {
        writable.storeBytes(of: minimum, toByteOffset: ChunkLayout.zoneMinimum, as: UInt64.self)
        writable.storeBytes(of: maximum, toByteOffset: ChunkLayout.zoneMaximum, as: UInt64.self)
        setFlags(ChunkLayout.hasZoneMap | (hasValue ? ChunkLayout.hasZoneValue : 0))
    }
}
