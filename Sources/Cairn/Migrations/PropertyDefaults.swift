internal import CairnStorage

/// The declared defaults of a class, as they are stored.
struct PropertyDefaults {
    private let model: ClassModel
    // Two objects: a default that differs between them, such as a new id, is no constant.
    private let first: ObjectBase
    private let second: ObjectBase

    init(_ model: ClassModel) {
        self.model = model
        first = model.type.init()
        second = model.type.init()
    }

    /// The default that all objects share; nil where each has one of its own, or it cannot be a column's.
    ///
    /// Links have none: an object is no constant.
    func constant(_ ordinal: Int) -> ColumnDefinition.DefaultValue? {
        let property = model.properties[ordinal]
        guard !property.schema.isLink else { return .zero }
        if property.schema.isArray { return isEmptyList(ordinal) ? .zero : nil }
        let value = bytes(ordinal, first)
        guard value == bytes(ordinal, second) else { return nil }
        guard let value else { return .null }
        if value.allSatisfy({ $0 == 0 }) && !isText(property.schema) || value.isEmpty { return .zero }
        return value.count <= TextSlot.heapLimit ? .bytes(value) : nil
    }

    /// The default of a new object, as bytes; zero where that is nil.
    func freshBytes(_ ordinal: Int) -> [UInt8] {
        bytes(ordinal, model.type.init())
            ?? Self.zero(of: StoredSchema.newColumn(model.properties[ordinal].schema).kind)
    }

    /// The stored bytes of a type's zero.
    static func zero(of kind: ValueKind) -> [UInt8] {
        if kind == .decimal {
            return Decimal128._withBytes(0) { Array($0 ?? UnsafeRawBufferPointer(start: nil, count: 0)) }
        }
        return Array(repeating: 0, count: kind.elementByteCount ?? 0)
    }

    private func isText(_ property: Property) -> Bool { property.type == .string || property.type == .data }

    private func bytes(_ ordinal: Int, _ object: ObjectBase) -> [UInt8]? {
        var result: [UInt8]?
        model.properties[ordinal].functions.withKey?(model.wrapper(object, ordinal)) {
            result = $0.map(Array.init)
        }
        return result
    }

    private func isEmptyList(_ ordinal: Int) -> Bool {
        let list = model.properties[ordinal].functions.getUnmanaged(model.wrapper(first, ordinal))
        return (list as? any Collection)?.isEmpty ?? true
    }
}
