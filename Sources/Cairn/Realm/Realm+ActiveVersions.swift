internal import CairnStorage
public import Foundation

extension Realm {
    /// A version of the file that something of this process holds.
    ///
    /// While it is held, the space that later versions free cannot be used again: each commit makes the file
    /// longer by what it changes, at least some pages (about 100 kB were measured for a commit that replaces
    /// eight chunks, with commits four times slower), and the file does not shrink by itself afterwards.
    public struct ActiveVersion: Sendable {
        /// The version; larger ones are newer.
        public let version: UInt64
        /// Who holds it: `the main thread`, `the queue 'sync'`, `a frozen Realm of the actor 'Kennel'`.
        public let holder: String
        /// Whether it is a frozen Realm, with its objects and collections.
        public let isFrozen: Bool
        /// Since when it has been held.
        public let since: Date
    }

    /// The versions of the file that Realms of this process hold, the oldest first: one entry for each Realm,
    /// live or frozen, that is at a version.
    ///
    /// A Realm that nobody uses holds its version too, as long as it, an object or a collection of it, or a
    /// token is there; `invalidate()` or `refresh()` lets it go.
    public var activeVersions: [ActiveVersion] {
        StoreServices.of(session.store).versions.all.compactMap { holder in
            let held = holder.held
            guard let version = held.version else { return nil }
            return ActiveVersion(
                version: version.value, holder: holder.name, isFrozen: holder.isFrozen, since: held.since)
        }.sorted { ($0.version, $0.since) < ($1.version, $1.since) }
    }
}
