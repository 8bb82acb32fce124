import Cairn
import Foundation
import Testing

/// Mistakes and bad data that ended the process, or did half of something.
struct MisuseFaultTests {
    @Test func `ranges beyond the end of a list ended the process`() throws {
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let object = AllLists()
        object.ints.append(objectsIn: [1, 2, 3])
        try realm.write { realm.add(object) }
        let changes: [@Sendable (List<Int>) -> Void] = [
            { $0.removeSubrange(5...) }, { $0.removeSubrange(...5) }, { $0.removeSubrange(..<7) },
            { $0.removeSubrange((-2)...) }, { $0.replaceSubrange(4..., with: [1]) },
            { $0.move(fromOffsets: [0], toOffset: -1) }, { $0.move(fromOffsets: [0], toOffset: 4) },
            { $0.move(fromOffsets: [3], toOffset: 0) }, { $0.remove(atOffsets: [1, 3]) },
        ]
        for (number, change) in changes.enumerated() {
            let error = try mistake(in: realm) {
                change(object.ints)
                #expect(Array(object.ints) == [1, 2, 3], "change \(number)")
            }
            #expect(error.code == .misuse, "change \(number)")
        }
        try realm.write {
            object.ints.removeSubrange(2...)
            object.ints.removeSubrange(...0)
            object.ints.replaceSubrange(1..., with: [7, 8, 9])
            object.ints.move(fromOffsets: [0, 2], toOffset: 4)
            object.ints.removeSubrange(4...)
        }
        #expect(Array(object.ints) == [7, 9, 2, 8])
    }

    /// What a write that never began was asked to do trapped, though the program can know nothing of it
    /// before it commits.
    @Test func `changes after a beginWrite that failed ended the process`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        try realm.write { realm.add(person) }
        let other = try Realm(
            configuration: Realm.Configuration(
                fileURL: scratch.url(), objectTypes: [Dog.self, Person.self, Node.self]))
        other.beginWrite()
        // Refused at once: this thread has the file's one write.
        realm.beginWrite()
        #expect(!realm.isInWriteTransaction)
        realm.add(Person())
        realm.create(Dog.self)
        person.name = "x"
        person.dogs.append(Dog())
        person.setValue("y", forKey: "name")
        realm.delete(person)
        realm.delete(realm.objects(Person.self))
        realm.delete(person.dogs)
        realm.deleteAll()
        #expect(throws: Realm.Error.self) { try realm.commitWrite() }
        other.cancelWrite()
        #expect(person.name.isEmpty && person.dogs.isEmpty)
        #expect(realm.objects(Person.self).count == 1 && realm.objects(Dog.self).isEmpty)
        realm.beginWrite()
        realm.add(Dog())
        try realm.commitWrite()
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test func `opening with more classes inside a write is refused at once`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let configuration = Realm.Configuration(
            fileURL: scratch.url(), objectTypes: [Dog.self, Person.self, Node.self])
        realm.beginWrite()
        #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        realm.cancelWrite()
        try realm.write { #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) } }
        let grown = try Realm(configuration: configuration)
        try grown.write {
            grown.add(Node())
            #expect(throws: Realm.Error.self) { try realm.write {} }
        }
        #expect(grown.objects(Node.self).count == 1)
    }

