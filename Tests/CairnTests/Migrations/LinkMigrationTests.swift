import Cairn
import Foundation
import Testing

private enum V1 {
    final class Person: Versioned {
        @Persisted(primaryKey: true) var name: String
        @Persisted var street = ""
        @Persisted var city = ""
        @Persisted var friend: Person?
        @Persisted var friends: List<Person>
        @Persisted var pet: Pet?
    }
    final class Pet: Versioned {
        @Persisted var name: String
        @Persisted(originProperty: "pet") var owners: LinkingObjects<Person>
    }
}

private enum V2 {
    final class Person: Versioned {
        @Persisted(primaryKey: true) var name: String
        @Persisted var address: Address?
        @Persisted var friend: Person?
        @Persisted var friends: List<Person>
        @Persisted var pets: List<Animal>
    }
    final class Address: Versioned {
        @Persisted var street: String
        @Persisted var city: String
        @Persisted(originProperty: "address") var people: LinkingObjects<Person>
    }
    final class Animal: Versioned {
        @Persisted var name: String
        @Persisted var kind = "animal"
        @Persisted(originProperty: "pets") var owners: LinkingObjects<Person>
    }
}

private enum Retargeted {
    final class Person: Versioned {
        @Persisted(primaryKey: true) var name: String
        @Persisted var friend: Pet?
        @Persisted var friends: List<Pet>
        @Persisted var pet: Person?
    }
    final class Pet: Versioned {
        @Persisted var name: String
    }
}

private enum Alone {
    final class Pet: Versioned {
        @Persisted var name: String
    }
}

private enum Ring {
    final class Left: Versioned {
        @Persisted var right: Right?
        @Persisted var lefts: List<Left>
    }
    final class Right: Versioned {
        @Persisted var left: Left?
    }
    final class Outside: Versioned {
        @Persisted var right: Right?
    }
}

struct LinkMigrationTests {
    private func file() throws -> VersionedFile {
        let file = try VersionedFile()
        try file.make([V1.Person.self, V1.Pet.self]) { realm in
            let pet = realm.create(V1.Pet.self, value: ["name": "Rex"])
            let people = ["a", "b", "c"].map { name in
                realm.create(
                    V1.Person.self,
                    value: ["name": name, "street": "\(name) street", "city": "\(name) city", "pet": pet]
                        as [String: Any])
            }
            people[0].friend = people[1]
            people[0].friends.append(objectsIn: [people[2], people[1], people[2]])
            people[2].friend = people[2]
        }
        return file
    }

    @Test func `a class is made out of a part of another, and one is renamed by copying`() throws {
        try file().open(
            1, [V2.Person.self, V2.Address.self, V2.Animal.self],
            block: { migration, _ in
                migration.enumerateObjects(ofType: "Pet") { old, _ in
                    guard let old else { return }
                    migration.create("Animal", value: old)
                }
                var animals: [String: MigrationObject] = [:]
                migration.enumerateObjects(ofType: "Animal") { old, new in
                    #expect(old == nil)
                    if let new, let name = new["name"] as? String { animals[name] = new }
                }
                migration.enumerateObjects(ofType: "Person") { old, new in
                    new?["address"] = ["street": old?["street"], "city": old?["city"]]
                    guard let pet = old?["pet"] as? MigrationObject, let name = pet["name"] as? String,
                        let animal = animals[name], let pets = new?["pets"] as? List<MigrationObject>
                    else {
                        Issue.record("no pet")
                        return
                    }
                    pets.append(animal)
                }
                migration.deleteData(forType: "Pet")
            }
        ) { realm in
            let people = realm.objects(V2.Person.self)
            #expect(people.map { $0.address?.street } == ["a street", "b street", "c street"])
            #expect(realm.objects(V2.Address.self).map { $0.people.first?.name } == ["a", "b", "c"])
            #expect(people.map { $0.pets.map(\.name) } == [["Rex"], ["Rex"], ["Rex"]])
            #expect(realm.objects(V2.Animal.self).map(\.kind) == ["animal"])
            #expect(realm.objects(V2.Animal.self)[0].owners.count == 3)
            #expect(people[0].friend?.name == "b" && people[2].friend == people[2])
            #expect(people[0].friends.map(\.name) == ["c", "b", "c"])
        }
    }

    @Test func `links of the old side lead to the same objects of the new one`() throws {
        try file().open(
            1, [V1.Person.self, V1.Pet.self],
            block: { migration, _ in
                migration.enumerateObjects(ofType: "Person") { old, new in
                    if old?["name"] as? String == "b", let new { migration.delete(new) }
                }
                migration.enumerateObjects(ofType: "Person") { old, new in
                    new?["friend"] = nil
                    new?["friend"] = old?["friend"]
                    new?["friends"] = old?["friends"]
                    if old?["name"] as? String == "c" {
                        migration.create(
                            "Person", value: ["name": "d", "friend": old as Any, "friends": [new]])
                    }
                }
            }
        ) { realm in
            let people = realm.objects(V1.Person.self)
            #expect(people.map(\.name) == ["a", "c", "d"])
            // The one that was deleted in the block is nowhere any more.
            #expect(people[0].friend == nil && people[0].friends.map(\.name) == ["c", "c"])
            #expect(people[1].friend?.name == "c")
            #expect(people[2].friend?.name == "c" && people[2].friends.map(\.name) == ["c"])
        }
    }

