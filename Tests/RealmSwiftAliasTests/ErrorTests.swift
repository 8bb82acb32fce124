import Foundation
import RealmSwift
import Testing

/// Errors as programs catch them.
struct ErrorTests {
    private func makeURL() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("alias-\(UUID().uuidString).realm")
    }

    @Test func `a missing file is caught by its code`() throws {
        var wasCaught = false
        do {
            _ = try Realm(
                configuration: Realm.Configuration(
                    fileURL: makeURL(), readOnly: true, objectTypes: [TodoItem.self, TodoList.self]))
        } catch Realm.Error.fileNotFound {
            wasCaught = true
        }
        #expect(wasCaught)
    }

    @Test func `an older schema version is refused, and the file can be deleted`() throws {
        var configuration = Realm.Configuration(
            fileURL: makeURL(), schemaVersion: 3, objectTypes: [TodoItem.self, TodoList.self])
        do {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(TodoItem(title: "x")) }
            #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
        }
        configuration.schemaVersion = 2
        do {
            _ = try Realm(configuration: configuration)
            Issue.record("an older version was accepted")
        } catch let error as Realm.Error {
            #expect(error.code == .fail)
            #expect(error.localizedDescription.contains("schema version 2"))
        }
        #expect(Realm.fileExists(for: configuration))
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(!Realm.fileExists(for: configuration))
    }

    @Test func `a class that another lacks is a fault of the schema`() throws {
        let error = #expect(throws: Realm.Error.self) {
            try Realm(configuration: .forTest([TodoList.self]))
        }
        #expect(error?.localizedDescription.contains("TodoItem") == true)
    }

    @Test func `the default configuration is copied`() throws {
        let old = Realm.Configuration.defaultConfiguration
        defer { Realm.Configuration.defaultConfiguration = old }
        var configuration = Realm.Configuration.forTest([TodoItem.self, TodoList.self])
        Realm.Configuration.defaultConfiguration = configuration
        configuration.inMemoryIdentifier = "another"
        let realm = try Realm()
        try realm.write { realm.add(TodoItem(title: "default")) }
        #expect(try Realm().objects(TodoItem.self).count == 1)
        #expect(try Realm() == realm)
    }
}
