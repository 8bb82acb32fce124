import Cairn
import Foundation
import TestSupport
import Testing

/// Follows a collection by what its observer is told, and finds where that is wrong.
final class Follower {
    let name: String
    private var known: [Element]?
    private var token: NotificationToken?
    private let current: () -> [Element]
    private(set) var faults: [String] = []
    private(set) var updateCount = 0

    struct Element: Equatable {
        let key: String
        /// What is seen of it.
        let content: String
    }

    /// - Parameters:
    ///   - hasIdentity: whether elements are objects; values are known by their content, and one that took
    ///     the place of another is modified.
    init<C: RealmCollection>(
        _ name: String, _ collection: C, hasIdentity: Bool = true, _ element: @escaping (C.Element) -> Element
    ) {
        self.name = name
        current = { collection.map(element) }
        token = collection.observe { [unowned self] change in
            switch change {
            case .initial(let collection):
                if known != nil { faults.append("initial twice") }
                known = collection.map(element)
            case .update(let collection, let deletions, let insertions, let modifications):
                updateCount += 1
                follow(collection.map(element), deletions, insertions, modifications, hasIdentity)
            case .error(let error): faults.append("\(error)")
            }
        }
    }

    private func follow(
        _ new: [Element], _ deletions: [Int], _ insertions: [Int], _ modifications: [Int], _ hasIdentity: Bool
    ) {
        guard let old = known else { return faults.append("an update came first") }
        defer { known = new }
        for places in [deletions, insertions, modifications] where places != Array(Set(places)).sorted() {
            faults.append("not rising: \(places)")
        }
        if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty { faults.append("an empty update") }
        guard Set(deletions).isDisjoint(with: modifications), deletions.allSatisfy(old.indices.contains),
            modifications.allSatisfy(old.indices.contains), insertions.allSatisfy(new.indices.contains)
        else { return faults.append("-\(deletions) +\(insertions) ~\(modifications)") }
        var places: [Int?] = Array(old.indices)
        for place in deletions.reversed() { places.remove(at: place) }
        for place in insertions { places.insert(nil, at: min(place, places.count)) }
        guard places.count == new.count else { return faults.append("\(places.count) of \(new.count)") }
        let modified = Set(modifications)
        for (index, place) in places.enumerated() {
            guard let place else { continue }
            if !hasIdentity, modified.contains(place) { continue }
            if old[place].key != new[index].key {
                faults.append("\(old[place].key) is not \(new[index].key)")
            }
            if old[place].content != new[index].content, !modified.contains(place) {
                faults.append("\(old[place].content) became \(new[index].content), untold")
            }
        }
    }

    /// Whether what it knows is what is there.
    func finish() {
        if known != current() {
            faults.append("it ends with \(known?.count ?? -1) and not \(current().count)")
        }
        token = nil
    }
}

/// Random writes of two Realms, with observers of one of them.
struct NotificationHistory {
    private var random: SeededGenerator
    private let scratch: Scratch
    private let scheduler = ManualScheduler()
    private let realm: Realm
    private(set) var followers: [Follower] = []
    private let lists: AllLists

    init(_ random: SeededGenerator) throws {
        self.random = random
        scratch = try Scratch([Person.self, Dog.self, AllLists.self])
        let realm = try scratch.realm(scheduler)
        self.realm = realm
        lists = try realm.write { realm.create(AllLists.self) }
    }

    private static func person(_ person: Person) -> Follower.Element {
        Follower.Element(
            key: person.id.stringValue,
            content:
                "\(person.name) \(person.age) \(Array(person.dogs.map(\.name))) \(person.bestFriend?.id.stringValue ?? "")"
        )
    }

    private static func dog(_ dog: Dog) -> Follower.Element {
        Follower.Element(key: dog.name, content: "\(dog.weight ?? 0)")
    }