    @Test func `links to another class begin anew`() throws {
        try file().open(1, [Retargeted.Person.self, Retargeted.Pet.self]) { realm in
            let people = realm.objects(Retargeted.Person.self)
            #expect(people.allSatisfy { $0.friend == nil && $0.friends.isEmpty && $0.pet == nil })
            try realm.write { people[0].friend = realm.objects(Retargeted.Pet.self).first }
            #expect(people[0].friend?.name == "Rex")
        }
    }

    @Test func `inverse links in the block`() throws {
        try file().open(
            1, [V1.Person.self, V1.Pet.self],
            block: { migration, _ in
                migration.enumerateObjects(ofType: "Pet") { _, new in
                    let owners = new?["owners"] as? LinkingObjects<MigrationObject>
                    #expect(owners?.compactMap { $0["name"] as? String } == ["a", "b", "c"])
                }
            }
        ) { _ in }
    }

    @Test func `lists of both sides can be filtered and sorted`() throws {
        try file().open(
            1, [V1.Person.self, V1.Pet.self],
            block: { migration, _ in
                migration.enumerateObjects(ofType: "Person") { old, new in
                    guard old?["name"] as? String == "a" else { return }
                    new?["street"] = "new street"
                    for side in [old, new] {
                        let friends = side?["friends"] as? List<MigrationObject>
                        #expect(friends?.filter("name == 'c'").count == 2)
                        #expect(
                            friends?.sorted(byKeyPath: "name").compactMap { $0["name"] as? String }
                                == ["b", "c", "c"])
                    }
                }
            }
        ) { _ in }
    }

    @Test func `a class that the program leaves out stays whole`() throws {
        let file = try file()
        try file.open(
            1, [Alone.Pet.self],
            block: { migration, _ in
                migration.enumerateObjects(ofType: "Pet") { old, new in
                    if let new { migration.delete(new) }
                }
                migration.create("Pet", value: ["name": "Tom"])
                // Going through it is possible; changing it is not.
                var names: [String?] = []
                migration.enumerateObjects(ofType: "Person") { old, new in
                    #expect(new == nil)
                    names.append(old?["name"] as? String)
                }
                #expect(names == ["a", "b", "c"])
            }
        ) { realm in
            #expect(realm.objects(Alone.Pet.self).map(\.name) == ["Tom"])
        }
        try file.open(1, [V1.Person.self, V1.Pet.self]) { realm in
            let people = realm.objects(V1.Person.self)
            #expect(people.map(\.name) == ["a", "b", "c"] && people.allSatisfy { $0.pet == nil })
            #expect(people[0].friends.map(\.name) == ["c", "b", "c"])
        }
    }

    @Test func `all data of a class that stays`() throws {
        try file().open(
            1, [V1.Person.self, V1.Pet.self],
            block: { migration, _ in
                #expect(migration.deleteData(forType: "Person"))
                migration.enumerateObjects(ofType: "Person") { _, _ in Issue.record("a deleted object") }
                migration.create("Person", value: ["name": "new"])
            }
        ) { realm in
            #expect(realm.objects(V1.Person.self).map(\.name) == ["new"])
            #expect(realm.objects(V1.Pet.self).first?.owners.isEmpty == true)
        }
    }

    @Test func `removed classes that link to each other, and one that somebody else links to`() throws {
        let file = try VersionedFile()
        try file.make([Ring.Left.self, Ring.Right.self, Ring.Outside.self, Alone.Pet.self]) { realm in
            let left = realm.create(Ring.Left.self)
            let right = realm.create(Ring.Right.self, value: ["left": left])
            left.right = right
            left.lefts.append(left)
            realm.create(Ring.Outside.self, value: ["right": right])
            realm.create(Alone.Pet.self, value: ["name": "stays"])
        }
        // The class outside is none of this program's: its links keep the table that they lead to.
        try file.open(
            1, [Alone.Pet.self],
            block: { migration, _ in
                for name in ["Left", "Right"] { #expect(migration.deleteData(forType: name)) }
            }
        ) { realm in #expect(realm.objects(Alone.Pet.self).map(\.name) == ["stays"]) }
        try file.open(1, [Ring.Left.self, Ring.Right.self, Ring.Outside.self]) { realm in
            #expect(realm.objects(Ring.Left.self).isEmpty && realm.objects(Ring.Right.self).isEmpty)
            #expect(realm.objects(Ring.Outside.self).map { $0.right == nil } == [true])
        }
        try file.open(
            2, [Alone.Pet.self],
            block: { migration, _ in
                for name in ["Left", "Right", "Outside"] { #expect(migration.deleteData(forType: name)) }
            }
        ) { _ in }
        try file.open(
            3, [Alone.Pet.self],
            block: { migration, _ in
                #expect(migration.oldSchema.objectSchema.map(\.className) == ["Pet"])
            }
        ) { _ in }
    }
}
