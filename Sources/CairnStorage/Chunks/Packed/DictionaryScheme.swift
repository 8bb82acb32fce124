/// Scheme `dictionary`: each different value once, and numbers of them (`docs/file-format.md`,
/// section 10.4).
enum DictionaryScheme {
    /// The bytes of the scheme with a dictionary that is complete, nil when that would be over the budget or
    /// the values are too many different ones.
    static func byteCount<Slot: FixedSlot>(
        of values: RankedSlots<Slot>, budget: Int, dictionary: inout SlotDictionary
    ) -> Int? {
        let width = MemoryLayout<Slot>.size
        let limit = min(PackedLayout.dictionaryLimit, budget / width)
        guard limit > 0 else { return nil }
        let isComplete = dictionary.enter(
            values.count, limit: limit, mixed: { values[$0].mixed }, areEqual: { values[$0] == values[$1] },
            isEntered: { _ in true })
        guard isComplete else { return nil }
        let byteCount =
            2 + dictionary.count * width + NarrowPlan(below: dictionary.count).byteCount(of: values.count)
        return byteCount <= budget ? byteCount : nil
    }

    static func write<Slot: FixedSlot>(
        _ values: RankedSlots<Slot>, dictionary: SlotDictionary, to writer: inout PackedWriter
    ) {
        writer.store(UInt16(dictionary.count))
        let width = MemoryLayout<Slot>.size
        for entry in 0..<dictionary.count {
            writer.copy(values.start + dictionary.rank(ofEntry: entry) * width, byteCount: width)
        }
        NarrowPlan(below: dictionary.count).write(count: values.count, to: &writer) {
            UInt64(dictionary.entry(ofRank: $0))
        }
    }

    /// Reads `count` values, at least one, into the area by rank.
    static func read<Slot: FixedSlot>(
        _ reader: inout ByteReader, count: Int, into area: SlotArea, as type: Slot.Type
    ) throws(StorageError) {
        let entryCount = try readEntryCount(&reader)
        let entries = try reader.bytes(entryCount * MemoryLayout<Slot>.size)
        let numbers = try NarrowNumbers(&reader, count: count)
        let values = RankedSlots<Slot>(start: entries.baseAddress.unsafelyUnwrapped, count: entryCount)
        var largest: UInt64 = 0
        numbers.forEach { rank, number in
            largest = max(largest, number)
            area.store(values[number < UInt64(entryCount) ? Int(number) : 0], at: rank)
        }
        guard largest < UInt64(entryCount) else {
            throw reader.damage("refers to an entry that its dictionary has not")
        }
    }

    /// The number of entries at the head of a dictionary: 1 … 256.
    static func readEntryCount(_ reader: inout ByteReader) throws(StorageError) -> Int {
        let count = Int(try reader.integer(UInt16.self))
        guard 1...PackedLayout.dictionaryLimit ~= count else {
            throw reader.damage("has a dictionary of \(count) entries")
        }
        return count
    }
}
