import Cairn
import Foundation
import Testing

private enum V1 {
    final class Person: Versioned {
        @Persisted var name: String?
        @Persisted var age: Int?
        @Persisted var isTall: Bool?
        @Persisted var height: Double?
        @Persisted var born: Date?
        @Persisted var photo: Data?
        @Persisted var code: ObjectId?
        @Persisted(indexed: true) var rank: Int?
        @Persisted var tags: List<String?>
    }
}

private enum V2 {
    final class Person: Versioned {
        @Persisted var name = "nobody"
        @Persisted var age: Int
        @Persisted var isTall: Bool
        @Persisted var height = 1.5
        @Persisted var born: Date
        @Persisted var photo: Data
        @Persisted var code: ObjectId
        @Persisted(indexed: true) var rank = 7
        @Persisted var tags: List<String>
    }
}

struct RequiredPropertyTests {
    private let code = ObjectId.generate()

    private func file() throws -> VersionedFile {
        let file = try VersionedFile()
        try file.make([V1.Person.self]) { realm in
            realm.create(
                V1.Person.self,
                value: [
                    "name": "John", "age": 30, "isTall": true, "height": 1.8,
                    "born": Date(timeIntervalSince1970: 5), "photo": Data([1]), "code": code, "rank": 3,
                    "tags": ["a", nil, ""] as [String?],
                ] as [String: Any])
            realm.create(V1.Person.self)
        }
        return file
    }

    @Test func `optional made required needs a higher version (case M01 a)`() throws {
        let error = try file().refuse(0, [V2.Person.self])
        #expect(error.code == .schemaMismatch)
        #expect(
            error.message.contains("- Property 'Person.name' has been made required ('String?' to 'String').")
        )
        #expect(error.message.contains("configuration.schemaVersion = 1"))
    }

    @Test func `optional made required keeps values, and nil becomes the declared default (case M01 b)`()
        throws
    {
        let file = try file()
        let lines = Recorder<String>()
        let logger = Logger.shared
        Logger.shared = Logger(level: .info) { lines.append("\($0): \($1)") }
        defer { Logger.shared = logger }
        let before = Date()
        try file.open(1, [V2.Person.self]) { realm in
            let people = realm.objects(V2.Person.self)
            #expect(people.map(\.name) == ["John", "nobody"])
            #expect(people.map(\.age) == [30, 0] && people.map(\.isTall) == [true, false])
            #expect(people.map(\.height) == [1.8, 1.5])
            #expect(people[0].born == Date(timeIntervalSince1970: 5))
            #expect(people[1].born >= before && people[1].born <= Date())
            #expect(people.map(\.photo) == [Data([1]), Data()])
            #expect(people[0].code == code && people[1].code != code)
            #expect(people.map(\.rank) == [3, 7])
            #expect(people.map { Array($0.tags) } == [["a", "", ""], []])
        }
        let line = lines.values.first { $0.contains("'Person.name'") }
        #expect(line?.contains("warn: 'Person.name' was made required: 1 of 2 objects") == true)
        #expect(lines.values.contains { $0.contains("'Person.tags' was made required: 1 of 2") })
    }

    @Test func `a block copies what was optional (cases M01 c, M16)`() throws {
        let file = try file()
        try file.open(
            1, [V2.Person.self],
            block: { migration, _ in
                var names: [String?] = []
                try migration.enumerateObjects(ofType: "Person") { old, new in
                    names.append(old?["name"] as? String)
                    new?["name"] = old?["name"] ?? ""
                    let tags = try #require(old?["tags"] as? List<String?>)
                    #expect(Array(tags) == ["a", nil, ""] || tags.isEmpty)
                    new?["tags"] = tags.map { $0 ?? "none" }
                }
                #expect(names == ["John", nil])
            }
        ) { realm in
            #expect(realm.objects(V2.Person.self).map(\.name) == ["John", ""])
            #expect(realm.objects(V2.Person.self).map { Array($0.tags) } == [["a", "none", ""], []])
        }
    }

    @Test func `required made optional keeps everything`() throws {
        let file = try VersionedFile()
        try file.make([V2.Person.self]) { realm in
            realm.create(V2.Person.self, value: ["rank": 1, "tags": ["a", "", ""]])
            realm.create(V2.Person.self, value: ["name": "", "age": 3])
        }
        try file.open(1, [V1.Person.self]) { realm in
            let people = realm.objects(V1.Person.self)
            #expect(people.map(\.name) == ["nobody", ""] && people.map(\.age) == [0, 3])
            #expect(people.map(\.isTall) == [false, false] && people.map(\.height) == [1.5, 1.5])
            #expect(people.map(\.rank) == [1, 7] && people.map(\.photo) == [Data(), Data()])
            #expect(people.map { Array($0.tags) } == [["a", "", ""], []])
            try realm.write {
                people[0].name = nil
                people[0].rank = nil
                people[0].tags.append(nil)
            }
            #expect(people[0].name == nil && people[0].rank == nil && people[0].tags.last == .some(nil))
            try realm.write { realm.create(V1.Person.self) }
            #expect(people[2].name == nil && people[2].rank == nil)
        }
    }
}
