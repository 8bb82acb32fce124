internal import CairnLMDB

/// Verifies the contents of a version whose pages are sound: catalogue, chunks, indexes, links, large values
/// and changes.
struct ContentVerification {
    private let context: VerifyContext

    /// Runs it.
    ///
    /// - Returns: the numbers of records read.
    /// - Throws: only what LMDB answers instead of a record, or the device.
    static func run(
        _ reader: VersionReader, _ recorder: VerifyRecorder, into report: inout VerifyReport,
        progress: ((VerifyProgress) -> Void)?
    ) throws(StorageError) {
        let total = try totalCount(reader)
        let context = try VerifyContext(
            reader, recorder, CatalogueCheck.run(reader, recorder),
            pageByteCount: report.structure.pageByteCount,
            progress: { progress?(VerifyProgress(recordCount: $0, totalCount: total)) })
        let verification = ContentVerification(context: context)
        try verification.readLiveRows()
        try verification.runPass()
        report.note(context)
        try ChangeWalk.run(context)
        report.changeCount = context.counts.changes
        progress?(VerifyProgress(recordCount: total, totalCount: total))
        if !context.ledgers.allSatisfy(\.isSettled) { try verification.explainDifferences() }
    }

    private static func totalCount(_ reader: VersionReader) throws(StorageError) -> UInt64 {
        let contents = reader.contents
        var total = 0
        for database in [contents.chunks, contents.ordered, contents.values, contents.changes] {
            total += try reader.statistics(of: database).entryCount
        }
        return UInt64(total)
    }

    /// Everything that posts to a ledger.
    private func runPass() throws(StorageError) {
        context.beginPass()
        try ChunkWalk.run(context)
        try OrderedWalk.run(context)
        try ValueWalk.run(context)
    }

    private func readLiveRows() throws(StorageError) {
        for table in context.tables {
            let space = table.definition.space
            try context.reader.forEachDirectory(of: space) { block, stored throws(StorageError) in
                do throws(StorageError) {
                    let key = ChunkKey(space, block, .directory)
                    let bytes = try context.reader.contents.codec.open(stored, key: key.value)
                    try ChunkValidator.validateDirectory(bytes)
                    guard let start = bytes.baseAddress else { return }
                    table.live.append(block, BlockBitmap(loadingFrom: start + ChunkLayout.bitmap))
                } catch {
                    // What is wrong with it is noted with its block.
                    table.live.isIncomplete = true
                }
            }
        }
    }

    // MARK: Differences

    /// Goes through everything once more to find out where two sides differ. Whatever else is wrong has been
    /// noted.
    private func explainDifferences() throws(StorageError) {
        let recorder = context.recorder
        for ledger in context.ledgers { ledger.beginCollecting() }
        recorder.isMuted = true
        try runPass()
        recorder.isMuted = false
        for table in context.tables {
            for index in table.indexes { explain(index) }
            for column in table.columns where column.definition.kind == .backlinks {
                explain(column, of: table)
            }
        }
        explainValues()
        recorder.noteOmitted(context.ledgers.reduce(0) { $0 + $1.omittedPartitionCount })
    }

    private func explain(_ index: VerifiedIndex) {
        for difference in index.ledger.differences() {
            let bucket =
                index.definition.kind == .hash
                ? VerifiedIndex.bucket(ofDetail: difference.fact.detail) : nil
            context.recorder.note(
                difference.excess > 0 ? .entryMissing : .entryStray,
                VerifyFinding.Place(
                    space: index.definition.space, block: bucket, row: RowKey(difference.fact.subject)))
        }
    }

    private func explain(_ column: VerifiedColumn, of table: VerifiedTable) {
        var place = VerifyFinding.Place(space: table.definition.space, column: column.definition.id)
        for difference in column.mirror?.differences() ?? [] {
            place.row = RowKey(difference.fact.subject)
            place.otherRow = RowKey(difference.fact.detail)
            context.recorder.note(
                difference.excess > 0 ? .backlinkMissing : .backlinkStray, place,
                found: UInt64(difference.excess.magnitude))
        }
        place.otherRow = nil
        for difference in column.ordered.differences() {
            place.row = RowKey(difference.fact.subject)
            context.recorder.note(.backlinkCount, place, found: UInt64(difference.excess.magnitude))
        }
    }

    private func explainValues() {
        for difference in context.values.ledger.differences() {
            if difference.excess < 0, context.values.missesUses { continue }
            context.recorder.note(
                difference.excess < 0 ? .valueUnused : .valueShared,
                VerifyFinding.Place(value: ValueID(difference.fact.subject)))
        }
    }
}

extension VerifyReport {
    /// Takes over what was read.
    fileprivate mutating func note(_ context: VerifyContext) {
        tableCount = context.tables.count
        rowCount = context.tables.reduce(0) { $0 + $1.rowCount }
        chunkCount = context.counts.chunks
        orderedCount = context.counts.ordered
        valueCount = context.counts.values
    }
}
