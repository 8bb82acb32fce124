import Foundation
import RealmSwift
import Testing

/// A repository over a Realm, as an app's view models use it.
struct RepositoryTests {
    private func makeRepository() throws -> TodoRepository {
        try TodoRepository(configuration: .forTest([TodoItem.self, TodoList.self]))
    }

    @Test func `a list is made, found, worked off and removed`() throws {
        let repository = try makeRepository()
        try repository.makeList("Shopping", titles: ["Milk", "Bread", "Tea"])
        try repository.makeList("Work", titles: ["Report"])
        let shopping = try #require(repository.list(named: "Shopping"))
        #expect(shopping.items.map(\.title) == ["Milk", "Bread", "Tea"])

        try repository.complete(shopping.items[1])
        #expect(try repository.removeCompleted(from: shopping) == 1)
        #expect(Array(shopping.items.map(\.title)) == ["Milk", "Tea"])
        #expect(repository.lists.count == 2)

        try repository.removeAll()
        #expect(repository.lists.isEmpty)
        #expect(shopping.isInvalidated)
    }

    @Test func `what a server sends again updates what is there`() throws {
        let repository = try makeRepository()
        let item = TodoItem(title: "Call", priority: .high)
        let id = item._id
        try repository.save([item])

        let fromServer = TodoItem(title: "Call back")
        fromServer._id = id
        fromServer.due = Date(timeIntervalSince1970: 86_400)
        try repository.save([fromServer, TodoItem(title: "New")])

        #expect(item.title == "Call back")
        #expect(item.priority == .normal)
        #expect(item.due == Date(timeIntervalSince1970: 86_400))
        #expect(repository.item(id: id) == item)
        #expect(repository.item(id: ObjectId.generate()) == nil)
    }

    @Test func `an item knows the lists that hold it`() throws {
        let repository = try makeRepository()
        let list = try repository.makeList("Shopping", titles: ["Milk"])
        let item = list.items[0]
        #expect(item.lists.count == 1)
        #expect(item.lists.first?.name == "Shopping")
        #expect(item.lists[0] == list)
        #expect(item.realm == list.realm)
    }
}
