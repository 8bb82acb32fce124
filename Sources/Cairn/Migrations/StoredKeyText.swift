internal import Foundation

/// Stored primary keys as text, for errors.
enum StoredKeyText {
    /// - Parameter bytes: nil for nil.
    static func text(_ bytes: UnsafeRawBufferPointer?, _ type: PropertyType) -> String {
        guard let bytes else { return "nil" }
        return switch type {
        case .int: "\(Int._fromBytes(bytes))"
        case .string: String._fromBytes(bytes)
        case .objectId: "\(ObjectId._fromBytes(bytes))"
        case .UUID: "\(UUID._fromBytes(bytes))"
        default: "?"
        }
    }
}
