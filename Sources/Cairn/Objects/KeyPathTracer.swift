internal import CairnStorage

/// Finds out which stored properties a key path goes through, by following it from an object that notes
/// what is read of it.
///
/// The compiler leaves no names in a key path. So it is applied to an instance whose wrappers believe that
/// it is managed and which has no row: each read comes to `ObjectBase.slowCell`, and is noted here. A link
/// of such an object leads to another one, so that `\Person.bestFriend?.name` is two notes.
final class KeyPathTracer {
    /// One property that was read.
    private struct Step {
        let object: ObjectBase
        let ordinal: Int
        let property: PropertyModel
    }

    private var steps: [Step] = []
    /// The object that is to be read next: the root, then what the last link leads to.
    private var expected: ObjectBase?
    /// Whether something else was read.
    private var isBroken = false
    /// The objects of this trace, which the registry knows it by.
    private var objects: [ObjectIdentifier: (object: ObjectBase, model: ClassModel)] = [:]

    // The traces under way. Each is used by the one thread that follows its key path: it alone has the
    // objects.
    private static let active = Guarded<[ObjectIdentifier: KeyPathTracer]>([:])

    private init() {}

    /// The properties that a key path goes through, in order; nil where it is more than a path from one
    /// stored property to the next.
    ///
    /// - Throws: `fail` for a class that cannot be stored.
    static func properties<Root: ObjectBase>(
        along keyPath: AnyKeyPath, from root: Root.Type
    ) throws(RealmError) -> [PropertyModel]? {
        let tracer = KeyPathTracer()
        let model = try ModelRegistry.model(of: root)
        defer { tracer.finish() }
        guard let start = tracer.makeObject(model) as? Root else { return nil }
        tracer.expected = start
        guard start[keyPath: keyPath] != nil, !tracer.isBroken else { return nil }
        return tracer.steps.map(\.property)
    }

    /// Called for each read of an object without a row.
    static func note(_ object: ObjectBase, _ ordinal: Int) {
        tracer(of: object)?.note(object, ordinal)
    }

    /// The object that a link leads to; nil for one that is not traced.
    static func next(after object: ObjectBase, _ ordinal: Int) -> ObjectBase? {
        tracer(of: object)?.next(after: object, ordinal)
    }

    private static func tracer(of object: ObjectBase) -> KeyPathTracer? {
        active.withLock { $0[ObjectIdentifier(object)] }
    }

    private func note(_ object: ObjectBase, _ ordinal: Int) {
        guard object === expected, let model = objects[ObjectIdentifier(object)]?.model else {
            isBroken = true
            return
        }
        steps.append(Step(object: object, ordinal: ordinal, property: model.properties[ordinal]))
        // Only what a link leads to may be read now.
        expected = nil
    }

    private func next(after object: ObjectBase, _ ordinal: Int) -> ObjectBase? {
        guard let last = steps.last, last.object === object, last.ordinal == ordinal,
            let type = last.property.objectType
        else { return nil }
        do throws(RealmError) {
            let next = makeObject(try ModelRegistry.model(of: type))
            expected = next
            return next
        } catch {
            isBroken = true
            return nil
        }
    }

    private func makeObject(_ model: ClassModel) -> ObjectBase {
        let object = model.makeTracedObject()
        objects[ObjectIdentifier(object)] = (object, model)
        Self.active.withLock { $0[ObjectIdentifier(object)] = self }
        return object
    }

    /// Forgets the objects: another one may be at their addresses next.
    private func finish() {
        let ids = Array(objects.keys)
        Self.active.withLock { active in
            for id in ids { active[id] = nil }
        }
        objects = [:]
        steps = []
        expected = nil
    }
}
