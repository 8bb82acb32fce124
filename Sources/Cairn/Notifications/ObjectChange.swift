internal import Foundation

/// What has happened to an object that somebody observes.
public enum ObjectChange<ObjectType> {
    /// Never sent. For programs written for Realm.
    case error(_ error: any Error)
    /// Some of its properties were set, perhaps to the values they had; in the order of the class.
    case change(_ object: ObjectType, _ properties: [PropertyChange])
    /// It was deleted. There are no more calls.
    case deleted
}

/// A property that was set.
public struct PropertyChange {
    /// The name in the program.
    public let name: String
    /// What it was before, where the change came from another Realm: another thread's, queue's or process's.
    /// nil for this Realm's own changes, for nil, and for collections. A link's may lead to an object that was
    /// deleted.
    public let oldValue: Any?
    /// What it is now; nil for nil and for collections.
    public let newValue: Any?
}
