import CairnStorage

/// Builds the bytes of a plain chunk slot by slot, after `docs/file-format.md` and not after the code.
struct PlainChunk: Equatable {
    let shape: SlotShape
    let slotCount: Int
    /// The bytes, always complete.
    private(set) var bytes: [UInt8]

    init(_ shape: SlotShape, slotCount: Int) {
        self.shape = shape
        self.slotCount = slotCount
        let width: Int = [.bits: 0, .four: 4, .eight: 8, .twelve: 12][shape] ?? 16
        bytes = [UInt8](repeating: 0, count: 104 + (shape == .bits ? 56 : slotCount * width))
        store(UInt64(77), at: 8)
        bytes[16] = 1
        bytes[18] = shape.rawValue
        store(UInt16(slotCount), at: 20)
    }

    mutating func store<T: FixedWidthInteger>(_ value: T, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) {
            bytes.replaceSubrange(offset..<(offset + $0.count), with: $0)
        }
    }

    func load<T: FixedWidthInteger>(_ offset: Int, as type: T.Type = T.self) -> T {
        bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
    }

    /// Sets a slot of a fixed width, or sixteen bytes of another shape.
    mutating func set(_ slot: Int, _ value: [UInt8]) {
        bytes.replaceSubrange((104 + slot * value.count)..<(104 + (slot + 1) * value.count), with: value)
    }

    mutating func set(_ slot: Int, _ value: Int64) { store(value, at: 104 + slot * 8) }

    mutating func set(_ slot: Int, _ value: Double) { store(value.bitPattern, at: 104 + slot * 8) }

    mutating func set(_ slot: Int, _ value: Bool) {
        if value { bytes[104 + slot / 8] |= 1 << UInt8(slot % 8) }
    }

    mutating func setNull(_ slot: Int) { bytes[48 + slot / 8] |= 1 << UInt8(slot % 8) }

    /// Appends to the heap; the offset of the bytes in it.
    private mutating func appendToHeap(_ content: [UInt8]) -> UInt32 {
        let offset: UInt32 = load(24)
        bytes += content
        store(offset + UInt32(content.count), at: 24)
        return offset
    }

    /// A text of up to 1,024 bytes.
    mutating func set(_ slot: Int, text: [UInt8]) {
        let at = 104 + slot * 16
        store(UInt32(text.count), at: at)
        if text.count <= 12 {
            bytes.replaceSubrange((at + 4)..<(at + 4 + text.count), with: text)
        } else {
            bytes.replaceSubrange((at + 4)..<(at + 8), with: text[..<4])
            store(appendToHeap(text), at: at + 8)
        }
    }

    /// A text of more than 1,024 bytes, which is elsewhere.
    mutating func set(_ slot: Int, textByteCount: UInt32, prefix: UInt32, valueID: UInt64) {
        let at = 104 + slot * 16
        store(textByteCount, at: at)
        store(prefix, at: at + 4)
        store(valueID, at: at + 8)
    }

    mutating func set(_ slot: Int, listOf count: Int, payload: [UInt8]) {
        let at = 104 + slot * 16
        store(UInt32(count), at: at)
        store(appendToHeap(payload), at: at + 8)
        store(UInt32(payload.count), at: at + 12)
    }

    mutating func set(_ slot: Int, listInPiecesOf count: Int, valueID: UInt64) {
        let at = 104 + slot * 16
        store(UInt32(count), at: at)
        store(UInt32(1), at: at + 4)
        store(valueID, at: at + 8)
    }

    mutating func set(_ slot: Int, backlinks: [UInt64]) {
        let at = 104 + slot * 16
        store(UInt32(backlinks.count), at: at)
        switch backlinks.count {
        case 0: break
        case 1: store(backlinks[0], at: at + 8)
        default:
            let content = backlinks.flatMap { origin in withUnsafeBytes(of: origin.littleEndian) { Array($0) }
            }
            store(appendToHeap(content), at: at + 8)
        }
    }

    mutating func set(_ slot: Int, backlinksInOrdered count: Int) {
        store(UInt32(count), at: 104 + slot * 16)
        store(UInt32(1), at: 104 + slot * 16 + 4)
    }
}
