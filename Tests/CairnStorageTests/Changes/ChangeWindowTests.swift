import CairnStorage
import Testing

@Suite struct ChangeWindowTests {
    /// What is left of records of ten bytes each, after a trim.
    private func kept(_ versions: ClosedRange<UInt64>, _ window: ChangeWindow) -> [UInt64] {
        var records = Array(versions)
        while let oldest = records.first,
            window.trims(
                Version(oldest), newest: Version(versions.upperBound), byteCount: records.count * 10)
        {
            records.removeFirst()
        }
        return records
    }

    @Test func `a window of versions keeps the last ones`() {
        #expect(kept(1...100, ChangeWindow(versionLimit: 10)) == Array(91...100))
        #expect(kept(1...100, ChangeWindow(versionLimit: 1)) == [100])
        #expect(kept(1...100, ChangeWindow(versionLimit: 100)) == Array(1...100))
        #expect(kept(1...100, ChangeWindow(versionLimit: .max)) == Array(1...100))
    }

    @Test func `a window of bytes keeps what fits`() {
        #expect(kept(1...100, ChangeWindow(byteLimit: 50)) == Array(96...100))
        #expect(kept(1...100, ChangeWindow(byteLimit: 59)) == Array(96...100))
        #expect(kept(1...100, ChangeWindow(byteLimit: 9)) == [])
    }

    @Test func `a window of nothing keeps nothing`() {
        #expect(kept(1...100, ChangeWindow(versionLimit: 0)) == [])
        #expect(!ChangeWindow(versionLimit: 0).keepsRecords && !ChangeWindow(byteLimit: 0).keepsRecords)
        #expect(ChangeWindow(versionLimit: 1).keepsRecords)
    }

    @Test func `a record past the newest version goes`() {
        #expect(ChangeWindow().trims(Version(9), newest: Version(8), byteCount: 1))
    }

    @Test func `each 64th commit trims, with one that trims always for tests`() {
        let due = (1...200).filter { ChangeWindow().isDue(at: Version($0)) }
        #expect(due == [64, 128, 192])
        #expect((1...9).allSatisfy { ChangeWindow(trimInterval: 1).isDue(at: Version($0)) })
    }
}
