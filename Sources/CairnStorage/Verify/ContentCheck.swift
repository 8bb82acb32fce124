/// Checks the values of one column in one block: each by itself, against the chunk's zone map, and by what it
/// refers to.
struct ContentCheck {
    let context: VerifyContext
    let table: VerifiedTable
    let column: VerifiedColumn
    let position: Int
    let rows: VerifiedRows
    let chunk: PlainChunk

    func run() throws(StorageError) {
        let zone = ZoneMapCheck(chunk, rows.live.subtracting(chunk.nulls))
        if column.definition.collection != .none {
            try ListCheck(self).run()
        } else {
            switch column.definition.kind {
            case .string, .binary: try TextCheck(self, zone).run()
            case .backlinks: BacklinkCheck(self).run()
            case .link:
                checkLinks()
                noteZone(zone.firstOutside(column.definition.kind))
            case .bool, .decimal: break
            case .int, .float, .double, .date, .objectId, .uuid:
                noteZone(zone.firstOutside(column.definition.kind))
            }
        }
    }

    func place(_ slot: Int) -> VerifyFinding.Place {
        VerifyFinding.Place(
            space: table.definition.space, column: column.definition.id, block: rows.block,
            row: rows.row(slot))
    }

    func note(_ kind: VerifyFinding.Kind, _ slot: Int) {
        context.recorder.note(kind, place(slot))
    }

    func noteZone(_ slot: Int?) {
        if let slot { note(.zoneMap, slot) }
    }

    /// Says that a value could not be read in full: what it owes to indexes and mirrors is not known.
    func noteUnreadableValue() {
        table.noteUnreadableValue(position)
    }

    // MARK: Links

    private func checkLinks() {
        rows.live.forEachSlot { slot in
            let stored = chunk.word(slot)
            if stored != 0 { postLink(from: slot, to: RowKey(stored &- 1)) }
        }
    }

    /// Checks that a link leads to a row, which then owes its mirror.
    func postLink(from slot: Int, to target: RowKey) {
        guard let table = column.target else { return }
        if table.live.contains(target) {
            column.mirror?.owe(target.value, rows.row(slot).value)
        } else if !table.live.isIncomplete {
            var place = place(slot)
            place.otherRow = target
            context.recorder.note(.linkDangling, place)
        }
    }
}

/// Checks the hidden column that mirrors links.
struct BacklinkCheck {
    private let check: ContentCheck

    init(_ check: ContentCheck) {
        self.check = check
    }

    func run() {
        check.rows.live.forEachSlot { slot in visit(slot) }
    }

    /// Validation has seen to the forms: none, one, up to 64 in the heap, or in the ordered entries.
    private func visit(_ slot: Int) {
        let (count, flags, heapOffset, _) = check.chunk.fields(slot)
        guard count > 0 else { return }
        let row = check.rows.row(slot).value
        if flags & BacklinkSlot.inOrdered != 0 {
            check.column.ordered.owe(row, 0, times: Int(count))
        } else if count == 1 {
            check.column.mirror?.find(row, check.chunk.upperWord(slot))
        } else {
            visit(check.chunk.heap(heapOffset, Int(count) * 8), of: slot, row)
        }
    }

    private func visit(_ origins: UnsafeRawBufferPointer, of slot: Int, _ row: UInt64) {
        var last: UInt64 = 0
        var isRising = true
        for offset in stride(from: 0, to: origins.count, by: 8) {
            let origin = origins.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            isRising = isRising && origin >= last
            last = origin
            check.column.mirror?.find(row, origin)
        }
        if !isRising { check.note(.backlinkOrder, slot) }
    }
}
