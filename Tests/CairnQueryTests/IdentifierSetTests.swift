import CairnPredicate
import CairnQuery
import CairnStorage
import Testing

/// IN with so many identifiers that the rows are scanned with a set.
@Suite struct IdentifierSetTests {
    private static let rowCount = 3_000

    /// The n-th identifier; that of 0 is all zeros.
    private func literal(_ number: Int, _ kind: ValueKind) -> Literal {
        kind == .objectId
            ? .objectID(high: UInt64(number / 7), low: UInt32(number))
            : .uuid(high: UInt64(number / 7), low: UInt64(number))
    }

    private func bytes(_ number: Int, _ kind: ValueKind) -> [UInt8] {
        let high = withUnsafeBytes(of: UInt64(number / 7).bigEndian) { Array($0) }
        return kind == .objectId
            ? high + withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
            : high + withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
    }

    @Test(arguments: [ValueKind.objectId, .uuid], [false, true])
    func `IN of many identifiers takes those that are members`(_ kind: ValueKind, _ isHashed: Bool) throws {
        let store = try QueryStore()
        var table: SpaceID?
        try store.change { session in
            let space = try session.createTable("Thing").definition.space
            let position = try session.addColumn(Session.NewColumn("id", kind), to: space)
            let rows = try session.table(space)
            if isHashed { try session.addIndex(.hash, on: [rows.definition.columns[position].id], of: space) }
            for number in 0..<Self.rowCount {
                let row = try rows.insert()
                try bytes(number, kind).withUnsafeBytes { try rows.setBytes(row, position, $0) }
            }
            table = space
        }
        let space = try #require(table)
        try store.read { session in
            func rows(isIn numbers: some Sequence<Int>) throws -> [UInt64] {
                let members = numbers.map { literal($0, kind) }
                let condition = Condition.comparison(
                    Comparison(.path(PropertyPath([.property("id")])), .isIn, .literal(.array(members))))
                let bound = try ConditionBinder(session.schema, CatalogueNames(session.schema))
                    .bind(condition, to: space)
                return try QueryEvaluation(
                    QueryDescription(space, condition: bound), QueryContext(session, FoldedChunks())
                ).rows().map(\.value)
            }
            // Every third, zero among them, and as many that no row has.
            let wanted = stride(from: 0, to: 2 * Self.rowCount, by: 3)
            let thirds = try rows(isIn: wanted)
            #expect(thirds == stride(from: 0, to: UInt64(Self.rowCount), by: 3).map { $0 })
            let others = try rows(isIn: stride(from: 1, to: Self.rowCount, by: 3))
            #expect(others.count == Self.rowCount / 3)
            let last = try rows(isIn: [Self.rowCount - 1])
            #expect(last == [UInt64(Self.rowCount - 1)])
            let none = try rows(isIn: [Self.rowCount])
            #expect(none.isEmpty)
        }
    }
}
