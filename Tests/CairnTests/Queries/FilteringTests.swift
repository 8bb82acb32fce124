import Cairn
import Foundation
import Testing

@Suite struct FilteringTests {
    /// A Realm in a folder of its own.
    private struct Opened {
        let scratch: Scratch
        let realm: Realm

        init(_ types: [ObjectBase.Type]) throws {
            scratch = try Scratch(types)
            realm = try scratch.realm()
        }
    }

    /// Ada (36, Rex and Max), Ben (7, no dogs), Cleo (36, Fido), Dan (70, Rex too).
    private func people() throws -> Opened {
        let scratch = try Opened([Person.self, Dog.self])
        try scratch.realm.write {
            let rex = Dog(value: ["name": "Rex", "weight": 30.5])
            let max = Dog(value: ["name": "Max", "weight": 8.0])
            let fido = Dog(value: ["name": "Fido"])
            let ada = person("Ada", 36, [rex, max])
            let ben = person("Ben", 7, [])
            let cleo = person("Cleo", 36, [fido])
            let dan = person("Dan", 70, [rex])
            // Before they have friends, who would be added with them, out of turn.
            scratch.realm.add([ada, ben, cleo, dan])
            ada.bestFriend = cleo
            ben.bestFriend = ada
            cleo.bestFriend = cleo
        }
        return scratch
    }

    private func person(_ name: String, _ age: Int, _ dogs: [Dog]) -> Person {
        let person = Person()
        person.name = name
        person.age = age
        person.dogs.append(objectsIn: dogs)
        return person
    }

    private func names(_ people: Results<Person>) -> String { people.map(\.name).joined(separator: " ") }

    @Test(arguments: [
        ("age > 30", "Ada Cleo Dan"), ("age == 36", "Ada Cleo"), ("36 == age", "Ada Cleo"),
        ("age < 36", "Ben"),
        ("7 < age", "Ada Cleo Dan"), ("age BETWEEN {7, 36}", "Ada Ben Cleo"), ("age IN {7, 70}", "Ben Dan"),
        ("age > 35.5 AND age < 36.5", "Ada Cleo"), ("NOT age == 36", "Ben Dan"),
        ("name == 'Ben'", "Ben"), ("name BEGINSWITH 'C'", "Cleo"), ("name CONTAINS[c] 'E'", "Ben Cleo"),
        ("name LIKE '?a*'", "Dan"), ("name ENDSWITH 'n'", "Ben Dan"), ("name > 'B'", "Ben Cleo Dan"),
        ("bestFriend == nil", "Dan"), ("bestFriend != nil", "Ada Ben Cleo"),
        ("bestFriend.name == 'Cleo'", "Ada Cleo"), ("bestFriend.bestFriend.name == 'Cleo'", "Ada Ben Cleo"),
        ("bestFriend.age != 36", "Dan"), ("bestFriend.name == name", "Cleo"),
        ("ANY dogs.name == 'Rex'", "Ada Dan"), ("NONE dogs.name == 'Rex'", "Ben Cleo"),
        ("ALL dogs.weight > 20", "Ben Dan"), ("ANY dogs.weight == nil", "Cleo"),
        ("dogs.@count == 0", "Ben"), ("dogs.@count > 0", "Ada Cleo Dan"), ("dogs.@count == 2", "Ada"),
        ("dogs.@sum.weight > 38", "Ada"), ("dogs.@max.weight == nil", "Ben Cleo"),
        ("SUBQUERY(dogs, $d, $d.name == 'Rex' AND $d.weight > 30).@count == 1", "Ada Dan"),
        ("SUBQUERY(dogs, $d, $d.name == 'Max' AND $d.weight > 30).@count > 0", ""),
        ("ANY bestFriendOf.name == 'Ben'", "Ada"), ("bestFriendOf.@count > 1", "Cleo"),
        ("TRUEPREDICATE", "Ada Ben Cleo Dan"), ("FALSEPREDICATE", ""),
    ])
    func `a predicate selects the people it says`(_ predicate: String, _ wanted: String) throws {
        let scratch = try people()
        let all = scratch.realm.objects(Person.self)
        #expect(names(all.filter(predicate)) == wanted)
        #expect(names(try all.filtered(predicate)) == wanted)
        #expect(all.filter(predicate).count == wanted.split(separator: " ").count)
        #expect(all.filter(predicate).first?.name == wanted.split(separator: " ").first.map(String.init))
        #expect(all.filter(predicate).isEmpty == wanted.isEmpty)
        // What is not selected is selected by its NOT.
        let others = all.filter("NOT (\(predicate))").map(\.name)
        #expect(Set(others).union(wanted.split(separator: " ").map(String.init)).count == 4)
        #expect(others.count == 4 - wanted.split(separator: " ").count)
    }

