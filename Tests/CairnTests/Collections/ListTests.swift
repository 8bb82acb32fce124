import Cairn
import Foundation
import TestSupport
import Testing

/// Every operation on a list against an array, managed and unmanaged, short and in pieces.
struct ListTests {
    @Test(arguments: [true, false])
    func `move, swap and ranges (case L03)`(isManaged: Bool) throws {
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let object = AllLists()
        object.ints.append(objectsIn: [0, 1, 2, 3])
        if isManaged {
            try realm.write { realm.add(object) }
            realm.beginWrite()
        }
        let list = object.ints
        list.move(from: 1, to: 0)
        #expect(Array(list) == [1, 0, 2, 3])
        list.move(from: 2, to: 3)
        #expect(Array(list) == [1, 0, 3, 2])
        list.move(from: 1, to: 1)
        list.swapAt(0, 3)
        #expect(Array(list) == [2, 0, 3, 1])
        list.swapAt(2, 2)
        list.replaceSubrange(1..<3, with: [7, 8, 9])
        #expect(Array(list) == [2, 7, 8, 9, 1])
        list.removeSubrange(...1)
        #expect(Array(list) == [8, 9, 1])
        list[1] = 5
        list.insert(contentsOf: [3, 4], at: 0)
        #expect(Array(list) == [3, 4, 8, 5, 1])
        list.move(fromOffsets: IndexSet([0, 2]), toOffset: 4)
        #expect(Array(list) == [4, 5, 3, 8, 1])
        list.remove(atOffsets: IndexSet([0, 3, 4]))
        #expect(Array(list) == [5, 3])
        list.removeFirst()
        list.removeLast()
        #expect(list.isEmpty && list.first == nil && list.last == nil)
        list.append(objectsIn: 1...5)
        list.setValue(9, forKey: "self")
        #expect(Array(list) == [9, 9, 9, 9, 9])
        #expect(list.index(of: 9) == 0 && list.index(of: 1) == nil)
        list.removeAll()
        list.removeAll()
        if isManaged { try realm.commitWrite() }
        #expect(list.isEmpty)
        try scratch.verify()
    }

