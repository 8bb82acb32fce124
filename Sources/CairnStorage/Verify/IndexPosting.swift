/// Posts what the rows of a block owe to the indexes of their table.
struct IndexPosting {
    private let context: VerifyContext
    private let table: VerifiedTable
    private let rows: VerifiedRows

    init(context: VerifyContext, table: VerifiedTable, rows: VerifiedRows) {
        self.context = context
        self.table = table
        self.rows = rows
    }

    func run() throws(StorageError) {
        for index in table.indexes where !index.ledger.isIncomplete {
            let columns = index.positions.compactMap(values)
            defer { for column in columns { column.free() } }
            guard columns.count == index.positions.count else {
                index.ledger.noteIncomplete()
                continue
            }
            switch index.definition.kind {
            case .hash: try postHashes(index, columns)
            case .ordered: try postKeys(index, columns[0])
            }
        }
    }

    private func values(_ position: Int) -> IndexedValues? {
        switch rows.columns[position] {
        case .unreadable: nil
        case .absent: IndexedValues(defaultOf: table.columns[position].definition, context.values)
        case .plain(let chunk): IndexedValues(chunk, of: table.columns[position].definition, context.values)
        }
    }

    private func postHashes(_ index: VerifiedIndex, _ columns: [IndexedValues]) throws(StorageError) {
        guard let shape = index.state?.hash else { return }
        for slot in rows.live {
            guard let hash = try IndexedValues.hash(columns, slot, context.keyHash) else {
                index.ledger.noteIncomplete()
                return
            }
            index.ledger.owe(
                rows.row(slot).value,
                VerifiedIndex.detail(
                    bucket: shape.bucket(of: hash), hashBits: Bucket.hashBits(of: hash)))
        }
    }

    private func postKeys(_ index: VerifiedIndex, _ column: IndexedValues) throws(StorageError) {
        var key = OrderedKeyBuffer()
        for slot in rows.live {
            let row = rows.row(slot)
            switch try column.value(slot) {
            case .unreadable:
                index.ledger.noteIncomplete()
                return
            case .null: key.setIndexKey(index.definition.space, column.kind, nil, row)
            case .bytes(let bytes): key.setIndexKey(index.definition.space, column.kind, bytes, row)
            }
            index.ledger.owe(row.value, ByteHash.hash(key.bytes, seed: index.keySeed))
        }
    }
}

/// The values of a column in one block, as indexes see them.
struct IndexedValues {
    enum Value {
        case null
        case bytes(UnsafeRawBufferPointer)
        /// A large value that is not there or not right.
        case unreadable
    }

    let kind: ValueKind
    private let chunk: PlainChunk
    private let nulls: BlockBitmap
    private let values: ValueLedger
    /// A chunk of defaults, to be freed.
    private let owned: UnsafeMutableRawPointer?

    /// - Parameter chunk: validated.
    init(_ chunk: PlainChunk, of column: ColumnDefinition, _ values: ValueLedger) {
        kind = column.kind
        self.chunk = chunk
        self.values = values
        nulls = column.isNullable ? chunk.nulls : BlockBitmap()
        owned = nil
    }

    /// The column's default for every slot, in memory that `free` gives back.
    init(defaultOf column: ColumnDefinition, _ values: ValueLedger) {
        let made = DefaultChunk.make(column)
        kind = column.kind
        chunk = PlainChunk(made, shape: column.shape)
        self.values = values
        nulls = column.isNullable ? chunk.nulls : BlockBitmap()
        owned = made
    }

    func free() {
        owned?.deallocate()
    }

    func value(_ slot: Int) throws(StorageError) -> Value {
        if nulls.contains(slot) { return .null }
        switch chunk.shape {
        case .bits: return .bytes(ChunkView(chunk.pointer).valueBit(slot) ? Self.trueByte : Self.falseByte)
        case .text: return try text(slot)
        default:
            return .bytes(UnsafeRawBufferPointer(start: chunk.slot(slot), count: chunk.shape.slotByteCount))
        }
    }

    private func text(_ slot: Int) throws(StorageError) -> Value {
        let (count, _, heapOffset, _) = chunk.fields(slot)
        if count <= UInt32(TextSlot.inPlaceLimit) {
            return .bytes(
                UnsafeRawBufferPointer(start: chunk.slot(slot) + TextSlot.inPlace, count: Int(count)))
        }
        if count <= UInt32(TextSlot.heapLimit) { return .bytes(chunk.heap(heapOffset, Int(count))) }
        let payload = try values.text(ValueID(chunk.upperWord(slot)), count: Int(count))
        return payload.map(Value.bytes) ?? .unreadable
    }

    /// The hash of a row's key over some columns; nil where a value cannot be read.
    static func hash(
        _ columns: [IndexedValues], _ slot: Int, _ keyHash: KeyHash
    ) throws(StorageError) -> UInt64? {
        var result: UInt64 = 0
        for (offset, column) in columns.enumerated() {
            let next: UInt64
            switch try column.value(slot) {
            case .unreadable: return nil
            case .null: next = keyHash.hash(of: nil)
            case .bytes(let bytes): next = keyHash.hash(of: bytes)
            }
            result = offset == 0 ? next : keyHash.chained(result, next)
        }
        return result
    }

    // Written once, before anyone sees them.
    nonisolated(unsafe) private static let falseByte = constantByte(0)
    nonisolated(unsafe) private static let trueByte = constantByte(1)

    /// One byte that lives for ever.
    private static func constantByte(_ value: UInt8) -> UnsafeRawBufferPointer {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        byte.initialize(to: value)
        return UnsafeRawBufferPointer(start: byte, count: 1)
    }
}
