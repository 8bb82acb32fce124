import CairnStorage
import Testing

/// Packing and unpacking as a caller does it, in memory of exactly the right size.
enum PackedRoundTrip {
    /// The packed bytes, nil when the chunk stays plain.
    static func pack(_ chunk: LiveChunk) -> [UInt8]? {
        var output: [UInt8] = [1, 2, 3]
        let isPacked = chunk.chunk.bytes.withUnsafeBytes { plain in
            chunk.live.withUnsafeBufferPointer {
                PackedChunk.encode(plain: plain, live: $0.baseAddress!, into: &output)
            }
        }
        return isPacked ? output : nil
    }

    static func unpack(_ packed: [UInt8], _ shape: SlotShape, _ element: ListElement? = nil) throws -> [UInt8]
    {
        // Copied, so that the address sanitizer sees the first byte too many.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: packed.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: packed)
        let source = UnsafeRawBufferPointer(copy)
        let byteCount = try PackedChunk.decodedByteCount(source, shape: shape)
        try #require(byteCount <= 104 + 448 * (16 + 2048))
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
        defer { output.deallocate() }
        for index in output.indices { output[index] = 0xEE }
        try PackedChunk.decode(source, shape: shape, element: element, into: output)
        try ChunkValidator.validatePlain(UnsafeRawBufferPointer(output), shape: shape, element: element)
        return Array(output)
    }

    static func scheme(_ packed: [UInt8], _ shape: SlotShape) throws -> PackedScheme {
        try packed.withUnsafeBytes { try PackedChunk.scheme(of: $0, shape: shape) }
    }

    /// Packs, checks the size, unpacks and compares with what the format says must come out.
    ///
    /// - Returns: the packed bytes, nil when the chunk stays plain.
    @discardableResult
    static func check(_ chunk: LiveChunk, _ comment: Comment? = nil) throws -> [UInt8]? {
        guard let packed = pack(chunk) else { return nil }
        #expect(packed.count * 2 <= chunk.chunk.bytes.count, comment)
        let unpacked = try unpack(packed, chunk.chunk.shape)
        #expect(unpacked == expected(chunk), comment)
        return packed
    }

    /// The plain chunk that must come out: the live values, in a heap without gaps.
    static func expected(_ original: LiveChunk) -> [UInt8] {
        let source = original.chunk
        var result = PlainChunk(source.shape, slotCount: source.slotCount)
        for offset in 8..<48 where !(24..<28).contains(offset) {
            result.store(source.bytes[offset], at: offset)
        }
        for slot in 0..<source.slotCount where original.isLive(slot) {
            if source.isNull(slot) { result.setNull(slot) } else { result.copy(slot, from: source) }
        }
        return result.bytes
    }
}

extension PlainChunk {
    func isNull(_ slot: Int) -> Bool { bytes[48 + slot / 8] >> UInt8(slot % 8) & 1 == 1 }

    /// Takes over a slot with what it has in the heap.
    mutating func copy(_ slot: Int, from source: PlainChunk) {
        guard shape != .bits else {
            return set(slot, source.bytes[104 + slot / 8] >> UInt8(slot % 8) & 1 == 1)
        }
        let width = shape.slotByteCount
        let at = 104 + slot * width
        let count = Int(source.load(at, as: UInt32.self))
        let heap = 104 + source.slotCount * width
        func content(_ byteCount: Int) -> [UInt8] {
            let start = heap + Int(source.load(at + 8, as: UInt32.self))
            return Array(source.bytes[start..<(start + byteCount)])
        }
        switch shape {
        case .text where count > 12 && count <= 1024: set(slot, text: content(count))
        case .list where source.load(at, as: UInt64.self) >> 32 == 0 && count > 0:
            set(slot, listOf: count, payload: content(Int(source.load(at + 12, as: UInt32.self))))
        case .backlinks where source.load(at, as: UInt64.self) >> 32 == 0 && count > 1:
            let origins = content(count * 8)
            set(
                slot,
                backlinks: origins.withUnsafeBytes { bytes in
                    (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
                })
        default: set(slot, Array(source.bytes[at..<(at + width)]))
        }
    }
}
