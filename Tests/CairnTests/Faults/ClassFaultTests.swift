import Cairn
import Foundation
import Testing

/// Faults that had to do with how a class is declared.
struct ClassFaultTests {
    /// The row key of a subclass's object was stored as if it were one of the superclass's table.
    @Test func `a link to a superclass took an object of a subclass for one of its own`() throws {
        let scratch = try Scratch([Animal.self, Cat.self])
        let realm = try scratch.realm()
        let animal = Animal(value: ["name": "a"])
        try realm.write { realm.add(animal) }
        let cats: [() -> Cat] = [
            { Cat(value: ["name": "unmanaged"]) },
            { realm.create(Cat.self, value: ["name": "managed"]) },
        ]
        for make in cats {
            let errors = [
                try mistake(in: realm) {
                    animal.mate = make()
                    #expect(animal.mate == nil)
                },
                try mistake(in: realm) {
                    animal.young.append(make())
                    #expect(animal.young.isEmpty)
                },
                try mistake(in: realm) {
                    let other = Animal(value: ["name": "b"])
                    other.young.append(make())
                    realm.add(other)
                    #expect(other.realm == nil)
                },
                try mistake(in: realm) {
                    let other = Animal(value: ["name": "c"])
                    other.mate = make()
                    realm.add(other, update: .modified)
                },
                try mistake(in: realm) {
                    realm.create(Animal.self, value: ["name": "d", "mate": make()])
                },
            ]
            for error in errors { #expect(error.message.contains("'Cat'"), "\(error)") }
        }
        #expect(realm.objects(Animal.self).count == 1 && realm.objects(Cat.self).isEmpty)
        try scratch.verify()
    }

    @Test func `a list of a superclass found a subclass's object of the same row`() throws {
        let scratch = try Scratch([Animal.self, Cat.self])
        let realm = try scratch.realm()
        let animal = Animal(value: ["name": "a"])
        let cat = Cat(value: ["name": "c"])
        try realm.write {
            realm.add([animal, cat])
            animal.young.append(animal)
            animal.mate = animal
        }
        #expect(animal.young.index(of: cat) == nil)
        #expect(animal.young.index(of: animal) == 0)
        #expect(animal != cat && !animal.isSameObject(as: cat))
        #expect(realm.objects(Animal.self).index(of: cat) == nil)
    }

    /// The list was bound before its object knew its Realm.
    @Test func `the list of a class with own fields and a declared default was always empty`() throws {
        let scratch = try Scratch([Shelf.self, Book.self])
        let realm = try scratch.realm()
        let shelf = Shelf(value: ["labels": ["a", "b"], "books": [["title": "one"]]])
        shelf.note = "kept"
        try realm.write { realm.add(shelf) }
        let labels = shelf.labels
        for found in [shelf, realm.objects(Shelf.self)[0]] + Array(realm.objects(Shelf.self)) {
            #expect(Array(found.labels) == ["a", "b"])
            #expect(found.books.map(\.title) == ["one"])
            #expect(found.books[0].shelves.first == shelf)
            #expect(found.keeper?.title == "untitled")
            #expect(found.labels == labels)
            #expect(found.freeze().labels.count == 2)
        }
        #expect(shelf.note == "kept")
        #expect(realm.objects(Shelf.self)[0].note == "own")
        try realm.write { realm.objects(Shelf.self)[0].labels.append("c") }
        #expect(labels.count == 3)
        // The defaults of accessors are not added.
        #expect(realm.objects(Book.self).count == 2)
        try scratch.verify()
    }

    /// Accessors kept the list that their initializer had filled.
    @Test func `an initializer that fills a list hid the stored one`() throws {
        let scratch = try Scratch([Eager.self])
        let realm = try scratch.realm()
        let eager = Eager()
        try realm.write {
            realm.add(eager)
            eager.name = "set"
            eager.tags.append("second")
            eager.friends.append(eager)
        }
        let found = realm.objects(Eager.self)[0]
        #expect(found.name == "set")
        #expect(Array(found.tags) == ["first", "second"])
        #expect(found.serial == eager.serial)
        #expect(found.tags == eager.tags)
        #expect(found.friends[0].tags.count == 2)
        for each in realm.objects(Eager.self) { #expect(each.tags.count == 2) }
        #expect(found.freeze().tags.count == 2)
        try realm.write { found.tags.removeAll() }
        #expect(eager.tags.isEmpty)
    }

    /// Each update left an object behind that nothing links to.
    @Test func `an update by create added the defaults of links that were not given`() throws {
        let scratch = try Scratch([Profile.self, Settings.self])
        let realm = try scratch.realm()
        try realm.write { realm.create(Profile.self, value: ["id": 1, "name": "a"]) }
        #expect(realm.objects(Settings.self).count == 1)
        for policy in [Realm.UpdatePolicy.modified, .all] {
            try realm.write {
                realm.create(Profile.self, value: ["id": 1, "name": "b"], update: policy)
            }
        }
        let profile = try #require(realm.objects(Profile.self).first)
        #expect(profile.name == "b" && profile.settings?.volume == 5)
        #expect(realm.objects(Settings.self).count == 1)
        // One that is not there yet gets them, and so does a link that is given.
        try realm.write {
            realm.create(Profile.self, value: ["id": 2], update: .modified)
            realm.create(
                Profile.self, value: ["id": 1, "extras": [["volume": 1]]] as [String: Any], update: .all)
        }
        #expect(realm.objects(Settings.self).map(\.volume) == [5, 5, 1])
        // A whole object replaces them.
        try realm.write { realm.add(Profile(value: ["id": 1]), update: .modified) }
        #expect(realm.objects(Settings.self).count == 4)
    }
}
