/// Checks the lists of one column in one block, long ones with all their pieces.
struct ListCheck {
    private let check: ContentCheck
    private let layout: ListElementLayout

    init(_ check: ContentCheck) {
        self.check = check
        guard let layout = check.column.layout else {
            preconditionFailure("A column without lists was checked as one with lists.")
        }
        self.layout = layout
    }

    func run() throws(StorageError) {
        for slot in check.rows.live {
            let (count, flags, heapOffset, byteCount) = check.chunk.fields(slot)
            guard count > 0 else { continue }
            if flags & ListSlot.inPieces != 0 {
                try visitLong(slot, ValueID(check.chunk.upperWord(slot)), Int(count))
            } else {
                visit(check.chunk.heap(heapOffset, Int(byteCount)), Int(count), slot, nil)
            }
        }
    }

    private func visitLong(_ slot: Int, _ id: ValueID, _ count: Int) throws(StorageError) {
        let values = check.context.values
        let place = check.place(slot)
        guard let directory = try values.use(id, as: .listDirectory, count: count, at: place) else {
            values.noteMissingUses()
            return check.noteUnreadableValue()
        }
        let pieces: [ListPiece]
        do throws(StorageError) {
            pieces = try ListDirectory.pieces(directory, id: id, count: count)
        } catch {
            note(.valueInvalid, slot, id, error.message)
            values.noteMissingUses()
            return check.noteUnreadableValue()
        }
        for piece in pieces {
            guard let id = piece.id,
                let record = try values.use(id, as: .listPiece, count: piece.count, at: place)
            else {
                check.noteUnreadableValue()
                continue
            }
            let payload = UnsafeRawBufferPointer(rebasing: record[ValueRecordLayout.payload...])
            visit(payload, piece.count, slot, id)
        }
    }

    private func note(_ kind: VerifyFinding.Kind, _ slot: Int, _ id: ValueID?, _ reason: String? = nil) {
        var place = check.place(slot)
        place.value = id
        check.context.recorder.note(kind, place, reason: reason)
    }

    /// Checks the elements of a list in the heap, or of a piece.
    private func visit(_ bytes: UnsafeRawBufferPointer, _ count: Int, _ slot: Int, _ id: ValueID?) {
        let payload: ListPayload
        do throws(StorageError) {
            payload = try ListPayload(bytes, count: count, layout: layout)
        } catch {
            note(id == nil ? .chunkInvalid : .valueInvalid, slot, id, error.message)
            return check.noteUnreadableValue()
        }
        if layout.kind == .link {
            payload.plainElements?.forEachUnaligned(UInt64.self) {
                check.postLink(from: slot, to: RowKey($0))
            }
            return
        }
        if layout.isNullable { checkNulls(payload, slot, id) }
        switch layout.kind {
        case .string: checkTexts(payload, slot, id)
        case .bool: checkBools(payload, slot, id)
        default: break
        }
    }

    /// A null element has a zero value; of texts, no bytes.
    private func checkNulls(_ payload: ListPayload, _ slot: Int, _ id: ValueID?) {
        for index in 0..<payload.count where payload.isNull(at: index) {
            let isZero: Bool
            if layout.holdsTexts {
                isZero = payload.textRange(index..<(index + 1)).byteCount == 0
            } else {
                isZero = UnsafeRawBufferPointer(
                    start: payload.entries + index * layout.width, count: layout.width
                )
                .allSatisfy { $0 == 0 }
            }
            if !isZero { return note(.nullNotZero, slot, id) }
        }
    }

    private func checkTexts(_ payload: ListPayload, _ slot: Int, _ id: ValueID?) {
        for index in 0..<payload.count {
            guard let text = payload.element(at: index), !TextEncoding.isUTF8(text) else { continue }
            return note(.textEncoding, slot, id)
        }
    }

    private func checkBools(_ payload: ListPayload, _ slot: Int, _ id: ValueID?) {
        let bytes = UnsafeRawBufferPointer(start: payload.entries, count: payload.count)
        if !bytes.allSatisfy({ $0 <= 1 }) { note(.listElement, slot, id) }
    }
}
