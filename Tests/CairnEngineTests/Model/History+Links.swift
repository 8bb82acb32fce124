import CairnStorage

/// Steps that change links and lists.
extension History {
    func setLink() throws {
        guard
            let space = anyTable(
                withRows: true, where: { $0.columns.contains { $0.kind == .link && !$0.isList } }),
            let row = anyRow(space), let column = anyColumn(space, where: { $0.kind == .link && !$0.isList }),
            let targets = column.target
        else { return }
        let target = chance.isOne(in: 6) ? nil : anyTarget(targets)
        note("link \(model[space].name) \(row).\(column.name) to \(target as Any)")
        let table = try session.table(space)
        try table.setLink(row, try position(column, table), target)
        model[space].set(row, column, .link(target))
    }

    // MARK: Lists of links

    func editLinks() throws {
        guard let place = anyList(where: { $0.kind == .link }) else { return }
        for _ in 0..<chance.number(1..<7) { try editLinks(place) }
    }

    private func editLinks(_ place: ListChoice) throws {
        let (space, row, column) = (place.space, place.row, place.column)
        guard let targets = column.target else { return }
        let table = try session.table(space)
        let before = model[space].cell(row, column).targets
        let edit = listEdit(count: before.count)
        let new = (0..<edit.addedCount).compactMap { _ in anyTarget(targets) }
        note(
            "replace \(edit.range) of \(before.count) in \(model[space].name) \(row).\(column.name) by \(new)"
        )
        let position = try position(column, table)
        if edit.range.lowerBound == before.count, chance.isOne(in: 2) {
            try table.appendLinks(row, position, new)
        } else {
            try table.replaceLinks(row, position, edit.range, with: new)
        }
        var after = before
        after.replaceSubrange(edit.range, with: new)
        model[space].set(row, column, .links(after))
        if chance.isOne(in: 6), after.count > 1 { try move(row, column, after, table) }
    }

    struct ListChoice {
        let space: SpaceID
        let row: RowKey
        let column: ModelColumn
    }

    /// A list by chance: of few rows and few columns mostly, so that some become long.
    private func anyList(where fits: @escaping (ModelColumn) -> Bool) -> ListChoice? {
        guard let space = anyTable(withRows: true, where: { $0.columns.contains { $0.isList && fits($0) } }),
            let row = chance.isOne(in: 4) ? anyRow(space) : anyTarget(space)
        else { return nil }
        let columns = model[space].columns.filter { $0.isList && fits($0) }
        let column = chance.isOne(in: 3) ? columns.randomElement(using: &chance.chance) : favourite(columns)
        return column.map { ListChoice(space: space, row: row, column: $0) }
    }

    /// One of three columns, which differ from seed to seed.
    private func favourite(_ columns: [ModelColumn]) -> ModelColumn? {
        guard !columns.isEmpty else { return nil }
        return columns[(Int(seed % 64) + chance.number(0..<3)) % columns.count]
    }

    /// Moves an element: takes it out and puts it in elsewhere.
    private func move(_ row: RowKey, _ column: ModelColumn, _ before: [RowKey], _ table: SessionTable) throws
    {
        let space = table.definition.space
        let position = try position(column, table)
        let from = chance.number(0..<before.count)
        let to = chance.number(0..<before.count)
        note("move \(from) to \(to)")
        var after = before
        let target = after.remove(at: from)
        after.insert(target, at: to)
        try table.replaceLinks(row, position, from..<(from + 1), with: [])
        try table.replaceLinks(row, position, to..<to, with: [target])
        model[space].set(row, column, .links(after))
    }

    // MARK: Lists of values

    func editList() throws {
        guard let place = anyList(where: { $0.kind != .link }) else { return }
        for _ in 0..<chance.number(1..<7) { try editList(place) }
    }

    private func editList(_ place: ListChoice) throws {
        let (space, row, column) = (place.space, place.row, place.column)
        let table = try session.table(space)
        let before = model[space].cell(row, column).elements
        let edit = listEdit(count: before.count)
        let new = (0..<edit.addedCount).map { _ in chance.value(of: column) }
        note(
            "replace \(edit.range) of \(before.count) in \(model[space].name) \(row).\(column.name) "
                + "by \(new.map { $0.map { "\($0.count) bytes" } ?? "nil" })")
        try replace(row, try position(column, table), edit.range, new, table)
        var after = before
        after.replaceSubrange(edit.range, with: new)
        model[space].set(row, column, .list(after))
    }

    private func replace(
        _ row: RowKey, _ position: Int, _ range: Range<Int>, _ elements: [[UInt8]?], _ table: SessionTable
    ) throws {
        let bytes: [UInt8] = elements.flatMap { element -> [UInt8] in element ?? [] } + [0]
        try bytes.withUnsafeBytes { memory in
            var offset = 0
            let buffers = elements.map { element -> UnsafeRawBufferPointer? in
                guard let element else { return nil }
                defer { offset += element.count }
                return UnsafeRawBufferPointer(rebasing: memory[offset..<(offset + element.count)])
            }
            try table.replaceElements(row, position, range, with: buffers)
        }
    }

    private struct ListEdit {
        let range: Range<Int>
        let addedCount: Int
    }

    /// Appends, inserts, replaces, removes or clears; lists of up to a hundred elements or so.
    private func listEdit(count: Int) -> ListEdit {
        let place = chance.number(0..<(count + 1))
        let end = min(count, place + chance.number(0..<5))
        return switch chance.number(0..<40) {
        case 0: ListEdit(range: 0..<count, addedCount: chance.number(0..<3))
        case 1: ListEdit(range: place..<count, addedCount: 0)
        case 2...8: ListEdit(range: place..<end, addedCount: 0)
        case 9...12: ListEdit(range: place..<end, addedCount: end - place)
        case 13...20: ListEdit(range: place..<place, addedCount: chance.number(0..<5))
        case 21, 22: ListEdit(range: place..<min(count, place + 30), addedCount: chance.number(0..<4))
        case 23...25 where count < 150: ListEdit(range: count..<count, addedCount: chance.number(10..<50))
        default: ListEdit(range: count..<count, addedCount: chance.number(1..<6))
        }
    }
}
