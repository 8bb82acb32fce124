/// How a set of slots is stored (`docs/file-format.md`, section 10.2). The raw values are stored.
package enum SlotSetForm: UInt8, Sendable, CaseIterable {
    case none = 0
    case all = 1
    case run = 2
    case bitmap = 3
    /// What is not valued.
    case rest = 4
    /// The valued slots.
    case same = 5

    /// The smallest form of a set.
    ///
    /// - Parameters:
    ///   - slotCount: past the last slot of the set.
    ///   - valued: the valued slots; nil for that set itself.
    init(of set: SlotSet, slotCount: Int, valued: SlotSet?) {
        let all = SlotSet(first: 0, count: slotCount)
        let count = set.count
        self =
            if count == 0 { .none } else if count == slotCount { .all } else if set == valued {
                .same
            } else if let valued, set == all.subtracting(valued) {
                .rest
            } else if set.end - set.first == count, slotCount > 32 { .run } else { .bitmap }
    }

    /// The bytes of a set in this form.
    func byteCount(slotCount: Int) -> Int {
        switch self {
        case .none, .all, .rest, .same: 0
        case .run: 4
        case .bitmap: (slotCount + 7) / 8
        }
    }

    /// Writes a set that has this form.
    func write(_ set: SlotSet, slotCount: Int, to writer: inout PackedWriter) {
        switch self {
        case .none, .all, .rest, .same: break
        case .run:
            writer.store(UInt16(set.first))
            writer.store(UInt16(set.count))
        case .bitmap: set.store(into: writer.reserve(byteCount(slotCount: slotCount)))
        }
    }

    /// Reads a set in this form: every slot of it is below the slot count.
    ///
    /// - Throws: `damaged` for a form that is not for this set, and for slots outside the chunk.
    func read(_ reader: inout ByteReader, slotCount: Int, valued: SlotSet?) throws(StorageError) -> SlotSet {
        let all = SlotSet(first: 0, count: slotCount)
        switch self {
        case .none: return SlotSet()
        case .all: return all
        case .run:
            let first = Int(try reader.integer(UInt16.self))
            let count = Int(try reader.integer(UInt16.self))
            guard count > 0, first + count <= slotCount else {
                throw reader.damage("has a run of slots outside it")
            }
            return SlotSet(first: first, count: count)
        case .bitmap:
            let set = SlotSet(stored: try reader.bytes(byteCount(slotCount: slotCount)))
            guard set.end <= slotCount else { throw reader.damage("has a bitmap with slots outside it") }
            return set
        case .rest, .same:
            guard let valued else { throw reader.damage("defines its valued slots by themselves") }
            return self == .same ? valued : all.subtracting(valued)
        }
    }
}
