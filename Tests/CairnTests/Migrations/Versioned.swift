import Cairn
import Foundation
import Testing

/// What the classes of migration tests inherit from: several of them have one name, so none is found by
/// itself.
class Versioned: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A file that is opened with one version of its classes after the other.
final class VersionedFile {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch([])
    }

    func configuration(_ version: UInt64, _ types: [ObjectBase.Type]) -> Realm.Configuration {
        var configuration = scratch.configuration()
        configuration.objectTypes = types
        configuration.schemaVersion = version
        return configuration
    }

    /// Opens the file, does something with it and closes it. Checks all of it afterwards.
    func open<Result>(
        _ version: UInt64, _ types: [ObjectBase.Type], block: ThrowingMigrationBlock? = nil,
        _ body: (Realm) throws -> Result
    ) throws -> Result {
        var configuration = configuration(version, types)
        configuration.throwingMigrationBlock = block
        let result = try autoreleasing { try body(try Realm(configuration: configuration)) }
        try scratch.verify()
        return result
    }

    /// Makes the file, with what a block adds.
    func make(_ types: [ObjectBase.Type], version: UInt64 = 0, _ body: (Realm) -> Void) throws {
        let realm = try Realm(configuration: configuration(version, types))
        try realm.write { body(realm) }
    }

    /// Opens the file, which is refused, and checks that nothing has changed.
    @discardableResult
    func refuse(
        _ version: UInt64, _ types: [ObjectBase.Type], sourceLocation: SourceLocation = #_sourceLocation,
        block: ThrowingMigrationBlock? = nil
    ) throws -> Realm.Error {
        let before = try Data(contentsOf: scratch.url())
        var configuration = configuration(version, types)
        configuration.throwingMigrationBlock = block
        let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) {
            try Realm(configuration: configuration)
        }
        #expect(try Data(contentsOf: scratch.url()) == before, sourceLocation: sourceLocation)
        return try #require(error, sourceLocation: sourceLocation)
    }
}
