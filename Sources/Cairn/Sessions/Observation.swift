internal import CairnStorage
internal import Synchronization

/// Somebody who is told of changes to what a session shows, from registering until the token goes.
///
/// The subclasses know what is looked at. Everything but `life` belongs to the session's scheduler.
class Observation {
    let life: ObservationLife
    /// The version that the listener knows; nil before its first call.
    final var knownVersion: Version?

    init(_ life: ObservationLife) {
        self.life = life
    }

    /// Brings what the listener knows to where the session is.
    ///
    /// - Parameter news: nil at the first call.
    /// - Returns: the call to make; nil where there is nothing to tell.
    func bringForward(_ news: News?, _ session: RealmSession) -> (() -> Void)? { nil }

    /// Whether it is told of news, and asks for them itself.
    var isPulled: Bool { false }

    /// Whether there is something to be done for a listener where the session is at a version.
    func isDue(_ version: Version) -> Bool { knownVersion != version }

    /// Tells one that asks itself that there are news.
    func announce(_ version: Version) {}

    /// What has happened since the version that a listener knows.
    struct News {
        /// All changes, row by row.
        let changes: ChangeSet
        /// Those that came from elsewhere, and the version before them.
        let others: (changes: ChangeSet, before: Snapshot)?
    }
}

/// Whether an observation still is one. Any thread may end it.
final class ObservationLife: Sendable {
    private let state = Atomic<Bool>(true)

    var isLive: Bool { state.load(ordering: .acquiring) }

    /// - Returns: whether it was live.
    func end() -> Bool { state.exchange(false, ordering: .acquiringAndReleasing) }
}

/// A block that is told whenever a Realm moves.
final class RealmObservation {
    enum Event {
        /// The Realm has moved to another version.
        case didChange
        /// There is a newer version, to which the Realm does not move by itself.
        case refreshRequired
    }

    let life = ObservationLife()
    let block: (Event) -> Void

    init(_ block: @escaping (Event) -> Void) {
        self.block = block
    }
}
