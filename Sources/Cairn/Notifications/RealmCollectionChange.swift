/// What has happened to a collection that somebody observes.
public enum RealmCollectionChange<CollectionType> {
    /// The first call: the collection as it is now.
    case initial(CollectionType)
    /// Something has changed. Taking the deleted places out of the collection as it was, and then putting
    /// elements in at the inserted places, rising, gives the collection as it is.
    ///
    /// - Parameters:
    ///   - deletions: places in the collection as it was, rising.
    ///   - insertions: places in the collection as it is, rising.
    ///   - modifications: places, in the collection **as it was**, of objects that are still there and have
    ///     changed; rising. An object whose change has moved it is deleted in one place and inserted in another,
    ///     and not modified.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// Never sent. For programs written for Realm.
    case error(any Error)
}
