import CairnStorage
import TestSupport

/// Compares what a session shows, through every function that reads, with a model.
struct ModelComparison {
    let session: Session
    let model: Model
    /// What of the dearer checks is made is chosen with it.
    var chance: SeededGenerator

    init(_ session: Session, _ model: Model, seed: UInt64) {
        self.session = session
        self.model = model
        chance = SeededGenerator(seed: seed)
    }

    mutating func run() throws {
        try require(session.schemaVersion == model.schemaVersion, "another schema version")
        try require(
            session.schema.tables.map(\.space) == model.spaces,
            "the schema has \(session.schema.tables.map(\.name)), wanted \(model.spaces.map { model[$0].name })"
        )
        for space in model.spaces {
            do {
                try compare(try session.table(space), model[space])
            } catch let failure as ModelFailure {
                throw ModelFailure("\(model[space].name): \(failure)")
            }
        }
        try session.throwDamage()
    }

    private mutating func compare(_ table: SessionTable, _ wanted: ModelTable) throws {
        try compareDefinition(table.definition, wanted)
        // Before anything else has had a reason to read a chunk.
        if Bool.random(using: &chance) { try compareIndexes(table, wanted) }
        try compareRows(table, wanted)
        for column in wanted.columns {
            guard let position = table.definition.position(of: column.id) else { continue }
            for row in wanted.keys { try compareCell(table, row, position, column, wanted) }
            try compareScans(table, position, column, wanted)
        }
        try compareBacklinks(table, wanted)
        try compareIndexes(table, wanted)
    }

    private func compareDefinition(_ found: TableDefinition, _ wanted: ModelTable) throws {
        let columns = found.columns.filter { !$0.isHidden }.map { ModelColumn($0) }
        try require(
            columns == wanted.columns, "columns \(columns.map(\.name)), wanted \(wanted.columns.map(\.name))")
        try require(found.indexes == wanted.indexes, "indexes \(found.indexes), wanted \(wanted.indexes)")
        try require(found.isEmbedded == wanted.isEmbedded && found.name == wanted.name, "another table")
        let mirrors = Set(found.columns.filter(\.isHidden).map(\.id))
        let links = Set(model.links(to: found.space).compactMap(\.column.mirror))
        try require(mirrors == links, "hidden columns \(mirrors), wanted \(links)")
    }

    private mutating func compareRows(_ table: SessionTable, _ wanted: ModelTable) throws {
        try require(
            table.rowCount == wanted.keys.count, "counts \(table.rowCount) rows, wanted \(wanted.keys.count)")
        var rows: [RowKey] = []
        table.forEachRow { rows.append($0) }
        try require(rows == wanted.keys, "rows \(difference(rows, wanted.keys))")
        var blocks: [RowKey] = []
        table.forEachBlock { block, directory in
            for slot in 0..<Block.slotCount where directory.isLive(slot) {
                blocks.append(RowKey(block: block, slot: slot))
            }
        }
        try require(blocks == wanted.keys, "rows by block \(difference(blocks, wanted.keys))")
        for number in wanted.nextKey.value..<(wanted.nextKey.value + 3) {
            try require(!table.contains(RowKey(number)), "contains \(number), which was never handed out")
        }
        for _ in 0..<20 where wanted.nextKey.value > 0 {
            let row = RowKey(UInt64.random(in: 0..<wanted.nextKey.value, using: &chance))
            try require(table.contains(row) == (wanted.rows[row] != nil), "contains(\(row)) is wrong")
        }
    }

    private func difference(_ found: [RowKey], _ wanted: [RowKey]) -> String {
        "too many: \(Set(found).subtracting(wanted)), missing: \(Set(wanted).subtracting(found))"
    }

    private mutating func compareCell(
        _ table: SessionTable, _ row: RowKey, _ position: Int, _ column: ModelColumn, _ model: ModelTable
    ) throws {
        let wanted = model.cell(row, column)
        let found = try table.cell(row, position)
        try require(found == wanted, "\(row).\(column.name) is \(shown(found)), wanted \(shown(wanted))")
        if column.isList { try compareParts(table, row, position, column, wanted) }
        if column.kind == .string, case .value(let bytes?) = wanted {
            try require(
                table.string(row, position) == String(decoding: bytes, as: UTF8.self),
                "\(row): a string differs")
        }
    }

