import CairnStorage
import TestSupport

/// Tables and rows by chance.
struct RandomModel {
    var values: RandomValues
    private(set) var model = Model(tables: [])
    /// The key of the next row of each table.
    private var nextKeys: [UInt64] = []

    /// - Parameter rowCount: how many rows the largest table has.
    init(_ chance: SeededGenerator, rowCount: Int) {
        values = RandomValues(chance: chance)
        let tableCount = values.number(1...3)
        for table in 0..<tableCount { addTable(table, tableCount) }
        addBacklinks()
        for table in 0..<tableCount { addRows(table, values.pick([rowCount, rowCount / 3, 3, 0])) }
        for table in 0..<tableCount { fillLinks(table) }
        for table in 0..<tableCount { deleteSome(table) }
    }

    // MARK: Schema

    private static let scalars: [ValueKind] = [
        .bool, .int, .float, .double, .date, .string, .binary, .objectId, .uuid, .decimal,
    ]

    private mutating func addTable(_ number: Int, _ tableCount: Int) {
        var properties: [ModelProperty] = []
        for (place, kind) in Self.scalars.shuffled(using: &values.chance).prefix(values.number(4...10))
            .enumerated()
        {
            properties.append(
                ModelProperty(
                    name: "\(kind)\(place)", kind: kind, isNullable: values.oneIn(2), index: index(kind)))
        }
        for place in 0..<values.number(1...2) {
            properties.append(
                ModelProperty(
                    name: "link\(place)", kind: .link, target: values.number(0...(tableCount - 1)),
                    index: nil))
        }
        for place in 0..<values.number(0...2) {
            properties.append(
                ModelProperty(
                    name: "links\(place)", kind: .link, isList: true,
                    target: values.number(0...(tableCount - 1))))
        }
        for place in 0..<values.number(0...2) {
            let kind = values.pick(Self.scalars)
            properties.append(
                ModelProperty(
                    name: "\(kind)s\(place)", kind: kind, isList: true, isNullable: values.oneIn(2)))
        }
        model.tables.append(ModelTable(name: "Table\(number)", properties: properties))
    }

    private mutating func index(_ kind: ValueKind) -> IndexDefinition.Kind? {
        switch values.number(0...2) {
        case 0: nil
        case 1: .hash
        default: kind == .decimal ? nil : .ordered
        }
    }

    private mutating func addBacklinks() {
        for origin in model.tables.indices {
            for (number, property) in model.tables[origin].properties.enumerated() where property.isLink {
                guard let target = property.target else { continue }
                model.tables[target].properties.append(
                    ModelProperty(
                        name: TestNames.backlinks(model.tables[origin].name, property.name), kind: .link,
                        target: origin, origin: number))
            }
        }
    }

    // MARK: Rows

    private mutating func addRows(_ table: Int, _ count: Int) {
        for key in 0..<UInt64(count) {
            let cells = model.tables[table].properties.map { emptyOrValue($0) }
            model.tables[table].rows.append(ModelRow(key: key, cells: cells))
        }
    }

    private mutating func emptyOrValue(_ property: ModelProperty) -> ModelRow.Cell {
        if property.isBacklinks || (property.isLink && property.isList) { return .list([]) }
        if property.isLink { return .value(.null) }
        guard property.isList else { return .value(value(property)) }
        let count = values.pick([0, 0, 1, 1, 2, 3, 7, values.oneIn(20) ? 400 : 5])
        return .list((0..<count).map { _ in value(property) })
    }

    mutating func value(_ property: ModelProperty) -> ModelValue {
        property.isNullable && values.oneIn(4) ? .null : values.value(property.kind)
    }

    private mutating func fillLinks(_ table: Int) {
        for (number, property) in model.tables[table].properties.enumerated() where property.isLink {
            for place in model.tables[table].rows.indices {
                model.tables[table].rows[place].cells[number] = linkCell(property)
            }
        }
    }

    mutating func linkCell(_ property: ModelProperty) -> ModelRow.Cell {
        guard property.isList else { return .value(values.oneIn(4) ? .null : link(property)) }
        let count = values.pick([0, 0, 1, 2, 3, values.oneIn(30) ? 300 : 6])
        return .list((0..<count).map { _ in link(property) }.filter { $0 != .null })
    }

    /// Often to one of a few rows, so that some have many links.
    private mutating func link(_ property: ModelProperty) -> ModelValue {
        guard let target = property.target, !model.tables[target].rows.isEmpty else { return .null }
        let rows = model.tables[target].rows
        return .object(rows[min(values.number(0...(rows.count - 1)), values.number(0...100))].key)
    }

    private mutating func deleteSome(_ table: Int) {
        let rows = model.tables[table].rows
        guard !rows.isEmpty, values.oneIn(2) else { return }
        for row in rows where values.oneIn(rows.count > 100 ? 25 : 6) { model.delete(table, row.key) }
    }

    // MARK: Changes

    /// Changes some cells and deletes some rows, in the model and in the sessions of as many stores.
    ///
    /// - Parameter isKept: false for changes that will be undone, which the model does not see.
    mutating func change(_ count: Int, in sessions: [Session], isKept: Bool) throws {
        for _ in 0..<count {
            let table = values.number(0...(model.tables.count - 1))
            guard let row = model.tables[table].rows.randomElement(using: &values.chance) else { continue }
            if isKept, values.oneIn(8) {
                model.delete(table, row.key)
                for session in sessions {
                    let stored = try session.table(try session.space(model.tables[table].name))
                    try session.delete(RowKey(row.key), from: stored)
                }
                continue
            }
            let number = values.number(0...(model.tables[table].properties.count - 1))
            let property = model.tables[table].properties[number]
            guard !property.isBacklinks else { continue }
            let cell = property.isLink ? linkCell(property) : emptyOrValue(property)
            for session in sessions {
                try model.store(cell, model.tables[table], row.key, number, in: session)
            }
            if isKept { model.set(table, row.key, number, cell) }
        }
    }
}
