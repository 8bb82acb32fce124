internal import CairnStorage

/// What the sessions of a store share, above the engine.
final class StoreServices: Sendable {
    let commits = CommitFeed()
    let asyncWrites = AsyncWriteQueue()
    let versions = HeldVersions()

    static func of(_ store: Store) -> StoreServices { store.companion { StoreServices() } }
}
