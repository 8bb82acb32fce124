import Cairn
import Testing

/// Runs a block as a write and returns the mistake that it failed with.
func mistake(
    in realm: Realm, sourceLocation: SourceLocation = #_sourceLocation, _ block: () throws -> Void
) throws -> Realm.Error {
    let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) { try realm.write(block) }
    #expect(!realm.isInWriteTransaction, sourceLocation: sourceLocation)
    return try #require(error, sourceLocation: sourceLocation)
}
