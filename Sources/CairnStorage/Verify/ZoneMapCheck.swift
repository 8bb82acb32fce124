/// Compares the values of a chunk with the range that its header announces.
///
/// The range may be wider than the values are: only that it leaves none out is promised.
struct ZoneMapCheck {
    private let chunk: PlainChunk
    /// The slots whose values take part.
    private let slots: BlockBitmap
    private let hasMap: Bool
    private let hasValue: Bool
    private let minimum: UInt64
    private let maximum: UInt64

    init(_ chunk: PlainChunk, _ slots: BlockBitmap) {
        self.chunk = chunk
        self.slots = slots
        let flags = ChunkView(chunk.pointer).flags
        hasMap = flags & ChunkLayout.hasZoneMap != 0
        hasValue = flags & ChunkLayout.hasZoneValue != 0
        minimum = chunk.pointer.loadUnaligned(fromByteOffset: ChunkLayout.zoneMinimum, as: UInt64.self)
        maximum = chunk.pointer.loadUnaligned(fromByteOffset: ChunkLayout.zoneMaximum, as: UInt64.self)
    }

    /// The first slot whose value lies outside; nil where there is none, or no map.
    ///
    /// - Parameter kind: one of fixed width that has zone maps.
    func firstOutside(_ kind: ValueKind) -> Int? {
        guard hasMap else { return nil }
        switch kind {
        case .int:
            return first(Int64(bitPattern: minimum), Int64(bitPattern: maximum)) {
                Int64(bitPattern: chunk.word($0))
            }
        case .link:
            return first(minimum, maximum, where: { $0 != 0 }) { chunk.word($0) }
        case .double, .date:
            return first(Double(bitPattern: minimum), Double(bitPattern: maximum), where: { $0 == $0 }) {
                Double(bitPattern: chunk.word($0))
            }
        case .float:
            return first(Double(bitPattern: minimum), Double(bitPattern: maximum), where: { $0 == $0 }) {
                Double(chunk.slot($0).loadUnaligned(as: Float.self))
            }
        case .objectId, .uuid:
            return first(minimum, maximum) { UInt64(bigEndian: chunk.word($0)) }
        case .bool, .string, .binary, .decimal, .backlinks:
            return nil
        }
    }

    private func first<T: Comparable>(
        _ minimum: T, _ maximum: T, where takesPart: (T) -> Bool = { _ in true }, _ value: (Int) -> T
    ) -> Int? {
        for slot in slots {
            let value = value(slot)
            guard takesPart(value) else { continue }
            // Not by what is below or above: a range of NaN holds nothing.
            guard hasValue, value >= minimum, value <= maximum else { return slot }
        }
        return nil
    }

    /// Whether a text lies outside.
    func isOutside(_ text: UnsafeRawBufferPointer) -> Bool {
        guard hasMap else { return false }
        let prefix = Self.prefix(text)
        return !hasValue || prefix < minimum || prefix > maximum
    }

    /// The first eight bytes as a big-endian number, with zeros behind a shorter text.
    private static func prefix(_ text: UnsafeRawBufferPointer) -> UInt64 {
        if text.count >= 8 { return UInt64(bigEndian: text.loadUnaligned(as: UInt64.self)) }
        var prefix: UInt64 = 0
        for index in 0..<text.count { prefix |= UInt64(text[index]) << UInt64(56 - 8 * index) }
        return prefix
    }
}
