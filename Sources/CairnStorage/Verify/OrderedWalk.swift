internal import CairnLMDB

/// Goes through the database `ordered`: the entries of ordered indexes, and the backlinks of rows that have
/// many.
struct OrderedWalk {
    private let context: VerifyContext
    /// The value of the last key, used again so that looking at one allocates nothing.
    private var value: [UInt8] = []

    private init(_ context: VerifyContext) {
        self.context = context
    }

    static func run(_ context: VerifyContext) throws(StorageError) {
        var walk = OrderedWalk(context)
        try context.reader.forEachEntry(of: context.reader.contents.ordered) { entry throws(StorageError) in
            context.counts.ordered += 1
            context.step()
            walk.visit(entry)
        }
        for table in context.tables { walk.checkCounts(table) }
    }

    private mutating func visit(_ entry: Cursor.Entry) {
        guard entry.key.count >= 2 else {
            context.recorder.note(.orderedStray, found: UInt64(entry.key.count))
            return
        }
        let space = SpaceID(UInt16(bigEndian: entry.key.loadUnaligned(as: UInt16.self)))
        switch context.owners[space] {
        case .index(let index, let table) where index.definition.kind == .ordered:
            visit(entry, of: index, table)
        case .backlinks(let column):
            visit(entry, of: column)
        case .table, .index:
            context.recorder.note(.orderedStray, VerifyFinding.Place(space: space))
        case nil:
            if context.knowsAllOwners {
                context.recorder.note(.orderedStray, VerifyFinding.Place(space: space))
            }
        }
    }

    private mutating func visit(_ entry: Cursor.Entry, of index: VerifiedIndex, _ table: VerifiedTable) {
        index.entryCount += 1
        let kind = table.columns[index.positions[0]].definition.kind
        guard let parts = split(entry.key, kind, index.definition.space) else { return }
        if entry.value.count > 0 {
            context.recorder.note(
                .orderedInvalid, VerifyFinding.Place(space: index.definition.space, row: parts.rowKey),
                expected: 0, found: UInt64(entry.value.count))
        }
        index.ledger.find(parts.rowKey.value, ByteHash.hash(entry.key, seed: index.keySeed))
    }

    private mutating func visit(_ entry: Cursor.Entry, of column: VerifiedColumn) {
        guard let space = column.definition.overflowSpace,
            let parts = split(entry.key, .backlinks, space)
        else { return }
        let place = VerifyFinding.Place(space: space, row: parts.target, otherRow: parts.rowKey)
        guard entry.value.count == 4 else {
            context.recorder.note(.orderedInvalid, place, expected: 4, found: UInt64(entry.value.count))
            return column.noteIncomplete()
        }
        let count = UInt32(littleEndian: entry.value.loadUnaligned(as: UInt32.self))
        if count == 0 { context.recorder.note(.orderedInvalid, place, expected: 1, found: 0) }
        column.mirror?.find(parts.target.value, parts.rowKey.value, times: Int(count))
        column.ordered.find(parts.target.value, 0, times: Int(count))
    }

    private mutating func split(_ key: UnsafeRawBufferPointer, _ kind: ValueKind, _ space: SpaceID)
        -> OrderedKey
        .Parts?
    {
        do throws(StorageError) {
            let parts = try OrderedKey.split(key, kind: kind)
            if kind != .backlinks { _ = try OrderedKey.decode(parts.value, kind: kind, into: &value) }
            return parts
        } catch {
            context.recorder.note(.orderedInvalid, VerifyFinding.Place(space: space), reason: error.message)
            return nil
        }
    }

    /// Compares the entries of each index with what the table's state says.
    private func checkCounts(_ table: VerifiedTable) {
        for index in table.indexes {
            guard let state = index.state, state.entryCount != index.entryCount else { continue }
            // Of a hash index with an unreadable bucket the count is not known.
            if index.definition.kind == .hash, index.ledger.isIncomplete { continue }
            context.recorder.note(
                .entryCount, VerifyFinding.Place(space: index.definition.space), expected: state.entryCount,
                found: index.entryCount)
        }
    }
}
