/// What has a Realm and can be frozen and handed to another thread.
public protocol ThreadConfined {
    /// The Realm it belongs to; nil for what is unmanaged.
    var realm: Realm? { get }
    /// Whether it can no longer be used.
    var isInvalidated: Bool { get }
    /// Whether it never changes and may be used on every thread.
    var isFrozen: Bool { get }
    /// What it is now, for ever.
    func freeze() -> Self
    /// The live counterpart on the calling thread, at its Realm's version; nil where it is gone.
    func thaw() -> Self?
}
