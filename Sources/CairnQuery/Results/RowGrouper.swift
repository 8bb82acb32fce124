internal import CairnStorage

/// Tells rows apart by the values of some columns.
struct RowGrouper {
    private let readers: [ColumnReader]
    private(set) var groups = ByteSet()
    private var buffer: [UInt8] = []
    /// Of the texts beyond ASCII that Swift finds equal, the one that stands for them; nil where bytes decide.
    private var texts: [String: String]?

    /// - Parameter joinsEqualTexts: whether texts are one value where Swift's `String` says so, not only where their
    ///   bytes do: é of one scalar and é of two.
    init(
        _ paths: [ColumnPath], _ table: SessionTable, _ context: QueryContext, joinsEqualTexts: Bool = false
    ) throws(StorageError) {
        var readers: [ColumnReader] = []
        for path in paths { readers.append(try ColumnReader(path, table, context)) }
        self.readers = readers
        texts = joinsEqualTexts ? [:] : nil
    }

    /// The number of the row's group, by order of appearance, and whether it is the first of it.
    mutating func group(of row: RowKey) -> (number: Int, isNew: Bool) {
        buffer.removeAll(keepingCapacity: true)
        for reader in readers { append(reader, row) }
        return buffer.withUnsafeBytes { groups.insert($0) }
    }

    /// A value in a form that equal ones share and others do not: its length, and its bytes.
    private mutating func append(_ reader: ColumnReader, _ row: RowKey) {
        guard case .value(let bytes) = reader.find(row) else {
            // A nil on the way is as good as nil.
            buffer.append(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF])
            return
        }
        if reader.kind == .string, texts != nil, bytes.contains(where: { $0 >= 0x80 }) {
            append(text: String(decoding: bytes, as: UTF8.self))
            return
        }
        append(UInt32(truncatingIfNeeded: bytes.count))
        switch reader.kind {
        case .double, .date: append(CanonicalBytes.canonical(bytes.loadUnaligned(as: Double.self)).bitPattern)
        case .float: append(CanonicalBytes.canonical(bytes.loadUnaligned(as: Float.self)).bitPattern)
        case .decimal:
            let number = DecimalNumber(bytes).canonical
            append(number.low)
            append(number.high)
        default: buffer.append(contentsOf: bytes)
        }
    }

    private mutating func append(text: String) {
        var text = text
        if let known = texts?[text] {
            text = known
        } else {
            texts?[text] = text
        }
        append(UInt32(truncatingIfNeeded: text.utf8.count))
        buffer.append(contentsOf: text.utf8)
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number) { buffer.append(contentsOf: $0) }
    }
}
