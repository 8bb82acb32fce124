/// A column of a table, as the catalogue records it.
package struct ColumnDefinition: Hashable, Sendable {
    package var id: ColumnID
    /// The stored name; empty for a hidden column.
    package var name: String
    package var kind: ValueKind
    package var collection: CollectionKind
    /// Whether a value, or in a collection an element, may be null. Links are never null: they have
    /// a "none" of their own.
    package var isNullable: Bool
    /// Links: the linked table. Backlinks: the table the links come from.
    package var target: SpaceID?
    /// Backlinks: the link column that is mirrored.
    package var originColumn: ColumnID?
    /// Links: the hidden column of the target table that mirrors this one.
    package var backlinkColumn: ColumnID?
    /// Backlinks: where the entries of rows with many links are kept.
    package var overflowSpace: SpaceID?
    /// What a row has that was there before the column, or that never set it.
    package var defaultValue: DefaultValue

    /// A default value: its stored bytes.
    package enum DefaultValue: Hashable, Sendable {
        /// Zero, the empty string, the empty list, no link.
        case zero
        case null
        /// The bytes of a fixed-width value, or of a string or binary of any length up to
        /// `TextSlot.heapLimit`.
        case bytes([UInt8])
    }

    /// Whether the program does not see the column.
    package var isHidden: Bool { kind == .backlinks }

    /// The shape of its slots.
    package var shape: SlotShape { SlotShape(kind: kind, collection: collection) }

    /// Whether the column holds links, one a row or a list of them.
    package var holdsLinks: Bool { kind == .link }

    /// Whether the column's values can be the keys of an index.
    package func canBeIndexed(_ index: IndexDefinition.Kind) -> Bool {
        guard collection == .none else { return false }
        switch kind {
        case .bool, .int, .float, .double, .date, .string, .binary, .objectId, .uuid: return true
        case .decimal: return index == .hash
        // Links are mirrored, which serves what an index would; setting one keeps no index.
        case .link, .backlinks: return false
        }
    }

    private static let nullableFlag: UInt8 = 1
    private static let hiddenFlag: UInt8 = 2

    func write(to writer: inout ByteWriter) {
        writer.integer(id.value)
        writer.text(name)
        writer.integer(kind.rawValue)
        writer.integer(collection.rawValue)
        writer.integer((isNullable ? Self.nullableFlag : 0) | (isHidden ? Self.hiddenFlag : 0))
        writer.integer(target?.value ?? 0)
        writer.integer(originColumn?.value ?? 0)
        writer.integer(backlinkColumn?.value ?? 0)
        writer.integer(overflowSpace?.value ?? 0)
        switch defaultValue {
        case .zero: writer.integer(UInt32(0))
        case .null: writer.integer(UInt32.max)
        case .bytes(let bytes):
            writer.integer(UInt32(bytes.count))
            writer.raw(bytes)
        }
    }

    init(from reader: inout ByteReader) throws(StorageError) {
        id = ColumnID(try reader.integer())
        name = try reader.text()
        guard let kind = ValueKind(rawValue: try reader.integer()) else {
            throw reader.damage("has a column of an unknown kind")
        }
        self.kind = kind
        guard let collection = CollectionKind(rawValue: try reader.integer()) else {
            throw reader.damage("has a column of an unknown collection")
        }
        self.collection = collection
        let flags: UInt8 = try reader.integer()
        isNullable = flags & Self.nullableFlag != 0
        target = try Self.optional(reader.integer()).map { SpaceID($0) }
        originColumn = try Self.optional(reader.integer()).map { ColumnID($0) }
        backlinkColumn = try Self.optional(reader.integer()).map { ColumnID($0) }
        overflowSpace = try Self.optional(reader.integer()).map { SpaceID($0) }
        let byteCount: UInt32 = try reader.integer()
        switch byteCount {
        case 0: defaultValue = .zero
        case UInt32.max: defaultValue = .null
        default: defaultValue = .bytes(Array(try reader.bytes(Int(byteCount))))
        }
        if let fault { throw reader.damage("has a column that \(fault)") }
    }

    package init(
        id: ColumnID, name: String, kind: ValueKind, collection: CollectionKind = .none,
        isNullable: Bool = false, target: SpaceID? = nil, originColumn: ColumnID? = nil,
        backlinkColumn: ColumnID? = nil, overflowSpace: SpaceID? = nil, defaultValue: DefaultValue = .zero
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.collection = collection
        self.isNullable = isNullable
        self.target = target
        self.originColumn = originColumn
        self.backlinkColumn = backlinkColumn
        self.overflowSpace = overflowSpace
        self.defaultValue = defaultValue
    }

    private static func optional(_ number: UInt16) -> UInt16? { number == 0 ? nil : number }

    /// What is impossible about the definition, or nil. The rest of the engine relies on this.
    package var fault: String? {
        if id.value == 0 { return "has the number of the directory" }
        if kind == .link && (target == nil || backlinkColumn == nil) { return "links to no table" }
        if kind == .backlinks && (target == nil || originColumn == nil || overflowSpace == nil) {
            return "mirrors no link"
        }
        if kind == .backlinks && collection != .none { return "is a collection of backlinks" }
        if isNullable && (kind == .link || kind == .backlinks) { return "is a nullable link" }
        switch defaultValue {
        case .zero: break
        case .null:
            if !isNullable || collection != .none { return "is null by default and not nullable" }
        case .bytes(let bytes):
            if collection != .none || kind == .link || kind == .backlinks {
                return "has a default it cannot have"
            }
            if let width = kind.elementByteCount {
                if bytes.count != width { return "has a default of the wrong size" }
            } else if bytes.count > TextSlot.heapLimit {
                return "has too long a default"
            }
        }
        return nil
    }
}