    @Test func `results follow the writes of their Realm`() throws {
        let scratch = try people()
        let old = scratch.realm.objects(Person.self).filter("age > 30").sorted(
            byKeyPath: "name", ascending: false)
        #expect(names(old) == "Dan Cleo Ada")
        try scratch.realm.write {
            let ben = try #require(scratch.realm.objects(Person.self).filter("name == 'Ben'").first)
            ben.age = 31
            #expect(names(old) == "Dan Cleo Ben Ada")
            ben.name = "Zoe"
            #expect(names(old) == "Zoe Dan Cleo Ada")
            scratch.realm.delete(old[1])
            #expect(names(old) == "Zoe Cleo Ada")
            scratch.realm.add(person("Eve", 99, []))
        }
        #expect(names(old) == "Zoe Eve Cleo Ada")
    }

    @Test func `lists and linking objects are asked in their own order`() throws {
        let scratch = try people()
        let ada = try #require(scratch.realm.objects(Person.self).filter("name == %@", "Ada").first)
        #expect(ada.dogs.filter("weight > 5").map(\.name) == ["Rex", "Max"])
        #expect(ada.dogs.sorted(byKeyPath: "weight").map(\.name) == ["Max", "Rex"])
        #expect(ada.dogs.index(matching: "name == 'Max'") == 1)
        #expect(ada.dogs.max(ofProperty: "weight") == 30.5)
        #expect(ada.bestFriendOf.filter("age < 10").map(\.name) == ["Ben"])
        #expect(ada.dogs[0].owners.filter("age > 50").map(\.name) == ["Dan"])
    }

    @Test func `objects are arguments`() throws {
        let scratch = try people()
        let all = scratch.realm.objects(Person.self)
        let cleo = try #require(all.filter("name == 'Cleo'").first)
        #expect(names(all.filter("bestFriend == %@", cleo)) == "Ada Cleo")
        #expect(names(all.filter("bestFriend != %@", cleo)) == "Ben Dan")
        #expect(names(all.filter("bestFriend IN %@", [cleo])) == "Ada Cleo")
        #expect(names(all.filter("%@ IN dogs", cleo.dogs[0])) == "Cleo")
        #expect(names(all.filter("ANY dogs == %@", cleo.dogs[0])) == "Cleo")
        #expect(names(all.filter("SELF == %@", cleo)) == "Cleo")
        #expect(names(all.filter("bestFriend == %@", Person())) == "")
        #expect(names(all.filter("age IN %@", [7, 70])) == "Ben Dan")
        #expect(names(all.filter("name IN %@", Set(["Ada", "Dan"]))) == "Ada Dan")
    }

    @Test(arguments: [
        ("agee > 3", "Did you mean 'age'?"), ("bestFriend.nmae == 'x'", "Did you mean 'name'?"),
        ("age == 'x'", "cannot be compared with a String"), ("dogs.name == 'x'", "ANY"),
        ("ANY age > 3", "crosses a collection"), ("age BEGINSWITH 'x'", "BEGINSWITH"),
        ("age >", "is expected"),
        ("name.length > 3", "has no properties"), ("ANY dogs.@foo > 3", "foo"),
    ])
    func `a wrong predicate throws a sentence`(_ predicate: String, _ words: String) throws {
        let scratch = try people()
        let error = #expect(throws: RealmError.self) {
            _ = try scratch.realm.objects(Person.self).filtered(predicate)
        }
        #expect(error?.code == .invalidInput)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `a wrong predicate in a write dooms it and gives nothing`() throws {
        let scratch = try people()
        let error = #expect(throws: RealmError.self) {
            try scratch.realm.write {
                #expect(scratch.realm.objects(Person.self).filter("agee > 3").isEmpty)
                scratch.realm.deleteAll()
            }
        }
        #expect(error?.code == .invalidInput)
        #expect(scratch.realm.objects(Person.self).count == 4)
    }

    @Test func `frozen results stay what they are`() throws {
        let scratch = try people()
        let frozen = scratch.realm.objects(Person.self).filter("age > 30").sorted(byKeyPath: "name").freeze()
        try scratch.realm.write { scratch.realm.deleteAll() }
        #expect(names(frozen) == "Ada Cleo Dan")
        #expect(frozen.filter("age > 50").map(\.name) == ["Dan"])
        #expect(frozen.thaw()?.isEmpty == true)
    }

    @Test func `values of a list are filtered and sorted and told apart`() throws {
        let scratch = try Opened([AllLists.self])
        let lists = AllLists()
        lists.ints.append(objectsIn: [3, 1, 2, 3, 1])
        lists.strings.append(objectsIn: ["b", "A", "a"])
        try scratch.realm.write { scratch.realm.add(lists) }
        #expect(Array(lists.ints.filter("SELF > 1")) == [3, 2, 3])
        #expect(Array(lists.ints.sorted()) == [1, 1, 2, 3, 3])
        #expect(Array(lists.ints.sorted(ascending: false).distinct()) == [3, 2, 1])
        #expect(Array(lists.ints.distinct()) == [3, 1, 2])
        #expect(lists.ints.sum() == 10)
        #expect(lists.ints.max() == 3)
        #expect(lists.ints.average() == 2.0)
        #expect(Array(lists.strings.sorted()) == ["A", "a", "b"])
        #expect(Array(lists.strings.filter("SELF ==[c] 'A'")) == ["A", "a"])
        #expect(lists.ints.index(matching: "SELF == 2") == 2)
    }
}