    mutating func observe() throws {
        let people = realm.objects(Person.self)
        let owner = try realm.write { realm.create(Person.self, value: ["name": "owner"]) }
        followers = [
            Follower("all", people, Self.person),
            Follower("filtered", people.filter("age > 5"), Self.person),
            Follower("filtered by a link", people.filter("bestFriend.age > 5"), Self.person),
            Follower("filtered by a list", people.filter("ANY dogs.weight > 5"), Self.person),
            Follower("counted", people.filter("bestFriendOf.@count > 0"), Self.person),
            Follower("sorted", people.sorted(byKeyPath: "age"), Self.person),
            Follower(
                "sorted and filtered", people.filter("age < 7").sorted(byKeyPath: "age", ascending: false),
                Self.person),
            Follower("sorted by a link", people.sorted(byKeyPath: "bestFriend.age"), Self.person),
            Follower("distinct", people.distinct(by: ["age"]), Self.person),
            Follower("list", owner.dogs, Self.dog),
            Follower("list sorted", owner.dogs.sorted(byKeyPath: "weight"), Self.dog),
            Follower("list filtered", owner.dogs.filter("weight > 3"), Self.dog),
            Follower("links", owner.bestFriendOf, Self.person),
            Follower("values", lists.ints, hasIdentity: false) {
                Follower.Element(key: "\($0)", content: "")
            },
        ]
    }

    /// So many writes and deliveries.
    mutating func run(_ count: Int) throws {
        for _ in 0..<count {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: try realm.write { Self.change(realm, &random) }
            case 4..<7:
                let seed = random.next()
                try scratch.writeElsewhere { realm in
                    var random = SeededGenerator(seed: seed)
                    Self.change(realm, &random)
                }
            case 7: realm.refresh()
            case 8:
                // A write that comes to nothing.
                realm.beginWrite()
                Self.change(realm, &random)
                realm.cancelWrite()
            default: scheduler.run()
            }
        }
        scheduler.run()
        realm.refresh()
        scheduler.run()
        for follower in followers { follower.finish() }
    }

    private static func change(_ realm: Realm, _ random: inout SeededGenerator) {
        let people = realm.objects(Person.self)
        let dogs = realm.objects(Dog.self)
        func some<T: Object>(_ objects: Results<T>) -> T? {
            objects.isEmpty ? nil : objects[Int.random(in: 0..<objects.count, using: &random)]
        }
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let number = Int.random(in: 0..<10, using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1: realm.create(Person.self, value: ["age": number])
            case 2: realm.create(Dog.self, value: ["name": "\(random.next())", "weight": number])
            case 3, 4: some(people)?.age = number
            case 5: if let person = some(people), person.name != "owner" { person.name = "\(number)" }
            case 6: some(dogs)?.weight = Double(number)
            case 7: some(people)?.bestFriend = some(people)
            case 8: if let person = some(people), person.name != "owner" { realm.delete(person) }
            case 9: if let dog = some(dogs) { realm.delete(dog) }
            case 10: if let dog = some(dogs) { some(people)?.dogs.append(dog) }
            case 11, 12: changeList(people.first { $0.name == "owner" }?.dogs, some(dogs), &random)
            case 13: realm.objects(AllLists.self).first?.ints.append(number)
            case 14:
                if let ints = realm.objects(AllLists.self).first?.ints, !ints.isEmpty {
                    ints[Int.random(in: 0..<ints.count, using: &random)] = number
                }
            default:
                if let ints = realm.objects(AllLists.self).first?.ints, !ints.isEmpty {
                    ints.remove(at: Int.random(in: 0..<ints.count, using: &random))
                }
            }
        }
    }

    private static func changeList(_ list: List<Dog>?, _ dog: Dog?, _ random: inout SeededGenerator) {
        guard let list, let dog else { return }
        guard !list.isEmpty, !random.oneIn(2) else { return list.append(dog) }
        let place = Int.random(in: 0..<list.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: list.remove(at: place)
        case 1: list.move(from: place, to: Int.random(in: 0..<list.count, using: &random))
        case 2: list[place] = dog
        default: list.insert(dog, at: place)
        }
    }
}
