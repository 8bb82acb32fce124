import Cairn
import Foundation
import Testing

@Suite struct SectionedResultsTests {
    private func people(_ scratch: Scratch) throws -> Realm {
        let realm = try scratch.realm()
        try realm.write {
            for (name, age) in [("Ben", 7), ("Ada", 36), ("Bea", 36), ("Cleo", 7), ("Ann", 70)] {
                realm.create(Person.self, value: ["name": name, "age": age])
            }
        }
        return realm
    }

    private func text<Key>(_ sections: SectionedResults<Key, Person>) -> String {
        sections.map { "\($0.key): \($0.map(\.name).joined(separator: " "))" }.joined(separator: ", ")
    }

    @Test func `sections have the order of their first elements`() throws {
        let scratch = try Scratch()
        let all = try people(scratch).objects(Person.self)
        #expect(text(all.sectioned(by: \.age)) == "7: Ben Cleo, 36: Ada Bea, 70: Ann")
        #expect(text(all.sectioned(by: \.age, ascending: false)) == "70: Ann, 36: Ada Bea, 7: Ben Cleo")
        #expect(
            text(all.sectioned(by: \.age, sortDescriptors: ["age", "name"]))
                == "7: Ben Cleo, 36: Ada Bea, 70: Ann")
        let byLetter = all.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
        #expect(text(byLetter) == "A: Ada Ann, B: Bea Ben, C: Cleo")
        #expect(byLetter.allKeys == ["A", "B", "C"])
        #expect(byLetter.count == 3)
        #expect(byLetter[1][0].name == "Bea")
        #expect(byLetter[IndexPath(item: 1, section: 0)].name == "Ann")
        #expect(byLetter[0].id == "A")
        #expect(byLetter[0] == byLetter[0])
        #expect(byLetter[0] != byLetter[1])
        #expect(byLetter == byLetter)
    }

    @Test func `a later element joins the section of its key`() throws {
        let scratch = try Scratch()
        let all = try people(scratch).objects(Person.self)
        // Sorted by name the parities of the ages alternate.
        let byParity = all.sectioned(by: { $0.age.isMultiple(of: 2) }, sortDescriptors: ["name"])
        #expect(text(byParity) == "true: Ada Ann Bea, false: Ben Cleo")
    }

    @Test func `sections follow a write, and one that is gone is invalidated`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let byLetter = realm.objects(Person.self)
            .sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
        let c = byLetter[2]
        let frozen = byLetter.freeze()
        try realm.write {
            let cleo = try #require(c.first)
            cleo.name = "Alma"
            #expect(text(byLetter) == "A: Ada Alma Ann, B: Bea Ben")
        }
        #expect(c.isInvalidated)
        #expect(c.isEmpty)
        #expect(!byLetter[0].isInvalidated)
        #expect(text(frozen) == "A: Ada Ann, B: Bea Ben, C: Cleo")
        #expect(frozen.isFrozen)
        #expect(frozen[2].first?.name == "Cleo")
        #expect(frozen.thaw().map { text($0) } == "A: Ada Alma Ann, B: Bea Ben")
        #expect(byLetter.realm == realm)
    }

    @Test func `values have sections, and nil can be a key`() throws {
        let scratch = try Scratch([AllLists.self, AllOptionals.self])
        let realm = try scratch.realm()
        let lists = AllLists()
        lists.ints.append(objectsIn: [5, 1, 4, 2, 3])
        try realm.write {
            realm.add(lists)
            realm.create(AllOptionals.self, value: ["key": "a", "int": 2])
            realm.create(AllOptionals.self, value: ["key": "b"])
            realm.create(AllOptionals.self, value: ["key": "c", "int": 2])
        }
        let parity = lists.ints.sectioned(by: { $0.isMultiple(of: 2) }, ascending: false)
        #expect(parity.map { "\($0.key) \(Array($0))" } == ["false [5, 3, 1]", "true [4, 2]"])
        let byInt = realm.objects(AllOptionals.self).sectioned(by: \.int)
        #expect(byInt.allKeys == [nil, 2])
        #expect(byInt[0].map(\.key) == ["b"])
    }

    @Test func `a first descriptor of another key path dooms the write`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let first = try mistake(in: realm) {
            _ = realm.objects(Person.self).sectioned(by: \.age, sortDescriptors: ["name"])
        }
        #expect(first.message.contains("must be the same"))
        let second = try mistake(in: realm) {
            _ = realm.objects(Person.self).sectioned(by: { $0.age }, sortDescriptors: [])
        }
        #expect(second.message.contains("at least one descriptor"))
    }
}