    /// It copied by recursion, and a long chain needed more stack than a thread has.
    @Test func `create ended the process on a long chain of objects`() throws {
        let scratch = try Scratch([Node.self])
        let realm = try scratch.realm()
        let count = 20_000
        try realm.write {
            var last: Node?
            for number in 0..<count {
                let node = realm.create(Node.self, value: ["number": number])
                node.next = last
                last = node
            }
            last?.others.append(objectsIn: realm.objects(Node.self).prefix(10))
        }
        let other = try Scratch([Node.self])
        let configuration = other.configuration()
        let original = try #require(realm.objects(Node.self).last).freeze()
        nonisolated(unsafe) let frozen = original
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.create(Node.self, value: frozen) }
            #expect(realm.objects(Node.self).count == count)
            let copy = try #require(realm.objects(Node.self).first)
            #expect(copy.number == count - 1 && copy.others.count == 10)
            #expect(copy.next?.number == count - 2)
        }
        try other.verify()
    }

    /// Each read of a link makes another accessor, and copies were known by the accessors they were of.
    @Test func `create had no end on objects of another Realm that link in circles`() throws {
        let scratch = try Scratch([Node.self])
        let realm = try scratch.realm()
        try realm.write {
            let first = realm.create(Node.self, value: ["number": 1])
            let second = realm.create(Node.self, value: ["number": 2])
            first.next = second
            second.next = first
            first.others.append(objectsIn: [first, second, second])
        }
        let other = try Scratch([Node.self])
        let copies = try other.realm()
        for original in [realm.objects(Node.self)[0], realm.objects(Node.self)[0].freeze()] {
            try copies.write {
                copies.deleteAll()
                let copy = copies.create(Node.self, value: original)
                #expect(copy.next?.next?.isSameObject(as: copy) == true)
                #expect(copy.others.map(\.number) == [1, 2, 2])
            }
            #expect(copies.objects(Node.self).count == 2)
        }
    }

    /// Each of a hundred elements showed each of its hundred, five deep.
    @Test(.timeLimit(.minutes(1))) func `the description of a net of objects had no end`() throws {
        let scratch = try Scratch([Node.self])
        let realm = try scratch.realm()
        try realm.write {
            let nodes = (0..<60).map { realm.create(Node.self, value: ["number": $0]) }
            for node in nodes { node.others.append(objectsIn: nodes) }
            nodes[0].next = nodes[0]
        }
        let node = realm.objects(Node.self)[0]
        for text in [node.description, realm.objects(Node.self).description, node.others.description] {
            #expect(text.utf8.count < 1 << 20)
            #expect(text.contains("number = 0;"))
        }
        let unmanaged = Node()
        unmanaged.next = unmanaged
        unmanaged.others.append(unmanaged)
        #expect(unmanaged.description.contains("Maximum depth exceeded"))
        unmanaged.next = nil
        unmanaged.others.removeAll()
    }

    @Test func `equal numbers of another form were not found in a list`() throws {
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let object = AllLists()
        object.decimals.append(objectsIn: ["1.0", nil, "2"])
        object.doubles.append(objectsIn: [-0.0, .nan, nil])
        object.strings.append("e\u{301}")
        let before = [
            object.decimals.index(of: "1.00"), object.doubles.index(of: 0), object.doubles.index(of: .nan),
        ]
        try realm.write { realm.add(object) }
        #expect(before == [0, 0, nil])
        #expect(object.decimals.index(of: "1.00") == 0)
        #expect(object.decimals.index(of: "2.0") == 2)
        #expect(object.decimals.index(of: nil) == 1)
        #expect(object.doubles.index(of: 0) == 0)
        #expect(object.doubles.index(of: .nan) == nil)
        #expect(object.doubles.index(of: nil) == 2)
        // Strings are compared by bytes.
        #expect(object.strings.index(of: "é") == nil)
    }

    /// The count was asked for before the sequence, which changed the list.
    @Test func `a sequence that changes the list while it is appended`() throws {
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let object = AllLists()
        try realm.write {
            realm.add(object)
            object.ints.append(objectsIn: [1, 2])
            object.ints.append(
                objectsIn: (0..<2).lazy.map { number -> Int in
                    object.ints.removeAll()
                    return number
                })
            object.ints.append(objectsIn: object.ints)
        }
        #expect(Array(object.ints) == [0, 1, 0, 1])
    }

    @Test func `objects that link in circles are deleted (case L01)`() throws {
        let scratch = try Scratch([Node.self])
        let realm = try scratch.realm()
        try realm.write {
            let self1 = realm.create(Node.self, value: ["number": 1])
            self1.next = self1
            self1.others.append(objectsIn: [self1, self1])
            let a = Node()
            let b = Node()
            a.next = b
            b.next = a
            b.others.append(a)
            realm.add(a)
            realm.delete(self1)
            #expect(realm.objects(Node.self).count == 2)
            realm.delete([a, b])
        }
        #expect(realm.isEmpty)
        try scratch.verify()
    }
}
