public import CRuntime
internal import CairnStorage

/// The objects that link to one by a property of theirs: the inverse of a link or of a list.
///
/// ```swift
/// final class Mission: Object {
///     @Persisted(originProperty: "missions") var days: LinkingObjects<Day>
/// }
/// ```
///
/// Nothing of it is stored with the object, and it cannot be set. In the order of the linking objects'
/// adding; one that links twice is there twice. Of an unmanaged object it is empty.
@frozen
public struct LinkingObjects<Element: RealmCollectionValue & Object> {
    // Fields and no box: every new object makes one, which must cost nothing.
    /// The object linked to; nil for an unmanaged one.
    @usableFromInline let owner: ObjectBase?
    /// The property's ordinal.
    @usableFromInline let property: Int
    /// The name of the property that links here; empty where the owner's class knows it.
    @usableFromInline let origin: String

    init(of owner: ObjectBase, _ property: Int) {
        self.owner = owner
        self.property = property
        origin = ""
    }

    /// The objects whose property of that name links here.
    @inlinable
    public init(fromType _: Element.Type, property propertyName: String) {
        owner = nil
        property = 0
        origin = propertyName
    }
}

extension LinkingObjects: OriginNaming {
    var originPropertyName: String? { origin.isEmpty ? nil : origin }
}

extension LinkingObjects: RealmCollection {
    private struct Reading {
        let session: RealmSession
        let origin: UnsafeMutablePointer<ClassAccess>
        let rows: [RowKey]
    }

    private func reading() -> Reading? {
        guard let owner, let access = owner.readableAccess(property),
            let origin = access.pointee.targets[property]
        else { return nil }
        let rows = access.table.backlinks(RowKey(owner.row), access.position(property))
        return Reading(session: access.session, origin: origin, rows: rows)
    }

    /// The number of links.
    public var count: Int {
        guard let owner, let access = owner.readableAccess(property)
        else { return 0 }
        return access.table.backlinkCount(RowKey(owner.row), access.position(property))
    }

    /// An object. An index that is out of bounds is misuse.
    public subscript(position: Int) -> Element {
        guard let reading = reading() else { return outOfBounds(position, 0) }
        guard reading.rows.indices.contains(position) else {
            return outOfBounds(position, reading.rows.count)
        }
        return ObjectMaking.make(reading.session, reading.origin, reading.rows[position], as: Element.self)
    }

    private func outOfBounds(_ index: Int, _ count: Int) -> Element {
        Misuse.report(
            RealmError(
                .misuse, "Index \(index) is out of bounds (must be less than \(count)) in LinkingObjects."),
            session)
        return Element._makePlaceholder()
    }

    public var first: Element? {
        guard let owner, let access = owner.readableAccess(property),
            let origin = access.pointee.targets[property],
            let row = access.table.firstBacklink(RowKey(owner.row), access.position(property))
        else { return nil }
        return ObjectMaking.make(access.session, origin, row, as: Element.self)
    }

    public func makeIterator() -> RLMIterator<Element> {
        guard let reading = reading() else { return RLMIterator([]) }
        return RLMIterator(RowCursor(reading.rows, of: reading.origin, reading.session))
    }

    public func index(of element: Element) -> Int? {
        guard let reading = reading(), element.isRow(of: reading.origin, reading.session) else { return nil }
        return reading.rows.firstIndex(of: RowKey(element.row))
    }

    var session: RealmSession? {
        guard let owner else { return nil }
        return owner.session
    }

    public var isInvalidated: Bool {
        guard let owner else { return false }
        return !owner.isValid
    }

    public var isFrozen: Bool { session?.isFrozen ?? false }

    private var identity: String {
        let address = owner.map { UInt(bitPattern: ObjectIdentifier($0).hashValue) } ?? 0
        return "0x" + String(address, radix: 16)
    }

    public var description: String {
        CollectionDescription.text(
            "LinkingObjects<\(Element.className())>", self,
            identity: identity,
            depth: ObjectDescription.maximumDepth)
    }
}

extension LinkingObjects: DescribedCollection {
    func text(depth: Int, _ room: DescriptionRoom) -> String {
        CollectionDescription.text(
            "LinkingObjects<\(Element.className())>", self, identity: identity, depth: depth, room)
    }
}

extension LinkingObjects: Equatable {
    public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
        guard let mine = left.owner, let other = right.owner else {
            return left.owner == nil && right.owner == nil && left.origin == right.origin
        }
        return mine.isSameRow(as: other) && left.property == right.property
    }
}

// MARK: - As a property

extension LinkingObjects: _Persistable {
    public typealias PersistedType = Element

    public static var _shape: _PropertyShape {
        _PropertyShape(.linkingObjects, isArray: true, objectType: Element.self)
    }

    public static func _makeDefault() -> LinkingObjects {
        LinkingObjects(fromType: Element.self, property: "")
    }

    public static func _read(_ cell: _Cell) -> LinkingObjects {
        LinkingObjects(of: cell.object, cell.property)
    }

    public static func _store(_ value: LinkingObjects, _ place: _Place) {}

    public static func _set(_ value: LinkingObjects, _ object: ObjectBase, _ property: Int) {
        refuse(object, property)
    }

    private static func refuse(_ object: ObjectBase, _ property: Int) {
        Misuse.report(
            RealmError(
                .misuse,
                """
                LinkingObjects properties cannot be set: '\(object.name(of: property))' follows links backwards. \
                Change the links of the objects that link here.
                """, className: object.model?.schema.className, propertyName: object.propertyName(property)),
            object.session)
    }

    public static func _toAny(_ value: LinkingObjects) -> Any? { value }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> LinkingObjects? { nil }
}

extension Persisted {
    /// A property that follows a link of another class backwards.
    ///
    /// - Parameter originProperty: the link or list of links of the class `Element` that leads here.
    @inlinable @inline(__always)
    public init<Element: Object>(originProperty: String) where Value == LinkingObjects<Element> {
        if cairn_makes_accessor() { return }
        stored = LinkingObjects(fromType: Element.self, property: originProperty)
    }
}
