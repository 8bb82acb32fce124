import Cairn
import Testing

private enum V1 {
    final class Person: Versioned {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var age: String
        @Persisted var nick: String?
    }
    final class Pet: Versioned {
        @Persisted var name: String
    }
}

private enum V2 {
    final class Person: Versioned {
        @Persisted var id: Int
        @Persisted(primaryKey: true) var key: ObjectId
        @Persisted var fullName: String
        @Persisted var age: Int
        @Persisted var nick: String
    }
    final class Pet: Versioned {
        @Persisted var name: String
        @Persisted var weight: Double?
    }
}

private enum V3 {
    final class Pet: Versioned {
        @Persisted var name: String
        @Persisted var weight: Double?
    }
}

struct MigrationAdviceTests {
    @Test func `every change is listed, with the lines to write`() throws {
        let file = try VersionedFile()
        try file.make([V1.Person.self, V1.Pet.self], version: 3) { $0.create(V1.Pet.self) }
        let error = try file.refuse(3, [V2.Person.self, V2.Pet.self])
        #expect(error.code == .schemaMismatch)
        #expect(
            error.message == """
                Migration is required due to the following errors:
                - Property 'Person.key' has been added.
                - Property 'Person.fullName' has been added.
                - Property 'Person.age' has been changed from 'String' to 'Int'.
                - Property 'Person.nick' has been made required ('String?' to 'String').
                - Property 'Person.name' has been removed.
                - Primary key for class 'Person' has been changed from 'id' to 'key'.
                - Property 'Pet.weight' has been added.
                Raise the schema version of the configuration. What is not said in a migration block is done by \
                itself: added properties get their declared defaults, removed ones go, changed types begin anew.
                    configuration.schemaVersion = 4
                    configuration.migrationBlock = { migration, oldSchemaVersion in
                        if oldSchemaVersion < 4 {
                            // If 'name' is called 'fullName' now:
                            migration.renameProperty(onType: "Person", from: "name", to: "fullName")
                            migration.enumerateObjects(ofType: "Person") { old, new in
                                // 'String' becomes 'Int': convert the value, or it is lost.
                                new?["age"] = old?["age"]
                                // nil becomes the declared default, if nothing else is said.
                                if old?["nick"] == nil { new?["nick"] = /* String */ }
                                // Each object needs a key of its own.
                                new?["key"] = /* a key */
                            }
                        }
                    }
                """)
    }

    @Test func `where nothing would be lost, no block is written`() throws {
        let file = try VersionedFile()
        try file.make([V1.Pet.self]) { $0.create(V1.Pet.self) }
        let error = try file.refuse(0, [V3.Pet.self])
        #expect(error.message.hasSuffix("configuration.schemaVersion = 1\nNo migration block is needed."))
    }
}
