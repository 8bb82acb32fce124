/// A table that is being verified: its records, and what was counted in its chunks.
final class VerifiedTable {
    let definition: TableDefinition
    /// Nil where the catalogue has none that can be read.
    let state: TableState?
    let columns: [VerifiedColumn]
    let indexes: [VerifiedIndex]
    /// Known before the first chunk is looked at: links lead to tables further on.
    var live = LiveRows()
    /// The large values of the file.
    var values: ValueLedger?

    // Counted in the present pass.
    var rowCount: UInt64 = 0
    var blockCount: UInt64 = 0
    var firstBlock: UInt32?

    init(_ definition: TableDefinition, _ state: TableState?) {
        self.definition = definition
        self.state = state
        columns = definition.columns.map(VerifiedColumn.init)
        indexes = definition.indexes.map { index in
            VerifiedIndex(index, state?.indexes.first { $0.space == index.space }, of: definition)
        }
    }

    func beginPass() {
        rowCount = 0
        blockCount = 0
        firstBlock = nil
        for index in indexes {
            index.entryCount = 0
            index.nextBucket = 0
        }
    }

    /// Says that a block, or the table as a whole, could not be read.
    func noteUnreadable() {
        live.isIncomplete = true
        for position in columns.indices { noteUnreadable(position) }
        for index in indexes { index.ledger.noteIncomplete() }
    }

    /// Says that a column could not be read in some block.
    func noteUnreadable(_ position: Int) {
        if columns[position].isHeldInValues { values?.noteMissingUses() }
        noteUnreadableValue(position)
    }

    /// Says that a value of a column could not be read in full. What it uses is known.
    func noteUnreadableValue(_ position: Int) {
        columns[position].noteIncomplete()
        for index in indexes where index.positions.contains(position) { index.ledger.noteIncomplete() }
    }

    var ledgers: [Ledger] {
        indexes.map(\.ledger) + columns.filter { $0.definition.kind == .backlinks }.flatMap { $0.ownLedgers }
    }
}

/// A column of a table that is being verified.
final class VerifiedColumn {
    let definition: ColumnDefinition
    /// What an element of its lists is; nil for a column without lists.
    let layout: ListElementLayout?
    let element: ListElement?
    /// A column of links, or of backlinks: links owe a fact (target, origin), backlinks are found. Shared by
    /// both; nil where the mirror is not there.
    var mirror: Ledger?
    /// Backlinks: a slot owes (row, 0) for each of its links that is in the ordered entries.
    let ordered = Ledger()
    /// Links: the table they lead to. It lives as long as the check, as does the column.
    unowned(unsafe) var target: VerifiedTable?

    init(_ definition: ColumnDefinition) {
        self.definition = definition
        let isList = definition.collection != .none
        layout = isList ? ListElementLayout(kind: definition.kind, isNullable: definition.isNullable) : nil
        element = isList ? ListElement(kind: definition.kind, isNullable: definition.isNullable) : nil
        if definition.kind == .backlinks { mirror = Ledger() }
    }

    var isHeldInValues: Bool { definition.shape == .text || definition.shape == .list }

    func noteIncomplete() {
        mirror?.noteIncomplete()
        ordered.noteIncomplete()
    }

    /// Those that the column of backlinks owns.
    var ownLedgers: [Ledger] { [mirror, ordered].compactMap(\.self) }
}

/// An index of a table that is being verified.
final class VerifiedIndex {
    let definition: IndexDefinition
    let state: IndexState?
    /// The places of its columns in the table's definition.
    let positions: [Int]
    /// Rows owe their entries: (row, bucket and bits of the hash), or (row, hash of the key).
    let ledger = Ledger()
    /// For hashing the keys of ordered entries.
    let keySeed = UInt64.random(in: 0...UInt64.max)

    // Counted in the present pass.
    @exclusivity(unchecked) var entryCount: UInt64 = 0
    /// The bucket that is to come next.
    var nextBucket: UInt64 = 0

    init(_ definition: IndexDefinition, _ state: IndexState?, of table: TableDefinition) {
        self.definition = definition
        self.state = state
        // Decoding has refused an index over a column that is not there.
        positions = definition.columns.compactMap { table.position(of: $0) }
        if state == nil { ledger.noteIncomplete() }
    }

    /// What a hash index has to have for a row.
    static func detail(bucket: UInt32, hashBits: UInt32) -> UInt64 {
        UInt64(bucket) << 32 | UInt64(hashBits)
    }

    /// The bucket that such a detail names.
    static func bucket(ofDetail detail: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: detail >> 32) }
}
