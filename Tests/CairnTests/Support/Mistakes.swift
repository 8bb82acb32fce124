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

/// Whether the sentence of a trap, as it was written to the standard error output, has some parts.
func expectSentence(
    _ result: ExitTest.Result?, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for part in parts { #expect(text.contains(part), "\(part)\n\(text)", sourceLocation: sourceLocation) }
}
