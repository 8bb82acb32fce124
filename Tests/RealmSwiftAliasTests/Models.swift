import Foundation
import RealmSwift

// The models of programs that were written for RealmSwift. Nothing here names Cairn.

enum Priority: Int, PersistableEnum {
    case low, normal, high
}

/// The current style: everything by property wrapper.
final class TodoItem: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var title: String = ""
    @Persisted var isDone = false
    @Persisted var priority: Priority = .normal
    @Persisted var due: Date?
    @Persisted(indexed: true) var createdAt = Date()
    @Persisted(originProperty: "items") var lists: LinkingObjects<TodoList>

    convenience init(title: String, priority: Priority = .normal) {
        self.init()
        self.title = title
        self.priority = priority
    }
}

class TodoList: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name: String = ""
    @Persisted var items: List<TodoItem>
    @Persisted var tags = List<String>()
}

/// The older style: class functions.
class Contact: Object {
    @Persisted var email: String
    @Persisted var name: String
    @Persisted var nickname: String?
    @Persisted var employer: Company?

    override class func primaryKey() -> String? { "email" }
    override class func indexedProperties() -> [String] { ["name"] }
    override class func ignoredProperties() -> [String] { ["isSelected"] }

    var isSelected = false
}

class Company: Object {
    @Persisted var name: String
    @Persisted(originProperty: "employer") var employees: LinkingObjects<Contact>

    override static func primaryKey() -> String? { "name" }
}

extension Realm.Configuration {
    /// A database in memory that no other test knows.
    static func forTest(_ types: [ObjectBase.Type]) -> Realm.Configuration {
        Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types)
    }
}
