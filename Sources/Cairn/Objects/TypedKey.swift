internal import Foundation

/// Primary keys given as the property's own type, which need no look at what `Any` holds.
enum TypedKey {
    /// Calls the body with the stored bytes of a key.
    ///
    /// - Parameter type: the type of the primary key property.
    /// - Returns: false where the key is of another type, or of one that is rarely a key: the body was not
    ///   called then.
    static func withBytes<Key>(
        of key: Key, for type: Any.Type, _ body: (UnsafeRawBufferPointer?) -> Void
    ) -> Bool {
        guard type == Key.self || type == Key?.self else { return false }
        // The types are the same, so the bits are.
        if Key.self == ObjectId.self {
            ObjectId._withBytes(unsafeBitCast(key, to: ObjectId.self), body)
        } else if Key.self == String.self {
            String._withBytes(unsafeBitCast(key, to: String.self), body)
        } else if Key.self == Int.self {
            Int._withBytes(unsafeBitCast(key, to: Int.self), body)
        } else if Key.self == UUID.self {
            UUID._withBytes(unsafeBitCast(key, to: UUID.self), body)
        } else {
            return false
        }
        return true
    }
}
