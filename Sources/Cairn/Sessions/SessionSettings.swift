internal import CairnStorage
internal import Foundation

/// What a `Realm.Configuration` says of the file, in the engine's terms.
struct SessionSettings: Sendable {
    /// The data file.
    var path: String
    /// The identifier of an in-memory Realm, or nil.
    var inMemoryIdentifier: String?
    var isReadOnly: Bool
    var schemaVersion: UInt64
    var durability: StoreOptions.Durability
    /// How many versions may be held when a write begins; nil for any number.
    var maximumVersionCount: Int?
    var options: StoreOptions

    var fileURL: URL { URL(fileURLWithPath: path) }
}
