internal import CairnStorage

/// A reference to something of a Realm that may be read in every place, again and again.
///
/// ```swift
/// @ThreadSafe var dog = realm.objects(Dog.self).first
/// Task.detached { print($dog?.name) }
/// ```
///
/// Each read opens the Realm of the place that it is in (its thread; the main queue; the queue or actor that
/// the object came from) and looks there. It holds no version.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: @unchecked Sendable {
    // @unchecked: the handover is Sendable and under a lock; nothing else changes.
    private let content: Guarded<Content?>

    private struct Content: Sendable {
        let handover: Handover
        let configuration: Realm.Configuration
        let scheduler: any Scheduler
    }

    /// - Parameter wrappedValue: of a live Realm, and valid: anything else is misuse. nil for nothing.
    public init(wrappedValue: Confined?) {
        content = Guarded(Self.content(of: wrappedValue))
    }

    /// What it refers to, in the Realm of the calling code's place; nil once it was deleted, and where the Realm
    /// cannot be opened.
    public var wrappedValue: Confined? {
        get {
            guard let known = content.withLock({ $0 }) else { return nil }
            let scheduler = known.scheduler.isHere ? known.scheduler : nil
            let place = CallSite(file: "ThreadSafe", line: 0)
            let session: RealmSession
            do {
                session = try SessionOpening(known.configuration, in: scheduler, openedAt: place).open()
            } catch {
                Logger.shared.log(.error, "What a ThreadSafe refers to cannot be read. \(error)")
                return nil
            }
            let realm = Realm(session)
            if let version = session.version, version < known.handover.version { realm.refresh() }
            guard let value = known.handover.resolve(realm) as? Confined else {
                if !realm.isInWriteTransaction { content.withLock { $0 = nil } }
                return nil
            }
            return value
        }
        set {
            let new = Self.content(of: newValue)
            content.withLock { $0 = new }
        }
    }

    private static func content(of value: Confined?) -> Content? {
        guard let value else { return nil }
        guard let realm = value.realm, let handover = (value as? any HandingOver)?.handover() else {
            let reason = value.realm == nil ? "it is not managed by a Realm" : "it was deleted or invalidated"
            Misuse.trap(
                RealmError(
                    .misuse,
                    "Only managed objects may be wrapped as thread safe, not this '\(Confined.self)': \(reason)."
                ))
        }
        return Content(
            handover: handover, configuration: realm.configuration,
            scheduler: realm.session.confinement.scheduler)
    }
}