    @Test(arguments: 0..<6)
    func `random histories end as those of an array`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let object = AllLists()
        try realm.write { realm.add(object) }
        var model: [String] = []
        for round in 0..<6 {
            try realm.write {
                for _ in 0..<60 { change(object.strings, &model, &random) }
            }
            #expect(Array(object.strings) == model, "seed \(seed), round \(round)")
        }
        let unmanaged = AllLists()
        unmanaged.strings = object.strings
        #expect(Array(unmanaged.strings) == model, "seed \(seed)")
        try scratch.verify()
    }

    private func change(_ list: List<String>, _ model: inout [String], _ random: inout SeededGenerator) {
        let text = String(repeating: "t", count: Int.random(in: 0..<90, using: &random))
        let place = model.isEmpty ? 0 : Int.random(in: 0..<model.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1, 2:
            list.append(text)
            model.append(text)
        case 3:
            list.insert(text, at: place)
            model.insert(text, at: place)
        case 4 where !model.isEmpty:
            list.remove(at: place)
            model.remove(at: place)
        case 5 where !model.isEmpty:
            list[place] = text
            model[place] = text
        case 6:
            let range = place..<model.count
            let new = (0..<Int.random(in: 0..<20, using: &random)).map { "n\($0)" }
            list.replaceSubrange(range, with: new)
            model.replaceSubrange(range, with: new)
        default:
            let to = model.isEmpty ? 0 : Int.random(in: 0..<model.count, using: &random)
            guard !model.isEmpty else { return }
            list.move(from: place, to: to)
            model.insert(model.remove(at: place), at: to)
        }
    }

    @Test func `assigning a list copies its elements`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let first = Person(value: ["dogs": [["name": "Rex"], ["name": "Kim"]]])
        let second = Person()
        try realm.write {
            realm.add([first, second])
            second.dogs = first.dogs
            #expect(second.dogs != first.dogs)
            // A list assigned to itself stays.
            first.dogs = first.dogs
        }
        #expect(second.dogs.map(\.name) == ["Rex", "Kim"] && first.dogs.count == 2)
        #expect(first.dogs[0].owners.count == 2)
        try realm.write { second.dogs.removeAll() }
        #expect(first.dogs.count == 2)
        try scratch.verify()
    }

    @Test func `a list may be gone through while it is changed (case Q21)`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        for number in 0..<10 { person.dogs.append(Dog(value: ["name": "\(number)"])) }
        try realm.write { realm.add(person) }
        var seen: [String] = []
        try realm.write {
            for dog in person.dogs {
                seen.append(dog.name)
                person.dogs.append(Dog())
                realm.delete(dog)
            }
        }
        #expect(seen == (0..<10).map { "\($0)" })
        #expect(person.dogs.count == 10)
        try realm.write {
            for (place, _) in person.dogs.enumerated() where place < 10 { person.dogs.remove(at: 0) }
        }
        #expect(person.dogs.isEmpty)
        try scratch.verify()
    }

    @Test func `results may be gone through while objects come and go (case Q21)`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write { for number in 0..<1_000 { realm.create(Dog.self, value: ["name": "\(number)"]) } }
        var count = 0
        try realm.write {
            for dog in realm.objects(Dog.self) {
                count += 1
                realm.add(Dog())
                realm.delete(dog)
            }
        }
        #expect(count == 1_000 && realm.objects(Dog.self).count == 1_000)
        try realm.write {
            // Each deletes one that is still to come.
            count = 0
            let dogs = Array(realm.objects(Dog.self))
            for (place, _) in realm.objects(Dog.self).enumerated() {
                count += 1
                realm.delete(dogs[999 - place])
            }
        }
        #expect(count == 500)
        try realm.write { realm.delete(realm.objects(Dog.self)) }
        #expect(realm.objects(Dog.self).isEmpty)
        try scratch.verify()
    }

    @Test func `an object of a loop can be kept`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write { for number in 0..<1_000 { realm.create(Dog.self, value: ["name": "\(number)"]) } }
        var kept: [Dog] = []
        for dog in realm.objects(Dog.self) where dog.name.hasSuffix("7") { kept.append(dog) }
        #expect(kept.map(\.name) == stride(from: 7, to: 1_000, by: 10).map { "\($0)" })
        let all = Array(realm.objects(Dog.self))
        #expect(Set(all.map(\.name)).count == 1_000)
    }

    @Test func `deleting the owner of a list ends the list`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person(value: ["dogs": [["name": "Rex"]]])
        try realm.write { realm.add(person) }
        let dogs = person.dogs
        try realm.write { realm.delete(person) }
        #expect(dogs.isInvalidated)
        #expect(realm.objects(Dog.self).count == 1)
        #expect(realm.objects(Dog.self)[0].owners.isEmpty)
        #expect(!dogs.description.isEmpty)
    }

    @Test func `deleting the objects of a list, one of them twice in it`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person(value: ["dogs": [["name": "Rex"], ["name": "Kim"]]])
        try realm.write {
            realm.add(person)
            person.dogs.append(person.dogs[0])
            realm.delete(person.dogs)
        }
        #expect(person.dogs.isEmpty && realm.objects(Dog.self).isEmpty)
        try scratch.verify()
    }

    @Test func `an object that links to itself, and a circle, can be deleted (case L01)`() throws {
        let scratch = try Scratch([AllLists.self, AllOptionals.self])
        let realm = try scratch.realm()
        try realm.write {
            let node = AllLists()
            realm.add(node)
            node.objects.append(objectsIn: [node, node])
            realm.delete(node)
            let one = AllOptionals(value: ["key": "one"])
            let two = AllOptionals(value: ["key": "two", "link": one] as [String: Any])
            one.link = two
            let outside = AllOptionals(value: ["key": "outside", "link": one] as [String: Any])
            realm.add(outside)
            realm.delete([one, two])
            #expect(outside.link == nil)
        }
        #expect(realm.objects(AllLists.self).isEmpty && realm.objects(AllOptionals.self).count == 1)
        try scratch.verify()
    }
}
