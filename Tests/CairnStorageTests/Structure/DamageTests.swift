import CairnStorage
import Testing

/// Each kind of damage is found, and called by its name.
@Suite struct DamageTests {
    private static let databases: [String: KeyOrder] = [
        "chunks": .integers, "empty": .bytes, "names": .bytes,
    ]

    private func check(_ image: FileImage) throws -> StructureReport {
        let file = try DataFile()
        try file.replace(with: image)
        return try file.check(databases: Self.databases)
    }

    private func sample() throws -> FileImage {
        try SampleFile.make().image()
    }

    @Test(arguments: StructureFinding.Kind.allCases)
    func `each kind of damage is found`(kind: StructureFinding.Kind) throws {
        let patch = try #require(StructurePatches.all[kind])
        var image = try sample()
        #expect(try check(image).findings == [])
        patch(&image)
        let report = try check(image)
        #expect(report.findings.contains { $0.kind == kind }, "found only \(report.findings)")
        #expect(report.isSound == (kind == .pageUnaccounted))
        #expect(report.findings.allSatisfy { $0.description.contains(String(describing: $0.kind)) })
    }

    @Test func `a finding says where and what`() throws {
        var image = try sample()
        let page = image.root(image.record("names"))
        image.set(page, 0, 3 as UInt64)
        let report = try check(image)
        try #require(report.findings.count == 1)
        let finding = report.findings[0]
        #expect(finding.kind == .pageNumber)
        #expect(finding.tree == .named("names"))
        #expect(finding.page == UInt64(page))
        #expect(finding.offset == 0)
        #expect(finding.expected == .exactly(UInt64(page)))
        #expect(finding.found == 3)
        #expect(
            finding.description
                == "Page \(page) (database \"names\"), byte 0: wrong page number, expected \(page), found 3.")
    }

    @Test func `a database with duplicates is not of this format`() throws {
        let file = try DataFile()
        try file.write { writer in
            let database = try writer.duplicates("twins")
            for number in 0..<2_000 { try writer.put(database, [1], SampleFile.name(number)) }
        }
        let report = try file.check()
        #expect(report.findings.map(\.kind) == [.treeFlags])
    }

    @Test func `a plain value in the main tree is not of this format`() throws {
        let file = try DataFile()
        try file.write { try $0.put($0.open(nil, flags: 0), [1], [2]) }
        #expect(try file.check().findings.map(\.kind) == [.nodeFlags])
    }

    @Test func `a database with another order of keys than expected is found`() throws {
        let file = try SampleFile.make()
        var other = Self.databases
        other["empty"] = .integers
        let report = try file.check(databases: other)
        #expect(report.findings.map(\.kind) == [.treeFlags])
    }

    @Test func `a cycle ends`() throws {
        var image = try sample()
        let root = image.root(image.record("chunks"))
        image.set(root, image.node(root, 5), UInt32(root))
        #expect(try check(image).findings.map(\.kind) == [.pageUsedTwice])
    }

    @Test func `a file of many pages that nobody accounts for has a bounded list of findings`() throws {
        var image = try sample()
        let pages = image.bytes.count / 4096
        image.bytes += Array(repeating: 0, count: 5_000 * 4096)
        image.set(image.meta, 136, UInt64(pages + 4_999))
        let report = try check(image)
        #expect(report.findings.count == 1_000)
        #expect(report.findings.count + report.omittedFindingCount == 5_000)
        #expect(report.unaccountedPageCount == 5_000)
        #expect(report.isSound)
    }

    @Test func `an enormous last page is not believed`() throws {
        var image = try sample()
        for last in [.max, .max - 1, 1 << 60, 1 << 40] as [UInt64] {
            image.set(image.meta, 136, last)
            #expect(try check(image).findings.contains { $0.kind == .metaLastPage })
        }
    }

    @Test func `a file cut at any page border is found unless only free pages are gone`() throws {
        let whole = try sample()
        let used = Set(
            [whole.freeRecord, whole.mainRecord, whole.record("chunks"), whole.record("names")]
                .flatMap { whole.wholePages($0).joined() })
        for count in 0..<whole.pageCount {
            var image = whole
            image.bytes.removeLast(image.bytes.count - count * 4096)
            let isHurt = count < 2 || used.contains { $0 >= count }
            #expect(try check(image).isSound == !isHurt, "cut after \(count) pages")
            image.bytes += whole.bytes[image.bytes.count..<image.bytes.count + 100]
            #expect(try check(image).isSound == !isHurt, "cut after \(count) pages and a piece")
        }
    }
}
