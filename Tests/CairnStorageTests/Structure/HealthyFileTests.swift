import CairnStorage
import TestSupport
import Testing

/// Files as LMDB leaves them have no findings.
@Suite struct HealthyFileTests {
    private func expectHealthy(_ file: DataFile, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let report = try file.check()
        #expect(report.findings == [], sourceLocation: sourceLocation)
        #expect(report.isSound, sourceLocation: sourceLocation)
        let counted =
            2 + report.branchPageCount + report.leafPageCount + report.overflowPageCount
            + report.freePageCount
        #expect(counted == report.pageCount, sourceLocation: sourceLocation)
    }

    @Test func `a new file is sound`() throws {
        let file = try DataFile()
        _ = try LMDBEnvironment(file)
        try expectHealthy(file)
    }

    @Test func `a file with an empty database and one with a single key are sound`() throws {
        let file = try DataFile()
        try file.write { _ = try $0.byteKeys("empty") }
        try expectHealthy(file)
        try file.write { try $0.put($0.byteKeys("one"), [1], []) }
        try expectHealthy(file)
    }

    @Test func `the sample of the damage tests is sound and has what they need`() throws {
        let file = try SampleFile.make()
        try expectHealthy(file)
        let image = try file.image()
        #expect(image.depth(image.record("chunks")) == 2)
        #expect(image.depth(image.record("names")) >= 2)
        #expect(image.depth(image.freeRecord) == 1)
    }

    @Test(arguments: [0, 1, 2, 7, 8, 2_000, 2_038, 4_080, 4_081, 100_000])
    func `values of any length are sound`(byteCount: Int) throws {
        let file = try DataFile()
        try file.write { writer in
            let (integers, names) = (try writer.integerKeys("i"), try writer.byteKeys("n"))
            for key in 0..<40 as Range<UInt64> {
                try writer.put(integers, key << 56 | key, SampleFile.value(key, byteCount))
                try writer.put(names, SampleFile.name(Int(key)), SampleFile.value(key, byteCount))
            }
        }
        try expectHealthy(file)
    }

    @Test func `a value replaced by a shorter one in its transaction keeps its run and is sound`() throws {
        let file = try DataFile()
        try file.write { writer in
            let database = try writer.byteKeys("values")
            try writer.put(database, [1], SampleFile.value(1, 40_000))
            try writer.put(database, [1], SampleFile.value(2, 10))
        }
        try expectHealthy(file)
    }

    @Test func `a cleared and a removed database leave free pages`() throws {
        let file = try SampleFile.make()
        try file.write { try $0.clear($0.integerKeys("chunks")) }
        try expectHealthy(file)
        try file.write { try $0.clear($0.byteKeys("names"), removing: true) }
        try expectHealthy(file)
        let report = try file.check()
        #expect(report.freePageCount > 30)
    }

    @Test func `hundreds of databases make the main tree deep`() throws {
        let file = try DataFile()
        for part in 0..<10 {
            try file.write { writer in
                for number in 0..<50 {
                    let database = try writer.byteKeys("database \(part * 50 + number)")
                    try writer.put(database, [UInt8(number)], SampleFile.value(1, 100))
                }
            }
        }
        try expectHealthy(file)
        let image = try file.image()
        #expect(image.depth(image.mainRecord) > 1)
    }

    @Test func `a free list of many pages is sound`() throws {
        let file = try DataFile()
        let environment = try LMDBEnvironment(file)
        try environment.write { writer in
            let database = try writer.integerKeys("chunks")
            for key in 0..<6_000 as Range<UInt64> {
                try writer.put(database, key, SampleFile.value(key, 3_000))
            }
        }
        // While somebody reads, nothing of the free list is used up.
        try environment.read { _ in
            try environment.write { try $0.clear($0.integerKeys("chunks")) }
            for key in 0..<200 as Range<UInt64> {
                try environment.write { writer in
                    try writer.put(writer.integerKeys("chunks"), key, SampleFile.value(key, 5_000))
                }
            }
        }
        try expectHealthy(file)
        let image = try file.image()
        #expect(image.depth(image.freeRecord) > 1)
    }

    @Test func `a file shorter than its last page is sound where the pages missing are free`() throws {
        let file = try DataFile()
        // A few commits, so that the last one finds free pages for all it keeps.
        for number in 0..<6 as Range<UInt64> {
            try file.write { try $0.put($0.byteKeys("values"), [1], SampleFile.value(number, 10)) }
        }
        try file.write { writer in
            let database = try writer.byteKeys("values")
            try writer.put(database, [2], SampleFile.value(1, 400_000))
            try writer.delete(database, [2])
        }
        let image = try file.image()
        #expect(image.pageCount <= Int(image.lastPage))
        let report = try file.check()
        #expect(report.findings == [])
        #expect(report.freePageCount > 90)
    }

    @Test func `a compacted copy is sound`() throws {
        let (file, copy) = (try SampleFile.make(), try DataFile())
        try LMDBEnvironment(file).copyCompacted(to: copy)
        try expectHealthy(copy)
        #expect(try copy.check().freePageCount == 0)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `every version of a long random history is sound`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let file = try DataFile()
        let environment = try LMDBEnvironment(file)
        for _ in 0..<60 {
            try environment.write { writer in
                let integers = try writer.integerKeys("integers")
                let names = try writer.byteKeys("names")
                let isGrowing = Bool.random(using: &chance)
                for _ in 0..<Int.random(in: 1...300, using: &chance) {
                    let key = UInt64.random(in: 0..<3_000, using: &chance)
                    let size = Int.random(in: 0..<Int.random(in: 1...9_000, using: &chance), using: &chance)
                    if isGrowing {
                        try writer.put(integers, key << 20, SampleFile.value(key, size))
                        try writer.put(names, SampleFile.name(Int(key)), SampleFile.value(key, size % 99))
                    } else {
                        try writer.delete(integers, (key << 20).bytes)
                        try writer.delete(names, SampleFile.name(Int(key)))
                    }
                }
            }
            try expectHealthy(file)
        }
    }
}
