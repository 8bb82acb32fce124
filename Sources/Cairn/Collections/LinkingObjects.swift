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
    enum Source {
        case declared(origin: String)
        /// The object linked to, and the property's ordinal.
        case managed(ObjectBase, Int)
    }

    // In a class, so that the frozen struct is one pointer.
    private final class Box {
        let source: Source

        init(_ source: Source) {
            self.source = source
        }
    }

    @usableFromInline let box: AnyObject

    var source: Source { unsafeDowncast(box, to: Box.self).source }

    init(_ source: Source) {
        box = Box(source)
    }

    /// The objects whose property of that name links here.
    public init(fromType _: Element.Type, property propertyName: String) {
        self.init(.declared(origin: propertyName))
    }
}

extension LinkingObjects: OriginNaming {
    var originPropertyName: String? {
        guard case .declared(let origin) = source else { return nil }
        return origin
    }
}

extension LinkingObjects: RealmCollection {
    private struct Reading {
        let session: RealmSession
        let origin: UnsafeMutablePointer<ClassAccess>
        let rows: [RowKey]
    }

    private func reading() -> Reading? {
        guard case .managed(let owner, let property) = source, let session = owner.session,
            let access = owner.readableAccess(property), let origin = access.pointee.targets[property]
        else { return nil }
        let rows = access.table.backlinks(RowKey(owner.row), access.position(property))
        return Reading(session: session, origin: origin, rows: rows)
    }

    /// The number of links.
    public var count: Int {
        guard case .managed(let owner, let property) = source, let access = owner.readableAccess(property)
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
        guard case .managed(let owner, let property) = source, let session = owner.session,
            let access = owner.readableAccess(property), let origin = access.pointee.targets[property],
            let row = access.table.firstBacklink(RowKey(owner.row), access.position(property))
        else { return nil }
        return ObjectMaking.make(session, origin, row, as: Element.self)
    }

    public func makeIterator() -> RLMIterator<Element> {
        guard let reading = reading() else { return RLMIterator([]) }
        return RLMIterator(RowCursor(reading.rows.map(\.value), of: reading.origin, reading.session))
    }

    public func index(of element: Element) -> Int? {
        guard let reading = reading(), element.session === reading.session, element.isValid else {
            return nil
        }
        return reading.rows.firstIndex(of: RowKey(element.row))
    }

    var session: RealmSession? {
        guard case .managed(let owner, _) = source else { return nil }
        return owner.session
    }

    public var isInvalidated: Bool {
        guard case .managed(let owner, _) = source else { return false }
        return !owner.isValid
    }

    public var isFrozen: Bool { session?.isFrozen ?? false }

    public var description: String {
        CollectionDescription.text(
            "LinkingObjects<\(Element.className())>", self,
            identity: "0x" + String(UInt(bitPattern: ObjectIdentifier(box).hashValue), radix: 16),
            depth: ObjectDescription.maximumDepth)
    }
}

extension LinkingObjects: DescribedCollection {
    func text(depth: Int) -> String {
        CollectionDescription.text(
            "LinkingObjects<\(Element.className())>", self,
            identity: "0x" + String(UInt(bitPattern: ObjectIdentifier(box).hashValue), radix: 16),
            depth: depth)
    }
}

extension LinkingObjects: Equatable {
    public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
        switch (left.source, right.source) {
        case (.declared(let mine), .declared(let other)): mine == other
        case (.managed(let mine, let property), .managed(let other, let otherProperty)):
            mine.session === other.session && mine.access == other.access && mine.row == other.row
                && property == otherProperty
        default: false
        }
    }
}

// MARK: - As a property

extension LinkingObjects: _Persistable {
    public typealias PersistedType = Element

    public static var _shape: _PropertyShape {
        _PropertyShape(.linkingObjects, isArray: true, objectType: Element.self)
    }

    public static func _makeDefault() -> LinkingObjects { LinkingObjects(.declared(origin: "")) }

    public static func _read(_ cell: _Cell) -> LinkingObjects {
        LinkingObjects(.managed(cell.object, cell.property))
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
    public init<Element: Object>(originProperty: String) where Value == LinkingObjects<Element> {
        self.init()
        stored = LinkingObjects(fromType: Element.self, property: originProperty)
    }
}