    /// Reads a part of a list, and single elements.
    private mutating func compareParts(
        _ table: SessionTable, _ row: RowKey, _ position: Int, _ column: ModelColumn, _ wanted: Cell
    ) throws {
        let elements = column.kind == .link ? wanted.targets.map { $0.value.storedBytes } : wanted.elements
        guard !elements.isEmpty, Int.random(in: 0..<4, using: &chance) == 0 else { return }
        let index = Int.random(in: elements.indices, using: &chance)
        let end = Int.random(in: index...elements.count, using: &chance)
        let part = try table.listElements(row, position, in: index..<end)
        try require(
            part == Array(elements[index..<end]), "\(row).\(column.name): elements \(index)..<\(end) differ")
        try require(
            try table.listElement(row, position, at: index) == elements[index], "\(row): an element differs")
        guard column.kind == .link else { return }
        try require(
            try table.listLink(row, position, at: index) == wanted.targets[index],
            "\(row): a link of a list differs")
        var visited: [RowKey] = []
        try table.forEachLink(row, position) { target throws(StorageError) in visited.append(target) }
        try require(visited == wanted.targets, "\(row).\(column.name): links one by one differ")
        if let plain = table.plainListElements(row, position, width: 8) {
            try require(Array(plain) == elements.flatMap { $0 ?? [] }, "\(row): plain elements differ")
        }
    }

    /// What is computed over a whole column.
    private func compareScans(
        _ table: SessionTable, _ position: Int, _ column: ModelColumn, _ model: ModelTable
    ) throws {
        guard !column.isList else { return }
        let values = model.keys.compactMap { model.cell($0, column).valueBytes }
        switch column.kind {
        case .bool:
            let wanted = values.count { $0[0] != 0 }
            try require(
                table.countTrue(position) == wanted,
                "\(column.name): \(table.countTrue(position)) are true, wanted \(wanted)")
        case .double, .date:
            let wanted = values.reduce(0.0) { $0 + Double(bitPattern: UInt64($1)) }
            let found = table.sum(position)
            let isEqual =
                found.double.isNaN
                ? wanted.isNaN : found.double == wanted || abs(found.double - wanted) < 1e-6
            try require(
                isEqual && found.count == values.count,
                "\(column.name): the sum is \(found), wanted \(wanted)")
        default: break
        }
    }

    private mutating func compareBacklinks(_ table: SessionTable, _ wanted: ModelTable) throws {
        for (origin, column) in model.links(to: wanted.space) {
            guard let mirror = column.mirror, let position = table.definition.position(of: mirror) else {
                throw ModelFailure("the link \(column.name) has no mirror")
            }
            let backlinks = model.backlinks(from: origin, column)
            for row in wanted.keys {
                let origins = backlinks[row] ?? []
                try require(
                    table.backlinkCount(row, position) == origins.count,
                    "\(row) has \(table.backlinkCount(row, position)) links by \(column.name), wanted \(origins.count)"
                )
                let found = table.backlinks(row, position)
                try require(
                    found == origins, "\(row) is linked to by \(found), wanted \(origins) (\(column.name))")
                try require(table.firstBacklink(row, position) == origins.first, "\(row): another first link")
            }
        }
    }

    private mutating func compareIndexes(_ table: SessionTable, _ wanted: ModelTable) throws {
        for (place, index) in wanted.indexes.enumerated() {
            do {
                var comparison = IndexComparison(
                    table: table, model: wanted, place: place, index: index, chance: chance)
                try comparison.run()
                chance = comparison.chance
            } catch let failure as ModelFailure {
                let names = index.columns.map { wanted.column($0).name }
                throw ModelFailure("\(index.kind) index on \(names): \(failure)")
            }
        }
    }

    private func shown(_ cell: Cell) -> String {
        let text = "\(cell)"
        return text.count > 300 ? "\(text.prefix(300))… (hash \(cell.hashValue))" : text
    }
}
