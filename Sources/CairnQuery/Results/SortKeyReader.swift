internal import CairnStorage

/// Reads what rows are sorted by for one key.
struct SortKeyReader {
    private let reader: ColumnReader
    private let key: SortKey

    init(reader: ColumnReader, key: SortKey) {
        self.reader = reader
        self.key = key
    }

    var isAscending: Bool { key.isAscending }

    /// Whether rows with equal bits have equal values.
    var isExact: Bool { SortBits.isExact(reader.kind) }

    // MARK: Groups

    /// A nil link on the way, nil, a value, nil, a nil link on the way: in this order, whichever end is asked
    /// for.
    static let groupCount = 5
    static let valueGroup = 2

    /// The group that a row belongs to, and its value's bits, which rise in the order that is wanted.
    func look(at row: RowKey) -> (group: Int, bits: UInt64) {
        switch reader.find(row) {
        case .value(let bytes):
            let bits = bits(bytes)
            return (Self.valueGroup, key.isAscending ? bits : ~bits)
        case .null: return (isNullLast ? 3 : 1, 0)
        case .broken: return (isBrokenLast ? 4 : 0, 0)
        }
    }

    /// The same for many rows: a column of the rows' own is read chunk by chunk.
    @inline(__always)
    func look(at rows: [RowKey], _ body: (_ place: Int, _ group: Int, _ bits: UInt64) -> Void) {
        guard let (table, position) = reader.ownColumn, let width = fastWidth else {
            for (place, row) in rows.enumerated() {
                let (group, bits) = look(at: row)
                body(place, group, bits)
            }
            return
        }
        let turn: UInt64 = key.isAscending ? 0 : ~0
        let nullGroup = isNullLast ? 3 : 1
        var block = UInt32.max
        var chunk = table.chunk(position, 0)
        for (place, row) in rows.enumerated() {
            let slot = row.slot
            if row.block != block {
                block = row.block
                chunk = table.chunk(position, block)
            }
            if ChunkView(chunk).bit(slot) {
                body(place, nullGroup, 0)
                continue
            }
            let bits: UInt64
            if width == 16 {
                bits = Self.prefix(chunk, slot) ?? ByteOrder.prefix(table.text(row, position))
            } else {
                bits = SortBits.bits(
                    UnsafeRawBufferPointer(start: chunk + (ChunkLayout.slots &+ slot &* width), count: width),
                    reader.kind)
            }
            body(place, Self.valueGroup, bits ^ turn)
        }
    }

    /// The bytes a slot, of values whose bits can be read off it; nil for others.
    private var fastWidth: Int? {
        switch reader.kind {
        case .int, .double, .date: 8
        case .float: 4
        case .string where key.collation == .bytes: 16
        default: nil
        }
    }

    /// The first eight bytes of a text that is in its slot or in the chunk's heap; nil for a large one.
    @inline(__always)
    fileprivate static func prefix(_ chunk: UnsafeRawPointer, _ slot: Int) -> UInt64? {
        let text = chunk + (ChunkLayout.slots &+ slot &* 16)
        let count = Int(text.loadUnaligned(as: UInt32.self))
        if count <= TextSlot.inPlaceLimit {
            // What is behind a shorter text is zero.
            return UInt64(bigEndian: text.loadUnaligned(fromByteOffset: TextSlot.inPlace, as: UInt64.self))
        }
        guard count <= TextSlot.heapLimit else { return nil }
        let offset = Int(text.loadUnaligned(fromByteOffset: TextSlot.heapOffset, as: UInt32.self))
        let heap = chunk + (ChunkLayout.slots &+ ChunkView(chunk).slotCount &* 16)
        return UInt64(bigEndian: heap.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private var isNullLast: Bool {
        switch key.nilPlace {
        case .automatic: !key.isAscending
        case .first: false
        case .last: true
        }
    }

    private var isBrokenLast: Bool {
        switch key.nilPlace {
        case .automatic: key.isAscending
        case .first: false
        case .last: true
        }
    }

    // MARK: Values

    private func bits(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        guard reader.kind == .string else { return SortBits.bits(bytes, reader.kind) }
        switch key.collation {
        case .bytes: return ByteOrder.prefix(bytes)
        case .caseInsensitive:
            guard TextFolding.isASCII(bytes) else {
                return TextFolding.caseInsensitive.fold(bytes).withUnsafeBytes(ByteOrder.prefix)
            }
            return Self.lowercased(ByteOrder.prefix(bytes))
        case .localized: return 0
        }
    }

    /// Eight ASCII letters.
    private static func lowercased(_ word: UInt64) -> UInt64 {
        var result: UInt64 = 0
        for index in 0..<8 {
            let byte = UInt8(truncatingIfNeeded: word >> UInt64(index * 8))
            result |= UInt64(TextFolding.lowercased(byte)) << UInt64(index * 8)
        }
        return result
    }

    /// The order of two values, whichever way the sort goes; rows without one are equal.
    func compare(_ left: RowKey, _ right: RowKey) -> Int {
        guard case .value(let left) = reader.find(left), case .value(let right) = reader.find(right) else {
            return 0
        }
        guard reader.kind == .string else { return SortBits.compare(left, right, reader.kind) }
        switch key.collation {
        case .bytes: return ByteOrder.compare(left, right)
        case .caseInsensitive:
            return TextFolding.caseInsensitive.fold(left).withUnsafeBytes { left in
                TextFolding.caseInsensitive.fold(right).withUnsafeBytes { ByteOrder.compare(left, $0) }
            }
        case .localized:
            return RootCollation.compare(
                String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
        }
    }
}
