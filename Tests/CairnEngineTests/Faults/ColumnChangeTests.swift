import CairnStorage
import Foundation
import Testing

/// Columns that are renamed, made nullable and made required, and chunks that a session decodes for itself.
struct ColumnChangeTests {
    /// Rows whose number packs well, with null in every third; a block and a half of them and no chunk in
    /// the last block.
    private func make(_ fixture: StoreFixture, rowCount: Int = 1_000) throws {
        let session = try fixture.store.makeSession()
        try fixture.store.write(session) {
            let table = try session.createTable("Things")
            let space = table.definition.space
            try session.addColumn(
                Session.NewColumn("number", .int, isNullable: true, defaultValue: .null), to: space)
            try session.addColumn(Session.NewColumn("text", .string), to: space)
            for number in 0..<rowCount {
                let row = try table.insert()
                if number % 3 != 0, number < 896 { try table.set(row, 0, Int64(number % 4)) }
            }
        }
    }

    private func numbers(_ table: SessionTable) -> [Int64?] {
        var found: [Int64?] = []
        table.forEachRow { found.append(table.isNull($0, 0) ? nil : table.value($0, 0, as: Int64.self)) }
        return found
    }

    private func expected(_ number: Int) -> Int64? {
        number % 3 != 0 && number < 896 ? Int64(number % 4) : nil
    }

    @Test(arguments: [false, true])
    func `a column that is made required and nullable again`(isIndexed: Bool) throws {
        try StoreFixture.run(.standard) { fixture in
            try make(fixture)
            let session = try fixture.store.makeSession()
            try fixture.store.write(session) {
                let table = try #require(try session.table(named: "Things"))
                let space = table.definition.space
                let id = table.definition.columns[0].id
                if isIndexed { try session.addIndex(.ordered, on: [id], of: space) }
                let count = try session.makeRequired(
                    id, of: space, replacingNullBy: { withUnsafeBytes(of: Int64(77)) { Array($0) } })
                #expect(count == (0..<1_000).filter { expected($0) == nil }.count)
                #expect(numbers(table) == (0..<1_000).map { expected($0) ?? 77 })
                let row = try table.insert()
                #expect(table.value(row, 0, as: Int64.self) == 0)
                try session.delete(row, from: table)
                if isIndexed {
                    let value: Int64 = 77
                    let found = try withUnsafeBytes(of: value) { try table.rows(ordered: 0, .equal($0)) }
                    #expect(found.count == count)
                }
            }
            try fixture.store.write(session) {
                let table = try #require(try session.table(named: "Things"))
                #expect(numbers(table) == (0..<1_000).map { expected($0) ?? 77 })
                try session.makeNullable(table.definition.columns[0].id, of: table.definition.space)
                #expect(numbers(table) == (0..<1_000).map { expected($0) ?? 77 })
                try table.setNull(RowKey(0), 0)
            }
            let table = try #require(try session.table(named: "Things"))
            #expect(numbers(table) == [nil] + (1..<1_000).map { expected($0) ?? 77 })
        }
    }

    @Test func `a column keeps its values under another name`() throws {
        try StoreFixture.run(.standard) { fixture in
            try make(fixture)
            let session = try fixture.store.makeSession()
            try fixture.store.write(session) {
                let table = try #require(try session.table(named: "Things"))
                try session.renameColumn(
                    table.definition.columns[0].id, to: "renamed", in: table.definition.space)
                #expect(table.definition.position(named: "renamed") == 0)
            }
            let other = try fixture.store.makeSession()
            let table = try #require(try other.table(named: "Things"))
            #expect(table.definition.position(named: "number") == nil)
            #expect(numbers(table) == (0..<1_000).map(expected))
        }
    }

    @Test func `an undone layer takes changes of columns back`() throws {
        try StoreFixture.run(.standard) { fixture in
            try make(fixture)
            let session = try fixture.store.makeSession()
            try fixture.store.write(session) {
                let table = try #require(try session.table(named: "Things"))
                let id = table.definition.columns[0].id
                try session.pushLayer()
                _ = try session.makeRequired(
                    id, of: table.definition.space, replacingNullBy: { Array(repeating: 1, count: 8) })
                try session.renameColumn(id, to: "renamed", in: table.definition.space)
                try session.popLayer()
                #expect(
                    table.definition.columns[0].name == "number" && table.definition.columns[0].isNullable)
                #expect(numbers(table) == (0..<1_000).map(expected))
            }
        }
    }

    @Test func `a session that decodes for itself keeps no more than its limit`() throws {
        try StoreFixture.run(.standard) { fixture in
            try make(fixture, rowCount: 448 * 40)
            let session = try fixture.store.makeSession()
            session.decodeSeparately(byteLimit: 20_000)
            let table = try #require(try session.table(named: "Things"))
            var largest = 0
            for _ in 0..<2 {
                var index = 0
                table.forEachRow { row in
                    #expect(table.isNull(row, 0) == (expected(index) == nil))
                    index += 1
                    largest = max(largest, session.separatelyDecodedByteCount)
                }
            }
            #expect(largest > 4_000 && largest < 30_000)
            // In a write, with chunks of its own among them.
            try fixture.store.beginWrite(session)
            session.decodeSeparately(byteLimit: 20_000)
            try table.forEachRow { row in try table.set(row, 0, Int64(5)) }
            #expect(session.separatelyDecodedByteCount < 30_000)
            #expect(numbers(table).allSatisfy { $0 == 5 })
            try fixture.store.commit(session)
            #expect(numbers(table).allSatisfy { $0 == 5 })
        }
    }
}
