internal import CairnStorage

/// Finds the rows that may fit a condition by indexes, and by following links backwards from rows that an
/// index has found, as long as they are so few that this is cheaper than a scan.
struct IndexSearch {
    let context: QueryContext

    /// What an index has found.
    struct Candidates {
        /// Rising, each once.
        var rows: [RowKey]
        /// What is still to be asked of them; nil where they all fit.
        var remaining: BoundCondition?
        /// How they were found, for `explain`.
        var text: () -> String
    }

    /// - Parameter limit: the most rows that are worth having; for more there is nil.
    func candidates(
        _ condition: BoundCondition, _ table: SessionTable, limit: Int
    ) throws(StorageError) -> Candidates? {
        switch condition {
        case .rows(let rows):
            let live = rows.filter { table.contains($0) }
            return live.count > limit ? nil : Candidates(rows: live, text: { "by \(live.count) known rows" })
        case .value(let column, let bound):
            return try candidates(column, bound, table, limit)
        case .and(let parts): return try intersection(parts, table, limit)
        case .or(let parts): return try union(parts, condition, table, limit)
        case .link(let column, let target, let inner, let whenNil):
            guard !whenNil else { return nil }
            let position = try context.position(of: column, in: table)
            return try inverse(position, target, inner, condition, table, limit)
        case .anyElement(let elements, let inner):
            guard let target = elements.target else { return nil }
            let position = try context.position(of: elements.column, in: table)
            return try inverse(position, target, inner, condition, table, limit)
        case .constant(false): return Candidates(rows: [], text: { "nowhere: nothing fits" })
        case .constant, .not, .anyValue, .count, .aggregate, .comparison: return nil
        }
    }

    // MARK: Columns

    private func candidates(
        _ column: ColumnID, _ bound: BoundTest, _ table: SessionTable, _ limit: Int
    ) throws(StorageError) -> Candidates? {
        let test = bound.test
        guard !test.isNegated else { return nil }
        for (place, index) in table.definition.indexes.enumerated() where index.columns == [column] {
            let position = try context.position(of: column, in: table)
            let kind = table.definition.columns[position].kind
            let found: [RowKey]?
            switch index.kind {
            case .hash: found = try hashed(test, kind, place, table, limit, isUnique: index.isUnique)
            case .ordered: found = try ordered(test, kind, place, table, limit)
            }
            guard let found else { continue }
            return Candidates(
                rows: found,
                text: {
                    let name = table.definition.columns[position].name
                    return "by the index of \(table.definition.name).\(name): \(name) \(bound.text)"
                })
        }
        return nil
    }

    private func hashed(
        _ test: ValueTest, _ kind: ValueKind, _ index: Int, _ table: SessionTable, _ limit: Int,
        isUnique: Bool
    ) throws(StorageError) -> [RowKey]? {
        guard var keys = IndexKeys.keys(test.kind, kind),
            keys.count <= max(64, table.rowCount / QueryLimits.scanRowsPerLookUp)
        else { return nil }
        if test.acceptsNull { keys.append(IndexKeys.nullKey(kind)) }
        var rows: [RowKey] = []
        for key in keys {
            if isUnique {
                if let row = try Self.withBytes(
                    key,
                    { bytes throws(StorageError) in
                        try table.row(index: index, key: bytes)
                    })
                {
                    rows.append(row)
                }
            } else {
                rows += try Self.withBytes(key) { bytes throws(StorageError) in
                    try table.rows(index: index, key: bytes)
                }
            }
            if rows.count > limit { return nil }
        }
        return Self.unique(rows)
    }

    private func ordered(
        _ test: ValueTest, _ kind: ValueKind, _ index: Int, _ table: SessionTable, _ limit: Int
    ) throws(StorageError) -> [RowKey]? {
        var rows: [RowKey] = []
        if test.acceptsNull { rows = try table.rows(ordered: index, .null, limit: limit + 1) }
        if let range = IndexKeys.range(test.kind, kind) {
            rows += try range.withRange { range throws(StorageError) in
                try table.rows(ordered: index, range, limit: limit + 1)
            }
        } else if let keys = IndexKeys.keys(test.kind, kind) {
            guard keys.count <= max(limit, 64) else { return nil }
            for key in keys where rows.count <= limit {
                rows += try Self.withBytes(key) { bytes throws(StorageError) in
                    guard let bytes else { return [] }
                    return try table.rows(ordered: index, .equal(bytes), limit: limit + 1)
                }
            }
        } else {
            return nil
        }
        return rows.count > limit ? nil : Self.unique(rows)
    }

