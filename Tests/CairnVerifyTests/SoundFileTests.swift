import CairnStorage
import Testing

/// Files that nothing is wrong with.
@Suite struct SoundFileTests {
    enum Limits: String, CaseIterable {
        case standard, unpacked, tiny

        var limits: EngineLimits {
            var limits = self == .tiny ? EngineLimits.tiny : EngineLimits()
            limits.packsChunks = self != .unpacked
            return limits
        }
    }

    @Test(arguments: Limits.allCases)
    func `a file with every kind of content has no findings`(_ limits: Limits) throws {
        let sample = try SampleStore(limits: limits.limits)
        let store = try Store.open(sample.options)
        var last: VerifyProgress?
        let report = try Verify.run(store) { last = $0 }
        expectSound(report)
        #expect(report.coversContents)
        #expect(report.tableCount == 2)
        let rows = try SampleRows(try store.makeSession())
        #expect(report.rowCount == UInt64(rows.things.rowCount + rows.places.rowCount))
        let counts = report.chunkCount + report.orderedCount + report.valueCount + report.changeCount
        #expect(last?.recordCount == counts && last?.totalCount == counts)
        #expect(report.orderedCount > 0 && report.valueCount > 0 && report.changeCount > 0)
    }

    @Test func `a new file has no findings`() throws {
        let folder = try TestFolder()
        let store = try Store.open(.testing(folder.file))
        let report = try Verify.run(store)
        expectSound(report)
        #expect(report.rowCount == 0)
    }

    @Test func `a table that lost all its rows has no findings`() throws {
        let sample = try SampleStore(limits: .tiny, rowCount: 30)
        let store = try Store.open(sample.options)
        let session = try store.makeSession()
        try store.write(session) {
            let rows = try SampleRows(session)
            var all: [RowKey] = []
            rows.things.forEachRow { all.append($0) }
            try session.delete(all, from: rows.things)
        }
        expectSound(try Verify.run(store))
        try store.write(session) { _ = try SampleRows(session).things.insert(key: 1) }
        expectSound(try Verify.run(store))
    }
}
