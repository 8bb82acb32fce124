import CairnStorage
import Testing

/// What `verify` promises about many differences at once.
@Suite struct ManyFindingsTests {
    @Test func `findings beyond a thousand are counted only`() throws {
        let damage = Damage("orders") { sample, patch in
            for number in 0..<1_500 as Range<UInt32> {
                let space = sample.index("number").space.value
                var key: [UInt8] = [UInt8(space >> 8), UInt8(space & 255), 9, 0, 0, 0, 0, 0]
                key += withUnsafeBytes(of: number.bigEndian, Array.init)
                try patch.put(.ordered, key, [])
            }
        }
        let report = try damage.report()
        #expect(report.findings.count == 1_000)
        #expect(report.omittedFindingCount > 500)
        #expect(!report.isSound)
    }

    @Test func `several differences in one index are all told with their rows`() throws {
        let rows: [UInt64] = [5, 13, 14, 26, 412]
        let damage = Damage("ids") { sample, patch in
            try patch.edit(sample.chunk("id")) { bytes in
                for row in rows { bytes[SampleStore.slot(Int(row), 8) + 7] ^= 0x40 }
            }
        }
        let report = try damage.report()
        let missing = report.findings.filter { $0.kind == .entryMissing }.compactMap(\.place.row?.value)
        let stray = report.findings.filter { $0.kind == .entryStray }.compactMap(\.place.row?.value)
        #expect(missing == rows && stray == rows)
        let buckets = report.findings.compactMap(\.place.block).filter { $0 > 100 }
        #expect(buckets.isEmpty)
        #expect(report.kinds.allSatisfy { [.zoneMap, .entryMissing, .entryStray].contains($0) })
    }
}
