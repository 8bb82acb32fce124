/// The stored form of a set of row keys (`docs/file-format.md`, section 9):
///
///     number of blocks | distance form content | distance form content | …
///
/// A set of one row takes six bytes, a full block two.
private enum BlockForm {
    /// All 448 slots; no content.
    static let all: UInt8 = 0
    /// A bitmap of 56 bytes.
    static let bitmap: UInt8 = 1
    /// A number of slots in one byte, then two bytes each, rising.
    static let slots: UInt8 = 2
    /// Slots side by side: the first and the number, two bytes each.
    static let run: UInt8 = 3
    /// The most slots of which the list is smaller than the bitmap.
    static let slotsLimit = 27
}

extension RowKeySet {
    /// Appends the stored form: for each block the smallest that there is.
    func encode(into writer: inout ByteWriter) {
        writer.varint(UInt64(entries.count))
        var next: UInt64 = 0
        for entry in entries {
            writer.varint(UInt64(entry.block) + 1 - next)
            next = UInt64(entry.block) + 1
            RowKeySet.encode(entry.rows, into: &writer)
        }
    }

    private static func encode(_ rows: BlockBitmap, into writer: inout ByteWriter) {
        let count = rows.count
        if count == Block.slotCount {
            writer.integer(BlockForm.all)
        } else if count > 1, let run = rows.contiguousRange {
            writer.integer(BlockForm.run)
            writer.integer(UInt16(run.lowerBound))
            writer.integer(UInt16(run.count))
        } else if count <= BlockForm.slotsLimit {
            writer.integer(BlockForm.slots)
            writer.integer(UInt8(count))
            for slot in rows { writer.integer(UInt16(slot)) }
        } else {
            writer.integer(BlockForm.bitmap)
            for index in rows.words.indices { writer.integer(rows.words[index]) }
        }
    }

    /// Reads a stored set. Throws `.damaged` for everything `encode` could not have written, except
    /// that a larger form than needed is legal.
    init(decoding reader: inout ByteReader) throws(StorageError) {
        self.init()
        let count = try reader.varint()
        // A block takes two bytes at the least.
        guard count <= UInt64(reader.remainingByteCount / 2) else {
            throw reader.damage("announces \(count) blocks, more than its bytes can hold,")
        }
        var next: UInt64 = 0
        for _ in 0..<count {
            let distance = try reader.varint()
            let (block, overflows) = next.addingReportingOverflow(distance)
            guard distance > 0 else { throw reader.damage("names a block twice") }
            guard !overflows, block <= UInt64(UInt32.max) else {
                throw reader.damage("names a block past the last")
            }
            next = block
            insert(try RowKeySet.decodeRows(&reader), of: UInt32(block - 1))
        }
    }

    /// The rows of one block: at least one.
    private static func decodeRows(_ reader: inout ByteReader) throws(StorageError) -> BlockBitmap {
        let form = try reader.integer(UInt8.self)
        switch form {
        case BlockForm.all:
            return .full
        case BlockForm.bitmap:
            let rows = BlockBitmap(loadingFrom: try reader.bytes(Block.bitmapByteCount).baseAddress!)
            guard !rows.isEmpty else { throw reader.damage("has a block without a row") }
            return rows
        case BlockForm.slots:
            return try decodeSlots(&reader)
        case BlockForm.run:
            let first = Int(try reader.integer(UInt16.self))
            let count = Int(try reader.integer(UInt16.self))
            guard count > 0, first + count <= Block.slotCount else {
                throw reader.damage("has a run of \(count) rows from slot \(first) on")
            }
            return BlockBitmap(first..<(first + count))
        default:
            throw reader.damage("has a block of the unknown form \(form)")
        }
    }

    private static func decodeSlots(_ reader: inout ByteReader) throws(StorageError) -> BlockBitmap {
        let count = Int(try reader.integer(UInt8.self))
        guard 1...BlockForm.slotsLimit ~= count else { throw reader.damage("has a list of \(count) slots") }
        var rows = BlockBitmap()
        var next = 0
        for _ in 0..<count {
            let slot = Int(try reader.integer(UInt16.self))
            guard slot >= next, slot < Block.slotCount else {
                throw reader.damage("has the slot \(slot) where one from \(next) on is due")
            }
            rows.insert(slot)
            next = slot + 1
        }
        return rows
    }
}
