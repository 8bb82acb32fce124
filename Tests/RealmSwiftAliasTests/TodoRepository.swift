import Foundation
import RealmSwift

/// The repository class that most apps have, as they write it.
final class TodoRepository {
    private let realm: Realm

    init(configuration: Realm.Configuration) throws {
        realm = try Realm(configuration: configuration)
    }

    var lists: Results<TodoList> { realm.objects(TodoList.self) }

    func list(named name: String) -> TodoList? { lists.first { $0.name == name } }

    func item(id: ObjectId) -> TodoItem? { realm.object(ofType: TodoItem.self, forPrimaryKey: id) }

    @discardableResult
    func makeList(_ name: String, titles: [String]) throws -> TodoList {
        let list = TodoList()
        list.name = name
        list.items.append(objectsIn: titles.map { TodoItem(title: $0) })
        try realm.write { realm.add(list) }
        return list
    }

    func complete(_ item: TodoItem) throws {
        try realm.write { item.isDone = true }
    }

    func save(_ items: [TodoItem]) throws {
        try realm.write { realm.add(items, update: .modified) }
    }

    func removeCompleted(from list: TodoList) throws -> Int {
        try realm.write {
            let done = Array(list.items.filter { $0.isDone })
            realm.delete(done)
            return done.count
        }
    }

    func removeAll() throws {
        try realm.write { realm.deleteAll() }
    }
}
