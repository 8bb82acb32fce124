import Cairn
import Foundation
import Testing

/// Files, their absence and their removal.
struct FilesTests {
    @Test func `a file that is open is not removed`() throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        #expect(!Realm.fileExists(for: configuration))
        #expect(try !Realm.deleteFiles(for: configuration))
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write { realm.add(Dog()) }
            #expect(Realm.fileExists(for: configuration))
            #expect(throws: Realm.Error(.alreadyOpen, "")) { try Realm.deleteFiles(for: configuration) }
            #expect(realm.objects(Dog.self).count == 1)
        }
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(!Realm.fileExists(for: configuration))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).isEmpty)
        #expect(try scratch.realm().isEmpty)
    }

    @Test func `places that cannot be opened`() throws {
        let scratch = try Scratch()
        var configuration = scratch.configuration()
        configuration.readOnly = true
        #expect(throws: Realm.Error(.fileNotFound, "")) { try Realm(configuration: configuration) }
        configuration = scratch.configuration()
        configuration.fileURL = scratch.folder.appendingPathComponent("no/such/folder/file")
        #expect(throws: Realm.Error(.fileNotFound, "")) { try Realm(configuration: configuration) }
        configuration.fileURL = nil
        #expect(throws: Realm.Error(.fail, "")) { try Realm(configuration: configuration) }
        configuration.inMemoryIdentifier = ""
        #expect(throws: Realm.Error(.fail, "")) { try Realm(configuration: configuration) }
        configuration.fileURL = URL(string: "https://example.org/file")
        #expect(throws: Realm.Error(.fail, "")) { try Realm(configuration: configuration) }
    }

    @Test func `files that are no databases`() throws {
        let scratch = try Scratch()
        for bytes in [
            Data("not a database".utf8), Data(repeating: 0, count: 8_192),
            Data((0..<9_000).map { UInt8($0 & 255) }),
        ] {
            try bytes.write(to: scratch.url())
            let error = #expect(throws: Realm.Error.self) { try scratch.realm() }
            #expect(error?.code == .invalidDatabase)
            #expect(error?.fileURL?.lastPathComponent == "test.cairn")
            #expect(error?.localizedDescription.isEmpty == false)
            #expect(try Data(contentsOf: scratch.url()) == bytes)
        }
    }

    @Test func `a Realm read only`() throws {
        let scratch = try Scratch()
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
        }
        var configuration = scratch.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(Dog.self).first?.name == "Rex")
        // Classes that it lacks cannot be added.
        configuration.objectTypes = [Dog.self, Person.self, AllTypes.self]
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .schemaMismatch)
        // Nor is it open for writing beside.
        configuration = scratch.configuration()
        #expect(throws: Realm.Error(.fail, "")) { try Realm(configuration: configuration) }
    }

    @Test func `errors can be told apart by their kind`() throws {
        let scratch = try Scratch()
        var configuration = scratch.configuration()
        configuration.readOnly = true
        var isCaught = false
        do {
            _ = try Realm(configuration: configuration)
        } catch Realm.Error.fileNotFound {
            isCaught = true
        }
        #expect(isCaught)
        let bridged = Realm.Error(.outOfDiskSpace, "full") as NSError
        #expect(bridged.domain == "io.realm" && bridged.code == 14)
        #expect(bridged.localizedDescription == "full")
    }

    @Test func `a Realm in memory lives as long as somebody has it (case C10)`() throws {
        let identifier = UUID().uuidString
        let configuration = Realm.Configuration(
            inMemoryIdentifier: identifier, objectTypes: [Dog.self, Person.self])
        #expect(configuration.fileURL == nil)
        try autoreleasing {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
            let name = try onNewThread {
                try Realm(configuration: configuration).objects(Dog.self).first?.name
            }
            #expect(name == "Rex")
            #expect(try Realm(configuration: configuration) == realm)
            #expect(realm.configuration.inMemoryIdentifier == identifier)
        }
        try autoreleasing {
            let realm = try Realm(configuration: configuration)
            #expect(realm.isEmpty)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter {
            $0.hasPrefix("cairn-\(ProcessInfo.processInfo.processIdentifier)-")
        }
        // Other tests may have one open at this moment, but not this one.
        #expect(left.allSatisfy { !$0.contains(identifier) })
    }

    @Test func `configurations`() throws {
        var configuration = Realm.Configuration()
        #expect(configuration.fileURL?.lastPathComponent == "default.cairn")
        configuration.inMemoryIdentifier = "x"
        #expect(configuration.fileURL == nil)
        configuration.fileURL = URL(fileURLWithPath: "/tmp/x")
        #expect(configuration.inMemoryIdentifier == nil)
        #expect(configuration == Realm.Configuration(fileURL: URL(fileURLWithPath: "/tmp/x")))
        #expect(configuration.description.contains("/tmp/x"))
        let scratch = try Scratch()
        let realm = try scratch.realm()
        #expect(realm.configuration.fileURL?.path == scratch.url().path)
        #expect(realm.configuration.objectTypes?.count == 2)
    }

    @Test func `a file that has reached its largest size stays readable`() throws {
        let scratch = try Scratch()
        var configuration = scratch.configuration()
        configuration.maximumFileSize = 1 << 20
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
        let error = #expect(throws: Realm.Error.self) {
            try realm.write {
                // All different: equal texts are kept once a chunk.
                for _ in 0..<3_000 {
                    let text = (0..<20).map { _ in UUID().uuidString }.joined()
                    realm.add(Dog(value: ["name": text]))
                }
            }
        }
        #expect(error?.code == .addressSpaceExhausted)
        #expect(realm.objects(Dog.self).count == 1 && realm.objects(Dog.self)[0].name == "Rex")
        try realm.write { realm.add(Dog()) }
        #expect(realm.objects(Dog.self).count == 2)
        try scratch.verify()
    }
}
