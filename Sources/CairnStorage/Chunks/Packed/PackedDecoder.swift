/// Decodes one packed chunk.
struct PackedDecoder {
    private let packed: UnsafeRawBufferPointer
    private let shape: SlotShape
    private let element: ListElement?
    private let output: UnsafeMutableRawBufferPointer
    private let header: PackedHeader
    private var reader: ByteReader

    /// - Precondition: the output has exactly as many bytes as the chunk decodes to.
    init(
        _ packed: UnsafeRawBufferPointer, shape: SlotShape, element: ListElement?,
        output: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        header = try PackedHeader(packed, shape: shape)
        let slotAreaByteCount = shape.slotAreaByteCount(slotCount: header.slotCount)
        precondition(
            output.count == ChunkLayout.slots + slotAreaByteCount + header.heapByteCount,
            "The buffer for a decoded chunk must have exactly its size.")
        self.packed = packed
        self.shape = shape
        self.element = element
        self.output = output
        reader = ByteReader(packed, of: "packed chunk")
        _ = try reader.bytes(PackedLayout.sets)
    }

    /// Writes every byte of the output.
    mutating func decode() throws(StorageError) {
        let valued = try header.valuedForm.read(&reader, slotCount: header.slotCount, valued: nil)
        let null = try header.nullForm.read(&reader, slotCount: header.slotCount, valued: valued)
        guard valued.count == header.valueCount, valued.intersection(null).count == 0 else {
            throw reader.damage("counts its values wrongly, or has slots that are valued and null")
        }
        writeHeader(null: null)
        let area = SlotArea(
            start: output.baseAddress.unsafelyUnwrapped + ChunkLayout.slots, slotCount: header.slotCount)
        try decodeValues(valued, area)
        try reader.finish()
    }

    private func writeHeader(null: SlotSet) {
        let start = output.baseAddress.unsafelyUnwrapped
        start.copyMemory(from: packed.baseAddress.unsafelyUnwrapped, byteCount: ChunkHeader.byteCount)
        start.storeBytes(of: 0, toByteOffset: ChunkLayout.checksum, as: UInt64.self)
        output[ChunkLayout.encoding] = ChunkEncoding.plain.rawValue
        start.storeBytes(of: 0, toByteOffset: ChunkLayout.extra, as: UInt16.self)
        start.storeBytes(of: 0, toByteOffset: ChunkLayout.reserved, as: UInt32.self)
        null.store(
            into: UnsafeMutableRawBufferPointer(rebasing: output[ChunkLayout.bitmap..<ChunkLayout.slots]))
    }

    private mutating func decodeValues(_ valued: SlotSet, _ area: SlotArea) throws(StorageError) {
        switch shape {
        case .bits: try decodeBits(valued)
        case .four: try decodeFixed(valued, area, as: UInt32.self)
        case .eight: try decodeFixed(valued, area, as: UInt64.self)
        case .twelve: try decodeFixed(valued, area, as: TwelveBytes.self)
        case .sixteen: try decodeFixed(valued, area, as: SixteenBytes.self)
        case .text, .list, .backlinks: try decodeWithHeap(valued, area)
        }
    }

    private mutating func decodeBits(_ valued: SlotSet) throws(StorageError) {
        var bits = SlotSet()
        if header.scheme == .bits {
            guard let form = SlotSetForm(rawValue: try reader.integer(UInt8.self)) else {
                throw reader.damage("has a form of sets that does not exist")
            }
            bits = try form.read(&reader, slotCount: header.slotCount, valued: valued)
        }
        guard bits.subtracting(valued).count == 0 else {
            throw reader.damage("has a true slot that is not valued")
        }
        bits.store(into: UnsafeMutableRawBufferPointer(rebasing: output[ChunkLayout.slots...]))
    }

    private mutating func decodeFixed<Slot: FixedSlot>(
        _ valued: SlotSet, _ area: SlotArea, as type: Slot.Type
    ) throws(StorageError) {
        let count = header.valueCount
        switch header.scheme {
        case .bytes: try ByteScheme.read(&reader, count: count, into: area, as: type)
        case .dictionary: try DictionaryScheme.read(&reader, count: count, into: area, as: type)
        case .integers: try IntegerScheme.read(&reader, count: count, into: area) { $0 }
        case .decimals: try DecimalScheme.read(&reader, count: count, into: area)
        default: break
        }
        area.spread(valued, as: type)
    }

    private mutating func decodeWithHeap(_ valued: SlotSet, _ area: SlotArea) throws(StorageError) {
        let count = header.valueCount
        let heap = UnsafeMutableRawBufferPointer(rebasing: output[(output.count - header.heapByteCount)...])
        switch header.scheme {
        case .texts: try TextScheme.read(&reader, count: count, into: area, heap: heap)
        case .textDictionary: try TextScheme.readDictionary(&reader, count: count, into: area, heap: heap)
        case .lists: try ListScheme.read(&reader, count: count, into: area, heap: heap, element: element)
        case .backlinks: try BacklinkScheme.read(&reader, count: count, into: area, heap: heap)
        default: break
        }
        area.spread(valued, as: SixteenBytes.self)
    }
}
