internal import CRuntime
internal import CairnStorage

/// Finds the classes that can be stored, by asking the Swift runtime for all classes of the process.
enum ClassDiscovery {
    private struct State {
        var imageCount = 0
        var classes: [ObjectBase.Type] = []
    }

    private static let state = Guarded(State())

    /// The concrete subclasses of `Object` that want to be in a schema without being named.
    ///
    /// - Complexity: O(classes of the process) the first time and when a library was loaded since.
    static func classes() -> [ObjectBase.Type] {
        let imageCount = cairn_image_count()
        if let known = state.withLock({ $0.imageCount == imageCount ? $0.classes : nil }) { return known }
        let found = search()
        state.withLock { state in
            state.classes = found
            state.imageCount = imageCount
        }
        return found
    }

    private final class Found {
        var classes: [ObjectBase.Type] = []
    }

    private static func search() -> [ObjectBase.Type] {
        let found = Found()
        cairn_each_class(
            { metadata, context in
                let type: AnyClass = unsafeBitCast(metadata, to: AnyClass.self)
                guard let model = type as? ObjectBase.Type, let context else { return }
                Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().classes.append(model)
            }, Unmanaged.passUnretained(found).toOpaque())
        return found.classes
            .filter { !$0.isAbstractClass && $0.shouldIncludeInDefaultSchema() }
            .sorted { String(reflecting: $0) < String(reflecting: $1) }
    }
}
