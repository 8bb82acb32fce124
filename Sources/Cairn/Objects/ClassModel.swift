internal import CRuntime
internal import CairnStorage

/// A class of the program: how its instances are made, where their properties are, and what is done with
/// them.
final class ClassModel: ModelDescription, @unchecked Sendable {
    // @unchecked: nothing changes after `init`, but the closures of `_PropertyFunctions` and the class
    // are not known to be Sendable. They capture nothing.

    let type: ObjectBase.Type
    /// The properties with their ordinals as indices.
    let properties: [PropertyModel]
    /// The byte offsets of the properties' wrappers in an instance, by ordinal.
    let offsets: [Int]
    /// Whether instances have stored properties that the library knows nothing of.
    let hasOwnFields: Bool
    /// The ordinal of the primary key, or -1.
    let primaryKey: Int
    /// The ordinals of properties with links to objects.
    let linkOrdinals: [Int]

    init(
        _ schema: ObjectSchema, type: ObjectBase.Type, properties: [PropertyModel], hasOwnFields: Bool
    ) {
        self.type = type
        self.properties = properties
        self.hasOwnFields = hasOwnFields
        offsets = properties.map(\.offset)
        primaryKey = properties.firstIndex { $0.schema.isPrimaryKey } ?? -1
        linkOrdinals = properties.indices.filter { properties[$0].functions.forEachTarget != nil }
        super.init(schema)
    }

    /// The property of that name, or nil.
    func ordinal(named name: String) -> Int? { properties.firstIndex { $0.schema.name == name } }

    /// An accessor for a row that is there.
    ///
    /// - Complexity: O(properties), without looking at the row.
    func makeObject(
        _ session: RealmSession, _ access: UnsafeMutablePointer<ClassAccess>, _ row: RowKey
    ) -> ObjectBase {
        let object = makeInstance()
        bind(object, session, access, row)
        return object
    }

    private func makeInstance() -> ObjectBase {
        // What the class declares beside its properties may make objects of its own, with defaults.
        if hasOwnFields { return type.init() }
        cairn_set_makes_accessor(true)
        return type.init()
    }

    /// Makes an instance the accessor of a row.
    func bind(
        _ object: ObjectBase, _ session: RealmSession, _ access: UnsafeMutablePointer<ClassAccess>,
        _ row: RowKey
    ) {
        cairn_set_makes_accessor(false)
        let base = Unmanaged.passUnretained(object).toOpaque()
        if hasOwnFields {
            for (ordinal, property) in properties.enumerated() {
                property.functions.bind(base + property.offset, object, ordinal)
            }
        } else {
            offsets.withUnsafeBufferPointer { offsets in
                for ordinal in 0..<offsets.count {
                    (base + offsets[ordinal]).storeBytes(
                        of: UInt16(truncatingIfNeeded: ordinal &+ 1), as: UInt16.self)
                }
            }
        }
        object.session = session
        object.access = access
        object.row = row.value
        object.seenEpoch = session.isFrozen ? 0 : access.pointee.state.pointee.epoch
    }

    /// The address of a property's wrapper.
    func wrapper(_ object: ObjectBase, _ ordinal: Int) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(object).toOpaque() + offsets[ordinal]
    }
}

/// A property of a class.
struct PropertyModel {
    let schema: Property
    /// Where its wrapper is in an instance, in bytes.
    let offset: Int
    let functions: _PropertyFunctions
    /// The class linked to, or linking here.
    let objectType: ObjectBase.Type?
}
