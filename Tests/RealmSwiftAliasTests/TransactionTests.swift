import Foundation
import RealmSwift
import Testing

/// Writes that end well, and others.
struct TransactionTests {
    private struct NetworkFailure: Error {}

    private func makeRealm() throws -> Realm {
        try Realm(configuration: .forTest([TodoItem.self, TodoList.self]))
    }

    @Test func `an error in the block undoes everything`() throws {
        let realm = try makeRealm()
        #expect(throws: NetworkFailure.self) {
            try realm.write {
                realm.add(TodoItem(title: "lost"))
                throw NetworkFailure()
            }
        }
        #expect(realm.isEmpty)
        #expect(!realm.isInWriteTransaction)
    }

    @Test func `begin, commit and cancel`() throws {
        let realm = try makeRealm()
        realm.beginWrite()
        #expect(realm.isInWriteTransaction)
        realm.add(TodoItem(title: "kept"))
        try realm.commitWrite()

        realm.beginWrite()
        let undone = TodoItem(title: "undone")
        realm.add(undone)
        realm.cancelWrite()
        #expect(undone.isInvalidated)
        #expect(realm.objects(TodoItem.self).map(\.title) == ["kept"])
    }

    @Test func `the block's value is that of the write`() throws {
        let realm = try makeRealm()
        let id = try realm.write { () -> ObjectId in
            let item = realm.create(TodoItem.self, value: ["title": "made here"])
            return item._id
        }
        #expect(realm.object(ofType: TodoItem.self, forPrimaryKey: id)?.title == "made here")
    }

    @Test func `lists are edited in place`() throws {
        let realm = try makeRealm()
        let list = TodoList(value: ["name": "Week", "tags": ["a", "b"]])
        try realm.write { realm.add(list) }
        try realm.write {
            list.tags.append("c")
            list.tags.insert("first", at: 0)
            list.tags.move(from: 3, to: 1)
            list.tags.remove(at: 2)
            list.tags[0] = "zero"
            list.items.append(TodoItem(title: "one"))
            list.items.append(objectsIn: [TodoItem(title: "two"), TodoItem(title: "three")])
            list.items.swapAt(0, 2)
        }
        #expect(Array(list.tags) == ["zero", "c", "b"])
        #expect(list.items.map(\.title) == ["three", "two", "one"])
        #expect(list.items.index(of: list.items[1]) == 1)
        #expect(list.items.first?.title == "three" && list.items.last?.title == "one")
        try realm.write { realm.delete(list.items) }
        #expect(list.items.isEmpty && realm.objects(TodoItem.self).isEmpty)
        for tag in list.tags { #expect(!tag.isEmpty) }
    }

    @Test func `an enum is stored by its raw value`() throws {
        let realm = try makeRealm()
        try realm.write {
            for priority in Priority.allCases {
                realm.add(TodoItem(title: "\(priority)", priority: priority))
            }
        }
        #expect(realm.objects(TodoItem.self).map(\.priority) == [.low, .normal, .high])
        let first = realm.objects(TodoItem.self)[0]
        try realm.write { first.priority = .high }
        #expect(first.value(forKey: "priority") as? Int == 2)
    }
}
