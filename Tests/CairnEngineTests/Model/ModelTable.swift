import CairnStorage

/// A table of the model: its rows, and the entries of its hash indexes.
struct ModelTable {
    let space: SpaceID
    let name: String
    let isEmbedded: Bool
    private(set) var columns: [ModelColumn] = []
    private(set) var indexes: [IndexDefinition] = []
    /// What differs from the columns' defaults or was set.
    private(set) var rows: [RowKey: [ColumnID: Cell]] = [:]
    /// The keys of `rows`, rising.
    private(set) var keys: [RowKey] = []
    /// The key that the next row gets.
    var nextKey = RowKey(0)
    private var entries: [SpaceID: [[[UInt8]?]: Set<RowKey>]] = [:]

    init(space: SpaceID, name: String, isEmbedded: Bool) {
        self.space = space
        self.name = name
        self.isEmbedded = isEmbedded
    }

    func column(_ id: ColumnID) -> ModelColumn {
        guard let column = columns.first(where: { $0.id == id }) else {
            preconditionFailure("the model has no \(id) in \(name)")
        }
        return column
    }

    func cell(_ row: RowKey, _ column: ModelColumn) -> Cell { rows[row]?[column.id] ?? column.fallback }

    var primaryKey: IndexDefinition? { indexes.first { $0.isPrimaryKey } }

    // MARK: Rows

    mutating func insert(_ row: RowKey) {
        rows[row] = [:]
        keys.append(row)
        nextKey = RowKey(row.value + 1)
        for index in indexes { enter(row, index) }
    }

    mutating func set(_ row: RowKey, _ column: ModelColumn, _ cell: Cell) {
        let concerned = indexes.filter { $0.columns.contains(column.id) }
        for index in concerned { leave(row, index) }
        rows[row]?[column.id] = cell
        for index in concerned { enter(row, index) }
    }

    mutating func remove(_ gone: Set<RowKey>) {
        for row in gone {
            for index in indexes { leave(row, index) }
            rows[row] = nil
        }
        keys.removeAll { gone.contains($0) }
    }

    mutating func cutLinks(_ column: ModelColumn, to gone: Set<RowKey>) {
        for (row, cells) in rows {
            switch cells[column.id] {
            case .link(let target?) where gone.contains(target): rows[row]?[column.id] = .link(nil)
            case .links(let targets) where targets.contains(where: gone.contains):
                rows[row]?[column.id] = .links(targets.filter { !gone.contains($0) })
            default: continue
            }
        }
    }

    // MARK: Hash indexes

    /// A row's key in an index, perhaps with another value in one column.
    func key(_ row: RowKey, _ index: IndexDefinition, with other: (id: ColumnID, bytes: [UInt8]?)? = nil)
        -> [[UInt8]?]
    {
        index.columns.map { id in
            if let other, other.id == id { return other.bytes }
            return cell(row, column(id)).valueBytes
        }
    }

    func rows(_ index: IndexDefinition, _ key: [[UInt8]?]) -> [RowKey] {
        (entries[index.space]?[key] ?? []).sorted()
    }

    /// Whether a unique index would refuse the row this value.
    func refuses(_ row: RowKey, _ column: ModelColumn, _ bytes: [UInt8]?) -> Bool {
        indexes.contains { index in
            guard index.isUnique, index.columns.contains(column.id) else { return false }
            return rows(index, key(row, index, with: (column.id, bytes))).contains { $0 != row }
        }
    }

    /// Whether a unique index has a row's key twice.
    func isDuplicate(_ row: RowKey) -> Bool {
        indexes.contains { $0.isUnique && rows($0, key(row, $0)).count > 1 }
    }

    /// Whether a unique index over the columns could not be made.
    func hasDuplicates(_ columns: [ColumnID]) -> Bool {
        let trial = IndexDefinition(space: SpaceID(0), kind: .hash, columns: columns)
        return Set(keys.map { key($0, trial) }).count < keys.count
    }

    private mutating func enter(_ row: RowKey, _ index: IndexDefinition) {
        guard index.kind == .hash else { return }
        entries[index.space, default: [:]][key(row, index), default: []].insert(row)
    }

    private mutating func leave(_ row: RowKey, _ index: IndexDefinition) {
        guard index.kind == .hash else { return }
        let key = key(row, index)
        entries[index.space]?[key]?.remove(row)
        if entries[index.space]?[key]?.isEmpty == true { entries[index.space]?[key] = nil }
    }

    // MARK: Schema

    mutating func add(_ column: ModelColumn) { columns.append(column) }

    mutating func remove(_ column: ModelColumn) {
        for index in indexes where index.columns.contains(column.id) { remove(index) }
        columns.removeAll { $0.id == column.id }
        for row in keys { rows[row]?[column.id] = nil }
    }

    /// A column is another one now: of another name, or nullable, or not any more.
    mutating func replace(_ column: ModelColumn, by new: ModelColumn) {
        // Rows that never set it keep what they had.
        for row in keys where rows[row]?[column.id] == nil { rows[row]?[column.id] = column.fallback }
        columns = columns.map { $0.id == column.id ? new : $0 }
    }

    mutating func add(_ index: IndexDefinition) {
        indexes.append(index)
        for row in keys { enter(row, index) }
    }

    mutating func remove(_ index: IndexDefinition) {
        indexes.removeAll { $0.space == index.space }
        entries[index.space] = nil
    }
}
