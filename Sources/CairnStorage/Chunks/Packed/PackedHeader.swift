/// The header of a packed chunk, read once and checked (`docs/file-format.md`, section 10.1).
struct PackedHeader {
    let slotCount: Int
    let heapByteCount: Int
    let valueCount: Int
    let scheme: PackedScheme
    let valuedForm: SlotSetForm
    let nullForm: SlotSetForm

    /// - Throws: `damaged` for anything that is not the header of a packed chunk of the shape.
    init(_ packed: UnsafeRawBufferPointer, shape: SlotShape) throws(StorageError) {
        let header = try ChunkHeader(packed)
        guard header.encoding == .packed, header.storedShape == shape.rawValue else {
            throw ChunkValidator.damage("is not a packed one with slots of its column's shape")
        }
        slotCount = header.slotCount
        heapByteCount = header.heapByteCount
        valueCount = Int(header.reserved & 0xFFFF)
        guard valueCount <= slotCount, header.reserved >> 16 == 0 else {
            throw ChunkValidator.damage("has more values than slots, or something in fields that are zero")
        }
        guard heapByteCount <= valueCount * shape.heapLimitPerSlot else {
            throw ChunkValidator.damage("announces a heap that its values cannot fill")
        }
        guard let valuedForm = SlotSetForm(rawValue: UInt8(truncatingIfNeeded: header.extra & 0xF)),
            let nullForm = SlotSetForm(rawValue: UInt8(truncatingIfNeeded: header.extra >> 4 & 0xF)),
            let scheme = PackedScheme(rawValue: UInt8(truncatingIfNeeded: header.extra >> 8)),
            scheme.fits(shape), (scheme == .none) == (valueCount == 0)
        else { throw ChunkValidator.damage("has a form of sets or a scheme of values that it cannot have") }
        (self.valuedForm, self.nullForm, self.scheme) = (valuedForm, nullForm, scheme)
    }
}
