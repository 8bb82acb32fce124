import Cairn
import Foundation

// Classes that the tests of faults need.

/// A class with a subclass, both stored.
class Animal: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var mate: Animal?
    @Persisted var young: List<Animal>
}

final class Cat: Animal {
    @Persisted var lives = 9
    @Persisted var toys: List<String>
}

/// A class with a field that is not stored, and declared defaults for lists and links.
final class Shelf: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var labels = List<String>()
    @Persisted var books = List<Book>()
    @Persisted var keeper: Book? = Book()
    var note = "own"
    lazy var cache = [String: Int]()
}

final class Book: Object {
    @Persisted var title = "untitled"
    @Persisted(originProperty: "books") var shelves: LinkingObjects<Shelf>
}

/// A class whose initializer sets properties.
final class Eager: Object {
    @Persisted var name: String
    @Persisted var tags: List<String>
    @Persisted var friends: List<Eager>
    @Persisted var serial = UUID()

    required init() {
        super.init()
        name = "eager"
        tags.append("first")
    }
}

/// A class whose default makes an object.
final class Profile: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var settings: Settings? = Settings()
    @Persisted var extras: List<Settings>
}

final class Settings: Object {
    @Persisted var volume = 5
}

/// A chain, or a net.
final class Node: Object {
    @Persisted var number: Int
    @Persisted var next: Node?
    @Persisted var others: List<Node>
    @Persisted(originProperty: "next") var previous: LinkingObjects<Node>
}
