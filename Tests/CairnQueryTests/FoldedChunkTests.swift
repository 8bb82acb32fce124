import CairnPredicate
import CairnQuery
import CairnStorage
import Testing

/// Folded copies of texts are kept from query to query, and must not outlive what they are copies of.
@Suite struct FoldedChunkTests {
    private func makeStore() throws -> QueryStore {
        let store = try QueryStore()
        try store.change { session in
            let rows = ["é", "Ж", "a"].enumerated().map {
                ModelRow(key: UInt64($0.offset), cells: [.value(.text($0.element))])
            }
            let model = Model(tables: [
                ModelTable(name: "T", properties: [ModelProperty(name: "a", kind: .string)], rows: rows)
            ])
            try model.makeTables(in: session, isIndexed: false)
            try model.insertRows(in: session)
        }
        return store
    }

    private func rows(_ session: Session, _ folded: FoldedChunks, _ letter: String) throws -> [UInt64] {
        let bound = try session.bind("a ==[c] %@", [.string(letter)], to: "T")
        let query = QueryDescription(try session.space("T"), condition: bound)
        return try QueryEvaluation(query, QueryContext(session, folded)).rows().map(\.value)
    }

    private func set(_ text: String, in session: Session) throws {
        try session.table(try session.space("T")).setText(RowKey(0), 0, text)
    }

    @Test func `copies follow the texts through writes, undone writes and versions`() throws {
        let store = try makeStore()
        let folded = FoldedChunks()
        try store.read { session in
            let before = try rows(session, folded, "É")
            #expect(before == [0])
            try store.store.write(session) {
                try set("ж", in: session)
                let inside = try rows(session, folded, "É")
                let others = try rows(session, folded, "Ж")
                #expect(inside == [] && others == [0, 1])
                try session.pushLayer()
                try set("ö", in: session)
                let upper = try rows(session, folded, "Ö")
                #expect(upper == [0])
                try session.popLayer()
                let undone = try rows(session, folded, "Ö")
                #expect(undone == [])
            }
            let after = try rows(session, folded, "Ж")
            #expect(after == [0, 1])
            try store.store.beginWrite(session)
            try set("É", in: session)
            let inside = try rows(session, folded, "é")
            #expect(inside == [0])
            store.store.cancel(session)
            let cancelled = try rows(session, folded, "é")
            #expect(cancelled == [])
            // The next write has the number of the one that was undone.
            try store.store.write(session) { try set("ü", in: session) }
            let last = try rows(session, folded, "Ü")
            let gone = try rows(session, folded, "Ж")
            #expect(last == [0] && gone == [1])
        }
    }

    @Test func `[c], [d] and [cd] have copies of their own`() throws {
        let store = try makeStore()
        let folded = FoldedChunks()
        try store.read { session in
            for _ in 0..<2 {
                for (text, wanted) in [
                    ("a ==[c] 'É'", [0]), ("a ==[d] 'É'", []), ("a ==[d] 'e'", [0]), ("a ==[cd] 'E'", [0]),
                    ("a == 'É'", []), ("a ==[c] 'E'", []),
                ] as [(String, [UInt64])] {
                    let query = QueryDescription(
                        try session.space("T"), condition: try session.bind(text, to: "T"))
                    let found = try QueryEvaluation(query, QueryContext(session, folded)).rows()
                    #expect(found.map(\.value) == wanted, "\(text)")
                }
            }
        }
    }
}
