import CairnPredicate
import CairnQuery
import CairnStorage
import Foundation
import TestSupport
import Testing

/// Files whose bytes were changed: a query answers or throws, and never traps.
@Suite struct DamageTests {
    private static let marker = "a text to be found in the file"

    /// Plain chunks, so that values stand in the file as they are.
    private func makeStore(verifyChecksums: Bool) throws -> QueryStore {
        var limits = EngineLimits()
        limits.packsChunks = false
        let store = try QueryStore(limits: limits, verifyChecksums: verifyChecksums)
        try store.change { session in
            let properties = [
                ModelProperty(name: "name", kind: .string), ModelProperty(name: "age", kind: .int),
                ModelProperty(name: "link", kind: .link, target: 0),
                ModelProperty(name: "list", kind: .link, isList: true, target: 0),
                ModelProperty(name: "numbers", kind: .double, isList: true, isNullable: true),
            ]
            let rows = (0..<UInt64(600)).map { row in
                ModelRow(
                    key: row,
                    cells: [
                        .value(.text(row == 7 ? Self.marker : "name \(row) of some length")),
                        .value(.int(Int64(row))), .value(.object((row + 1) % 600)),
                        .list((0..<(row % 5)).map { .object($0 * 100) }),
                        .list([.double(Double(row)), .null]),
                    ])
            }
            let model = Model(tables: [ModelTable(name: "T", properties: properties, rows: rows)])
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        store.close()
        return store
    }

    private func change(_ store: QueryStore, _ body: (inout Data) -> Void) throws {
        let url = URL(fileURLWithPath: store.path)
        var data = try Data(contentsOf: url)
        body(&data)
        // Into the same file: who has it open by its number must see it.
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: data)
        try file.close()
    }

    /// What a body throws; nil where it throws nothing.
    private static func code(_ body: () throws -> Void) -> StorageError.Code? {
        do { try body() } catch { return (error as? StorageError)?.code }
        return nil
    }

    /// A scan noted the damage, and gave the rows that the defaults fit.
    @Test func `a damaged column gave the answer that its defaults would`() throws {
        let store = try makeStore(verifyChecksums: true)
        try change(store) { data in
            var start = data.startIndex
            while let place = data.range(of: Data(Self.marker.utf8), in: start..<data.endIndex) {
                data[place.lowerBound + 3] ^= 0x20
                start = place.upperBound
            }
        }
        try store.open()
        for text in [
            "name == 'x'", "name == ''", "name BEGINSWITH[c] 'NAME'", "link.name == 'x'",
            "ANY list.name == ''",
        ] {
            try store.read { session in
                let space = try session.space("T")
                let query = QueryDescription(space, condition: try session.bind(text, to: "T"))
                var codes: [StorageError.Code?] = []
                codes.append(Self.code { _ = try session.evaluation(query).rows() })
                codes.append(Self.code { _ = try session.evaluation(query).count() })
                #expect(codes == [.damaged, .damaged], "\(text)")
            }
        }
        try store.read { session in
            let key = SortKey(try session.path("name", of: "T"))
            let sorted = QueryDescription(try session.space("T"), steps: [.sort([key])])
            let code = Self.code { _ = try session.evaluation(sorted).rows() }
            #expect(code == .damaged)
            let others = try session.rows("age < 3", of: "T")
            #expect(others == [0, 1, 2])
        }
    }

    /// Without checksums the byte is taken as it is.
    @Test func `a text that is no UTF-8 is a text that fits nothing in particular`() throws {
        let store = try makeStore(verifyChecksums: false)
        try change(store) { data in
            var start = data.startIndex
            while let place = data.range(of: Data(Self.marker.utf8), in: start..<data.endIndex) {
                data[place.lowerBound + 3] = 0xFF
                start = place.upperBound
            }
        }
        try store.open()
        try store.read { session in
            for (text, count) in [
                ("name ENDSWITH 'be found in the file'", 1), ("name ENDSWITH[c] 'BE FOUND IN THE FILE'", 1),
                ("name LIKE 'a text*'", 0), ("name LIKE 'a t*to be found*'", 1),
                ("name LIKE[c] 'A T*'", 1),
                ("name LIKE 'a ??xt*'", 1), ("name CONTAINS[cd] 'found'", 1), ("name == 'x'", 0),
            ] {
                let found = try session.rows(text, of: "T")
                #expect(found.count == count, "\(text)")
            }
            let key = SortKey(try session.path("name", of: "T"), collation: .localized)
            let sorted = try session.rows(QueryDescription(try session.space("T"), steps: [.sort([key])]))
            #expect(sorted.count == 600)
        }
    }

    /// Numbers by chance among the links and lists, without checksums: rows that are not there, and never were.
    @Test func `links that lead nowhere make queries throw or answer`() throws {
        var chance = SeededGenerator()
        let store = try makeStore(verifyChecksums: false)
        let sound = try Data(contentsOf: URL(fileURLWithPath: store.path))
        // Where links lie side by side: those of a column, those of lists, and the ages.
        let places = [[2, 3, 4, 5], [0, 100, 200, 300], [3, 4, 5, 6]].flatMap { (words: [UInt64]) -> [Int] in
            let pattern = words.reduce(into: Data()) { data, word in
                withUnsafeBytes(of: word) { data.append(contentsOf: $0) }
            }
            return sound.range(of: pattern).map { [$0.lowerBound] } ?? []
        }
        #expect(places.count == 3)
        var answers = 0
        for _ in 0..<(CommandLine.isLong ? 200 : 8) {
            try change(store) { data in
                data = sound
                for _ in 0..<Int.random(in: 1...20, using: &chance) {
                    let start =
                        places[Int.random(in: places.indices, using: &chance)] + 8
                        * Int.random(in: 0..<60, using: &chance)
                    let word = chance.next() >> UInt64.random(in: 0...63, using: &chance)
                    withUnsafeBytes(of: word) { data.replaceSubrange(start..<(start + 8), with: $0) }
                }
            }
            do {
                try store.open()
                defer { store.close() }
                answers += try store.read { Self.ask($0) }
            } catch is StorageError {
                continue
            }
        }
        #expect(answers > 0, "\(chance.reproduction)")
    }

    private static let texts = [
        "name == 'name 5 of some length'", "name CONTAINS[c] 'OF'", "age > 300", "link.age == 3",
        "link.link.name BEGINSWITH 'name'", "ANY list.age == 100", "ALL list.link.age > 3",
        "list.@sum.age > 300",
        "numbers.@max > 3", "ANY numbers == nil", "link.age == age", "linksFromT_list.@count > 3",
        "ANY linksFromT_list.linksFromT_link.age > 3", "SUBQUERY(list, $x, $x.age > 3).@count == 2",
        "link.list.@avg.age == link.link.age", "link == SELF",
    ]

    /// - Returns: how many queries have answered.
    private static func ask(_ session: Session) -> Int {
        var answers = 0
        for text in texts {
            do {
                _ = try session.rows(text, of: "T")
                answers += 1
            } catch {}
        }
        for name in ["name", "link.name", "link.link.age"] {
            do {
                let path = try session.path(name, of: "T")
                let query = QueryDescription(try session.space("T"))
                _ = try session.rows(
                    query.adding(.sort([SortKey(path)])).adding(.limit(offset: 3, count: 10)))
                _ = try session.rows(query.adding(.distinct([path])))
                answers += 1
            } catch {}
        }
        return answers
    }
}
