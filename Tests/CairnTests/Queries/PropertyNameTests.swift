import Cairn
import Foundation
import Testing

class Beast: Object {
    @Persisted var kind = "?"
    @Persisted var keeper: Person?
}

/// A class with everything that makes it harder to follow a key path.
final class Hound: Beast {
    @Persisted var in_ = 0
    @Persisted var age: Int?
    @Persisted var pups: List<Hound>
    @Persisted(originProperty: "pups") var parents: LinkingObjects<Hound>
    @Persisted var mother: Hound?
    var notes: [String] = []
    var mood = Mood.calm
    var title: String { kind + "!" }
    var alias: String { kind }
    var both: String { "\(kind) \(in_)" }
    var motherKind: String { mother?.kind ?? "" }
    var sideways: String { (mother?.kind ?? "") + kind }
    var nothing: Int { 3 }

    required init() {
        super.init()
        kind = "hound"
        pups.append(Hound(plain: ()))
    }

    private init(plain: Void) { super.init() }
}

@Suite struct PropertyNameTests {
    @Test func `a key path to a property of any type has its name`() throws {
        let paths: [(PartialKeyPath<AllTypes>, String)] = [
            (\.key, "key"), (\.int, "int"), (\.int8, "int8"), (\.bool, "bool"), (\.float, "float"),
            (\.string, "string"), (\.data, "data"), (\.date, "date"), (\.uuid, "uuid"),
            (\.objectId, "objectId"), (\.decimal, "decimal"), (\.mood, "mood"), (\.colour, "colour"),
        ]
        for (path, name) in paths { #expect(try PropertyNames.name(of: path) == name) }
        let optionals: [(PartialKeyPath<AllOptionals>, String)] = [
            (\.key, "key"), (\.int, "int"), (\.string, "string"), (\.data, "data"), (\.mood, "mood"),
            (\.link, "link"),
        ]
        for (path, name) in optionals { #expect(try PropertyNames.name(of: path) == name) }
        let lists: [(PartialKeyPath<AllLists>, String)] = [
            (\.ints, "ints"), (\.optionalStrings, "optionalStrings"), (\.objects, "objects"),
        ]
        for (path, name) in lists { #expect(try PropertyNames.name(of: path) == name) }
    }

    @Test func `a key path through links has dots`() throws {
        let paths: [(PartialKeyPath<Person>, String)] = [
            (\.bestFriend, "bestFriend"), (\.bestFriend?.name, "bestFriend.name"),
            (\.bestFriend!.age, "bestFriend.age"),
            (\.bestFriend?.bestFriend?.bestFriend?.id, "bestFriend.bestFriend.bestFriend.id"),
            (\.bestFriend?.dogs, "bestFriend.dogs"), (\.bestFriendOf, "bestFriendOf"),
            (\.bestFriend?.bestFriendOf, "bestFriend.bestFriendOf"),
            (\.bestFriend?.bestFriend, "bestFriend.bestFriend"),
        ]
        for (path, name) in paths { #expect(try PropertyNames.name(of: path) == name) }
        #expect(try PropertyNames.name(of: \AllOptionals.link?.link?.mood) == "link.link.mood")
    }

    @Test func `an initializer that sets properties does not matter`() throws {
        let paths: [(PartialKeyPath<Hound>, String)] = [
            (\.kind, "kind"), (\.in_, "in_"), (\.age, "age"), (\.pups, "pups"), (\.parents, "parents"),
            (\.mother?.mother?.kind, "mother.mother.kind"), (\.keeper?.name, "keeper.name"),
            (\.alias, "kind"), (\.mother?.pups, "mother.pups"),
        ]
        for (path, name) in paths { #expect(try PropertyNames.name(of: path) == name) }
        #expect(try PropertyNames.name(of: \Beast.kind) == "kind")
        #expect(try PropertyNames.name(of: \Beast.keeper?.bestFriend?.age) == "keeper.bestFriend.age")
    }

    @Test func `a key path to anything else is refused`() throws {
        let paths: [PartialKeyPath<Hound>] = [
            \.notes, \.mood, \.both, \.sideways, \.nothing, \.kind.count, \.pups.count,
            \.pups.first?.kind, \.mother?.notes, \.mother?.nothing, \.isInvalidated, \.self, \.description,
        ]
        for path in paths {
            let error = #expect(throws: RealmError.self) { try PropertyNames.name(of: path) }
            #expect(error?.code == .misuse)
            #expect(error?.message.hasPrefix("A key path from 'Hound' to '") == true)
        }
        #expect(throws: RealmError.self) { try PropertyNames.name(of: \String.count) }
    }

    @Test func `objects are as ever after their class was followed`() throws {
        #expect(try PropertyNames.name(of: \Hound.mother?.kind) == "mother.kind")
        let hound = Hound()
        #expect(hound.kind == "hound")
        #expect(hound.mother == nil)
        #expect(hound.pups.count == 1)
        #expect(AllTypes().int == 0)
    }

    @Test func `threads ask at once`() async throws {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (try? PropertyNames.name(of: \AllOptionals.link?.link?.uuid)) == "link.link.uuid"
                        && (try? PropertyNames.name(of: \AllOptionals.link?.date)) == "link.date"
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
