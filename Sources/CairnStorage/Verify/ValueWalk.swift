internal import CairnLMDB

/// Goes through the database `values`, and posts what is there.
struct ValueWalk {
    private let context: VerifyContext

    private init(_ context: VerifyContext) {
        self.context = context
    }

    static func run(_ context: VerifyContext) throws(StorageError) {
        let walk = ValueWalk(context)
        try context.reader.forEachEntry(of: context.reader.contents.values) { entry throws(StorageError) in
            context.counts.values += 1
            context.step()
            guard entry.key.count == 8 else { return }
            walk.visit(ValueID(entry.integerKey), entry.value)
        }
    }

    private func visit(_ id: ValueID, _ stored: UnsafeRawBufferPointer) {
        let place = VerifyFinding.Place(value: id)
        let recorder = context.recorder
        if let counters = context.catalogue.counters, id.value >= counters.nextValueID || id.value == 0 {
            recorder.note(.counter, place, expected: counters.nextValueID, found: id.value)
        }
        context.values.ledger.find(id.value, 0)
        guard let record = context.opened(stored, key: id.value, .valueInvalid, place) else { return }
        if !RecordSeal.holds(record, seed: id.value) { recorder.note(.valueChecksum, place) }
        guard record.count >= ValueRecordLayout.payload,
            let kind = ValueRecord.Kind(rawValue: record[ValueRecordLayout.kind])
        else {
            recorder.note(.valueInvalid, place, reason: "It is of no known kind, or ends within its header.")
            return
        }
        checkHeader(record, kind, place)
    }

    private func checkHeader(
        _ record: UnsafeRawBufferPointer, _ kind: ValueRecord.Kind, _ place: VerifyFinding.Place
    ) {
        let reserved = record.loadUnaligned(fromByteOffset: ValueRecordLayout.reserved, as: UInt16.self)
        let count = record.loadUnaligned(fromByteOffset: ValueRecordLayout.count, as: UInt32.self)
        guard
            record[ValueRecordLayout.format] != ValueRecordLayout.currentFormat || reserved != 0
                || (kind == .text && count != 0)
        else { return }
        context.recorder.note(
            .valueInvalid, place,
            reason: "It has an unknown record format, or something in fields that are zero.")
    }
}
