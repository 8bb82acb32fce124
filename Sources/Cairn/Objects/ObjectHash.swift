internal import CairnStorage

/// The hashes of objects that have a primary key: an object has the same one before it is added, after it,
/// and, if it was asked for one while it lived, when it is dead.
enum ObjectHash {
    /// The hash of an object's key; nil where the class has none, and where it cannot be read any more.
    static func ofKey(_ object: ObjectBase) -> Int? {
        guard let session = object.session else { return ofUnmanagedKey(object) }
        if object.keyHash != 0 { return object.keyHash }
        guard let model = object.model, model.primaryKey >= 0, let access = readable(object, session) else {
            return nil
        }
        let hash = access.table.withStoredBytes(
            RowKey(object.row), access.position(model.primaryKey), hash(of:))
        // Frozen objects, which any thread may read, never change: theirs is read each time.
        if !session.isFrozen { object.keyHash = hash }
        return hash
    }

    private static func ofUnmanagedKey(_ object: ObjectBase) -> Int? {
        guard let model = try? ModelRegistry.model(of: type(of: object)), let withKey = model.withKey else {
            return nil
        }
        var result: Int?
        withKey(model.wrapper(object, model.primaryKey)) { result = hash(of: $0) }
        return result
    }

    /// The tables to read the key with, where that needs no asking for it and cannot fail.
    private static func readable(
        _ object: ObjectBase, _ session: RealmSession
    ) -> UnsafeMutablePointer<ClassAccess>? {
        guard let ordinal = object.access?.pointee.ordinal else { return nil }
        if session.isFrozen { return session.readable("An object").map { $0.accesses + ordinal } }
        guard session.confinement.isHere, object.isValid else { return nil }
        return object.access
    }

    /// Never 0, which stands for a hash that was not made yet.
    private static func hash(of key: UnsafeRawBufferPointer?) -> Int {
        var hasher = Hasher()
        if let key { hasher.combine(bytes: key) } else { hasher.combine(0) }
        let hash = hasher.finalize()
        return hash == 0 ? 1 : hash
    }
}
