import CairnStorage
import Testing

/// Small cases around the borders of blocks and of the words of their bitmaps, all of them.
@Suite struct BlockBorderTests {
    static let counts = [0, 1, 63, 64, 447, 448, 449, 896]
    private static let kinds = ValueKind.allCases.filter { $0 != .link && $0 != .backlinks }

    private static func configuration(packs: Bool) -> StoreConfiguration {
        var configuration = StoreConfiguration()
        configuration.limits.packsChunks = packs
        return configuration
    }

    /// One table a pattern, all in one file: of each subset of the rows at borders, that subset is deleted, or
    /// all rows but it; and one block or the other.
    private static func patterns(_ count: Int) -> [[RowKey]] {
        let borders = [0, 63, 64, 447, 448, 895].filter { $0 < count && ($0 != 64 || count < 896) }
        let all = (0..<count).map { RowKey(UInt64($0)) }
        var patterns: [[RowKey]] = []
        for subset in 0..<(1 << borders.count) {
            let chosen = Set(
                borders.enumerated().filter { subset >> $0.offset & 1 == 1 }.map {
                    RowKey(UInt64($0.element))
                })
            patterns.append(all.filter { chosen.contains($0) })
            if subset % 2 == 0 || count < 449 { patterns.append(all.filter { !chosen.contains($0) }) }
        }
        if count > 448 {
            patterns.append(all.filter { $0.block == 0 })
            patterns.append(all.filter { $0.block == 1 })
        }
        return patterns
    }

    @Test(arguments: counts, [false, true])
    func `rows at the borders of blocks are deleted in every pattern`(count: Int, packs: Bool) throws {
        let patterns = Self.patterns(count)
        try StoreFixture.run(Self.configuration(packs: packs)) { fixture in
            var tables = patterns.indices.map { index in
                BorderTable(
                    name: "pattern \(index)", kinds: [Self.kinds[index % Self.kinds.count], .string],
                    style: BorderTable.ValueStyle.allCases[index / 3 % 4])
            }
            func change(_ body: (inout BorderTable, Int, Session) throws -> Void) throws {
                try fixture.store.change { session in
                    for index in tables.indices { try body(&tables[index], index, session) }
                    for table in tables where table.rows.count < 100 { try table.compare(session) }
                }
                try fixture.store.read { session in for table in tables { try table.compare(session) } }
            }
            try change { table, _, session in
                try table.make(in: session)
                try table.insert(count, in: session)
            }
            try change { table, index, session in try table.delete(patterns[index], in: session) }
            // The keys of the rows that have gone are not handed out again.
            try change { table, index, session in try table.insert(index % 3, in: session) }
            fixture.close()
            try fixture.open()
            try change { table, _, session in
                if let last = table.rows.last { try table.delete([last], in: session) }
                try table.insert(1, in: session)
            }
        }
    }

    @Test(arguments: BorderTable.ValueStyle.allCases, [false, true])
    func `every kind is read back at every border`(style: BorderTable.ValueStyle, packs: Bool) throws {
        try StoreFixture.run(Self.configuration(packs: packs)) { fixture in
            var tables = Self.counts.map { BorderTable(name: "\($0) rows", kinds: Self.kinds, style: style) }
            try fixture.store.change { session in
                for (index, count) in Self.counts.enumerated() {
                    try tables[index].make(in: session)
                    try tables[index].insert(count, in: session)
                    try tables[index].compare(session)
                }
            }
            fixture.close()
            try fixture.open()
            try fixture.store.read { session in for table in tables { try table.compare(session) } }
        }
    }
}