    private static func withBytes<Result>(
        _ key: [UInt8]?, _ body: (UnsafeRawBufferPointer?) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        guard let key else { return try body(nil) }
        return try key.withUnsafeBytes { bytes in
            Swift.Result { () throws(StorageError) in try body(bytes) }
        }.get()
    }

    private static func unique(_ rows: [RowKey]) -> [RowKey] {
        guard rows.count > 1 else { return rows }
        var sorted = rows.sorted()
        var kept = 1
        for index in 1..<sorted.count where sorted[index] != sorted[kept - 1] {
            sorted[kept] = sorted[index]
            kept += 1
        }
        sorted.removeSubrange(kept...)
        return sorted
    }

    // MARK: Together

    /// The part that finds the fewest rows; the others are asked of these.
    private func intersection(
        _ parts: [BoundCondition], _ table: SessionTable, _ limit: Int
    ) throws(StorageError) -> Candidates? {
        var best: (place: Int, found: Candidates)?
        var limit = limit
        for (place, part) in parts.enumerated() {
            guard let found = try candidates(part, table, limit: limit) else { continue }
            if found.rows.count <= best?.found.rows.count ?? .max {
                best = (place, found)
                // Another part is only worth anything if it finds fewer; a few rows are good enough.
                limit = found.rows.count - 1
                if limit < 16 { break }
            }
        }
        guard let best else { return nil }
        var rest = parts
        rest.remove(at: best.place)
        if let remaining = best.found.remaining { rest.append(remaining) }
        return Candidates(
            rows: best.found.rows, remaining: rest.isEmpty ? nil : .allOf(rest), text: best.found.text)
    }

    private func union(
        _ parts: [BoundCondition], _ whole: BoundCondition, _ table: SessionTable, _ limit: Int
    ) throws(StorageError) -> Candidates? {
        var rows: [RowKey] = []
        var texts: [() -> String] = []
        var isExact = true
        guard parts.count <= 64 else { return nil }
        for part in parts {
            guard let found = try candidates(part, table, limit: limit - rows.count) else { return nil }
            rows += found.rows
            isExact = isExact && found.remaining == nil
            texts.append(found.text)
        }
        return Candidates(
            rows: Self.unique(rows), remaining: isExact ? nil : whole,
            text: { texts.map { $0() }.joined(separator: ", and ") }
        )
    }

    /// The rows that link to rows which fit, or, of linking objects, that these link to.
    private func inverse(
        _ position: Int, _ target: SpaceID, _ inner: BoundCondition, _ whole: BoundCondition,
        _ table: SessionTable, _ limit: Int
    ) throws(StorageError) -> Candidates? {
        let other = try context.session.table(target)
        guard let found = try candidates(inner, other, limit: min(limit, max(64, other.rowCount / 8))) else {
            return nil
        }
        let column = table.definition.columns[position]
        guard let mirror = column.backlinkColumn ?? column.originColumn else { return nil }
        let reader = LinkFollower(other, try context.position(of: mirror, in: other), context)
        var rows: [RowKey] = []
        for row in found.rows {
            reader.forEach(row) { rows.append($0) }
            if rows.count > limit { return nil }
        }
        let way = column.kind == .backlinks ? "forwards" : "backwards"
        return Candidates(
            rows: Self.unique(rows), remaining: found.remaining == nil ? nil : whole,
            text: { "\(found.text()), and from there by links \(way)" })
    }
}

/// Follows a link, a list of links or a hidden column.
private struct LinkFollower {
    private let elements: ElementReader
    private let isToOne: Bool

    init(_ table: SessionTable, _ position: Int, _ context: QueryContext) {
        elements = ElementReader(table, position, context)
        let column = table.definition.columns[position]
        isToOne = column.kind == .link && column.collection == .none
    }

    func forEach(_ row: RowKey, _ body: (RowKey) -> Void) {
        if isToOne {
            if let target = elements.table.link(row, elements.position) { body(target) }
            return
        }
        elements.forEach(row) { element in
            body(element)
            return true
        }
    }
}
