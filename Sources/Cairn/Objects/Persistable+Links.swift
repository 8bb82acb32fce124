internal import CairnStorage

/// Links to one object.
extension Object: _PersistableInsideOptional {
    public typealias PersistedType = Object
}

// In extensions of the protocol and not of the class: there `Self` is the class linked to.
extension _PersistableInsideOptional where Self: Object {
    public static var _shape: _PropertyShape { _PropertyShape(.object, objectType: self) }

    public static func _readOptional(_ cell: _Cell) -> Self? {
        let stored = cell.fixed(UInt64.self)
        guard stored != 0, let target = cell.target else { return nil }
        return ObjectMaking.make(cell.access.session, target, RowKey(stored &- 1), as: Self.self)
    }

    public static func _withoutRow(_ object: ObjectBase, _ property: Int) -> Self? {
        KeyPathTracer.next(after: object, property) as? Self
    }

    public static func _storeOptional(_ value: Self?, _ place: _Place) {
        guard let value else { return place.storeLink(nil) }
        guard let row = ObjectAdder.row(of: value, place.target, place.session) else { return }
        place.storeLink(row)
    }

    public static func _toAnyOptional(_ value: Self?) -> Any? { value }

    public static func _fromAnyOptional(_ any: Any?, _ building: _ObjectBuilding) -> Self?? {
        guard let any else { return .some(nil) }
        guard let object = ObjectBuilder.linked(any, Self.self, building) else { return nil }
        return .some(object)
    }

    public static func _makeOptionalFunctions() -> _PropertyFunctions { LinkFunctions.make(Self.self) }
}

/// What the library does with a link to one object.
enum LinkFunctions {
    static func make<Target: Object>(_ type: Target.Type) -> _PropertyFunctions {
        var functions = _PropertyFunctions(of: Target?.self) { wrapper, place in
            let value = _PropertyFunctions.value(wrapper, Target?.self)
            let stored = place.table.link(place.row, place.position)
            guard let value else { return stored == nil }
            return value.session === place.session && stored == RowKey(value.row)
        }
        functions.forEachTarget = { wrapper, body in
            if let target = _PropertyFunctions.value(wrapper, Target?.self) { body(target) }
        }
        return functions
    }
}

/// Makes objects of rows that links lead to.
enum ObjectMaking {
    /// - Parameters:
    ///   - target: the class's tables, of the session or of the reading thread of a frozen one.
    static func make<Target: ObjectBase>(
        _ session: RealmSession, _ target: UnsafeMutablePointer<ClassAccess>, _ row: RowKey,
        as type: Target.Type
    ) -> Target {
        let ordinal = target.pointee.ordinal
        let model = unsafeDowncast(session.models[ordinal], to: ClassModel.self)
        let object = model.makeObject(session, session.handle(ordinal), row)
        // The common case costs no look at the class's ancestors.
        if model.type == Target.self { return unsafeDowncast(object, to: Target.self) }
        guard let object = object as? Target else {
            preconditionFailure(
                "a link to '\(Target.className())' leads to an object of '\(model.schema.className)'")
        }
        return object
    }
}
