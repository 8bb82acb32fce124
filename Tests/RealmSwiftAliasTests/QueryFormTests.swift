import Foundation
import RealmSwift
import Testing

/// Queries as programs write them that were made for RealmSwift.
struct QueryFormTests {
    private func makeRealm() throws -> Realm {
        let realm = try Realm(
            configuration: .forTest([TodoItem.self, TodoList.self, Contact.self, Company.self]))
        let list = TodoList()
        list.name = "Shopping"
        list.tags.append("home")
        for (index, title) in ["Milk", "Bread", "Tea", "milk powder"].enumerated() {
            let item = TodoItem(title: title, priority: index == 2 ? .high : .normal)
            item.isDone = index == 1
            item.due = index == 0 ? nil : Date(timeIntervalSince1970: Double(index))
            list.items.append(item)
        }
        let contact = Contact(value: ["email": "a@b.c", "name": "Ann", "employer": ["name": "Mill"]])
        try realm.write {
            realm.add(list)
            realm.add(contact)
        }
        return realm
    }

    @Test func `predicate text and NSPredicate`() throws {
        let realm = try makeRealm()
        let items = realm.objects(TodoItem.self)
        let searchText = "MILK"
        let predicate = NSPredicate(format: "title CONTAINS[c] %@", searchText)
        #expect(items.filter(predicate).map(\.title).sorted() == ["Milk", "milk powder"])
        let open = NSCompoundPredicate(
            type: .and,
            subpredicates: [
                predicate, NSPredicate(format: "isDone == %@", NSNumber(value: false)),
                NSPredicate(format: "due != nil"),
            ])
        #expect(items.filter(open).map(\.title) == ["milk powder"])
        #expect(items.filter("priority == %@", Priority.high).first?.title == "Tea")
        #expect(items.filter("ANY lists.name == %@ AND isDone == true", "Shopping").count == 1)
        #expect(items.filter("_id IN %@", items.prefix(2).map(\._id)).count == 2)
        let lists = realm.objects(TodoList.self)
        #expect(lists.filter("SUBQUERY(items, $item, $item.isDone == false).@count > %d", 2).count == 1)
        #expect(lists.filter(NSPredicate(format: "%K == %@", #"name"#, "Shopping")).count == 1)
        #expect(lists.filter(NSPredicate(format: "items.@count == %ld", 4)).count == 1)
    }

    @Test func `where`() throws {
        let realm = try makeRealm()
        let items = realm.objects(TodoItem.self)
        let deadline = Date(timeIntervalSince1970: 3)
        #expect(items.where { !$0.isDone }.count == 3)
        #expect(items.where { !$0.isDone && $0.due < deadline }.map(\.title) == ["Tea"])
        #expect(items.where { $0.due == nil || $0.priority == .high }.count == 2)
        #expect(items.where { $0.title.contains("MILK", options: [.caseInsensitive]) }.count == 2)
        #expect(items.where { $0.title.starts(with: "Mi") || $0.title.ends(with: "a") }.count == 2)
        #expect(items.where { $0.title.like("?ea") }.first?.title == "Tea")
        #expect(items.where { $0.title.in(["Milk", "Tea"]) }.count == 2)
        #expect(items.where { $0.priority.rawValue >= 2 }.count == 1)
        #expect(items.where { $0.lists.name == "Shopping" }.count == 4)
        #expect(items.where { $0.lists.count == 1 }.count == 4)
        let milk = try #require(items.first)
        let lists = realm.objects(TodoList.self)
        #expect(lists.where { $0.items.contains(milk) }.count == 1)
        #expect(lists.where { $0.tags.contains("home") }.count == 1)
        #expect(lists.where { ($0.items.isDone == true && $0.items.title == "Milk").count > 0 }.isEmpty)
        #expect(lists.where { ($0.items.isDone == true && $0.items.title == "Bread").count > 0 }.count == 1)
        #expect(lists[0].items.where { $0.isDone }.count == 1)
        let contacts = realm.objects(Contact.self)
        #expect(contacts.where { $0.employer.name == "Mill" }.count == 1)
        #expect(contacts.where { $0.nickname == nil && $0.employer != nil }.count == 1)
        let employer = try #require(contacts.first?.employer)
        #expect(contacts.where { $0.employer == employer }.count == 1)
        #expect(realm.objects(Company.self).where { $0.employees.email == "a@b.c" }.count == 1)
    }

    @Test func `the first place of a match`() throws {
        let items = try #require(try makeRealm().objects(TodoList.self).first).items
        #expect(items.index(matching: NSPredicate(format: "title == 'Tea'")) == 2)
        #expect(items.index(matching: { $0.title == "Bread" }) == 1)
        #expect(items.index(matching: "isDone == true") == 1)
        #expect(items.index(matching: { $0.title == "none" }) == nil)
    }
}
