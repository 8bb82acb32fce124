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
    /// What adding an object does with each property that has a column and is not the primary key, apart
    /// from the rest: an object is added in a loop over these.
    let storing: [Storing]
    /// What makes each property that of a managed object, by ordinal.
    let binding: [Binding]
    /// The byte offsets of the references that properties hold whose instances are kept.
    let keptInstances: [Int]
    /// Whether instances have stored properties that the library knows nothing of.
    let hasOwnFields: Bool
    /// The ordinal of the primary key, or -1.
    let primaryKey: Int
    /// The type of the primary key in the program; nil for none.
    let keyType: Any.Type?
    /// Calls its second argument with the stored bytes of an unmanaged object's primary key.
    let withKey: ((UnsafeMutableRawPointer, (UnsafeRawBufferPointer?) -> Void) -> Void)?
    /// The ordinals of properties with links to objects.
    let linkOrdinals: [Int]
    /// Of dynamic objects: the property that will be the primary key when the migration has ended, or -1.
    let keyToBe: Int

    struct Storing {
        let ordinal: Int
        let offset: Int
        let store: (_ wrapper: UnsafeMutableRawPointer, _ place: _Place) -> Void
    }

    /// A property whose unmanaged value has memory of its own, to be let go when the object is added.
    struct Binding {
        let ordinal: Int
        let offset: Int
        let bind: (_ wrapper: UnsafeMutableRawPointer, _ object: ObjectBase, _ ordinal: Int) -> Void
    }

    init(
        _ schema: ObjectSchema, type: ObjectBase.Type, properties: [PropertyModel], hasOwnFields: Bool
    ) {
        self.type = type
        self.properties = properties
        self.hasOwnFields = hasOwnFields
        offsets = properties.map(\.offset)
        keyType = properties.first { $0.schema.isPrimaryKey }?.functions.type
        withKey = properties.first { $0.schema.isPrimaryKey }?.functions.withKey
        let key = properties.firstIndex { $0.schema.isPrimaryKey }
        storing = properties.enumerated().filter { $0 != key && !$1.schema.isComputed }.map {
            Storing(ordinal: $0, offset: $1.offset, store: $1.functions.store)
        }
        binding = properties.enumerated().filter { $1.functions.holdsMemory && !$1.schema.isComputed }.map {
            Binding(ordinal: $0, offset: $1.offset, bind: $1.functions.bind)
        }
        primaryKey = properties.firstIndex { $0.schema.isPrimaryKey } ?? -1
        keptInstances = properties.compactMap { property in
            property.functions.instanceOffset.map { property.offset + $0 }
        }
        linkOrdinals = properties.indices.filter { properties[$0].functions.forEachTarget != nil }
        keyToBe = -1
        super.init(schema)
    }

    /// Of a class that this program may not have: its objects are dynamic ones, without wrappers.
    ///
    /// - Parameters:
    ///   - functions: one a property, in the order of `schema.allProperties`.
    ///   - keyToBe: the ordinal of what will be the primary key; the schema has none.
    init(dynamic schema: ObjectSchema, _ functions: [_PropertyFunctions], keyToBe: Int) {
        type = DynamicObject.self
        properties = zip(schema.allProperties, functions).map {
            PropertyModel(schema: $0, offset: 0, functions: $1, objectType: nil)
        }
        hasOwnFields = false
        offsets = []
        storing = []
        binding = []
        keptInstances = []
        primaryKey = -1
        keyType = nil
        withKey = nil
        linkOrdinals = []
        self.keyToBe = keyToBe
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

    /// An instance whose properties ask for their place in a row that there is none of: reading one is
    /// noted by ``KeyPathTracer``.
    func makeTracedObject() -> ObjectBase {
        let object = makeInstance()
        cairn_set_makes_accessor(false)
        let base = Unmanaged.passUnretained(object).toOpaque()
        bindAccessor(base)
        for place in keptInstances where (base + place).load(as: UInt.self) != 0 {
            forgetInstance(base + place)
        }
        return object
    }

    /// Makes an instance the accessor of a row.
    func bind(
        _ object: ObjectBase, _ session: RealmSession, _ access: UnsafeMutablePointer<ClassAccess>,
        _ row: RowKey
    ) {
        cairn_set_makes_accessor(false)
        let base = Unmanaged.passUnretained(object).toOpaque()
        object.session = session
        object.access = access
        object.row = row.value
        object.seenEpoch = session.isFrozen ? 0 : access.pointee.state.pointee.epoch
        if hasOwnFields {
            // Lists look at their object, which has its row by now.
            bindAdded(object)
        } else {
            bindAccessor(base)
            for place in keptInstances where (base + place).load(as: UInt.self) != 0 {
                forgetInstance(base + place)
            }
        }
    }

    /// Lets go of a list that the class's initializer has filled: of an accessor the stored one counts.
    @inline(never)
    private func forgetInstance(_ place: UnsafeMutableRawPointer) {
        let instance = place.load(as: UnsafeRawPointer.self)
        place.storeBytes(of: 0, as: UInt.self)
        Unmanaged<AnyObject>.fromOpaque(instance).release()
    }

    /// Makes the properties of an object that was added those of a managed one.
    func bindAdded(_ object: ObjectBase) {
        let base = Unmanaged.passUnretained(object).toOpaque()
        for property in binding { property.bind(base + property.offset, object, property.ordinal) }
        bindAccessor(base)
    }

    /// Gives every wrapper its ordinal.
    private func bindAccessor(_ base: UnsafeMutableRawPointer) {
        offsets.withUnsafeBufferPointer { offsets in
            for ordinal in 0..<offsets.count {
                (base + offsets[ordinal]).storeBytes(
                    of: UInt16(truncatingIfNeeded: ordinal &+ 1), as: UInt16.self)
            }
        }
    }

    /// The address of a property's wrapper.
    func wrapper(_ object: ObjectBase, _ ordinal: Int) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(object).toOpaque() + offsets[ordinal]
    }
}

/// A property of a class. A class itself: its closures are not copied with it.
final class PropertyModel {
    let schema: Property
    /// Where its wrapper is in an instance, in bytes.
    let offset: Int
    let functions: _PropertyFunctions
    /// The class linked to, or linking here.
    let objectType: ObjectBase.Type?

    init(schema: Property, offset: Int, functions: _PropertyFunctions, objectType: ObjectBase.Type?) {
        self.schema = schema
        self.offset = offset
        self.functions = functions
        self.objectType = objectType
    }
}
