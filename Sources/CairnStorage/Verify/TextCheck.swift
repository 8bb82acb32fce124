/// Checks the strings or binaries of one column in one block.
struct TextCheck {
    private let check: ContentCheck
    private let zone: ZoneMapCheck

    init(_ check: ContentCheck, _ zone: ZoneMapCheck) {
        self.check = check
        self.zone = zone
    }

    func run() throws(StorageError) {
        let isString = check.column.definition.kind == .string
        var isOutside: Int?
        for slot in check.rows.live.subtracting(check.chunk.nulls) {
            guard let text = try text(slot) else {
                check.noteUnreadableValue()
                continue
            }
            if isString, !TextEncoding.isUTF8(text) { check.note(.textEncoding, slot) }
            if isOutside == nil, zone.isOutside(text) { isOutside = slot }
        }
        check.noteZone(isOutside)
    }

    /// The bytes of a text, compared with what else its slot says; nil for a large value that cannot be read.
    private func text(_ slot: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
        let chunk = check.chunk
        let (count, prefix, heapOffset, _) = chunk.fields(slot)
        if count <= UInt32(TextSlot.inPlaceLimit) {
            let whole = UnsafeRawBufferPointer(
                start: chunk.slot(slot) + TextSlot.inPlace, count: TextSlot.inPlaceLimit)
            let rest = whole[Int(count)...]
            if !rest.allSatisfy({ $0 == 0 }) { check.note(.textSlot, slot) }
            return UnsafeRawBufferPointer(rebasing: whole[..<Int(count)])
        }
        let text: UnsafeRawBufferPointer
        if count <= UInt32(TextSlot.heapLimit) {
            text = chunk.heap(heapOffset, Int(count))
        } else {
            let id = ValueID(chunk.upperWord(slot))
            let record = try check.context.values.use(id, as: .text, count: Int(count), at: check.place(slot))
            guard let record else { return nil }
            text = UnsafeRawBufferPointer(rebasing: record[ValueRecordLayout.payload...])
        }
        if text.loadUnaligned(as: UInt32.self) != prefix { check.note(.textSlot, slot) }
        return text
    }
}

/// Whether bytes are UTF-8.
enum TextEncoding {
    static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isASCII(bytes) || String(validating: bytes, as: UTF8.self) != nil
    }

    /// Eight bytes at a time: most texts are nothing else.
    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var all: UInt64 = 0
        var offset = 0
        while offset &+ 8 <= bytes.count {
            all |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < bytes.count {
            all |= UInt64(bytes[offset])
            offset &+= 1
        }
        return all & 0x8080_8080_8080_8080 == 0
    }
}
