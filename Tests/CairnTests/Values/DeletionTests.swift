import Cairn
import Foundation
import TestSupport
import Testing

/// Rows of all types while others are deleted (case V04).
struct DeletionTests {
    enum Order: CaseIterable {
        case forwards, backwards, random
    }

    @Test(arguments: Order.allCases)
    func `what is left is what it was`(order: Order) throws {
        let scratch = try Scratch([AllOptionals.self])
        let realm = try scratch.realm()
        let count = 1_100
        try realm.write {
            for number in 0..<count {
                let object = AllOptionals()
                object.key = "\(number)"
                object.fill(number % 50)
                realm.add(object)
            }
        }
        var keys = Array(0..<count)
        var random = SeededGenerator(seed: 448)
        switch order {
        case .forwards: break
        case .backwards: keys.reverse()
        case .random: keys.shuffle(using: &random)
        }
        while !keys.isEmpty {
            let doomed = keys.prefix(220)
            keys.removeFirst(doomed.count)
            try realm.write {
                for key in doomed {
                    realm.delete(
                        try #require(realm.object(ofType: AllOptionals.self, forPrimaryKey: "\(key)")))
                }
                check(realm, keys)
            }
            check(realm, keys)
        }
        #expect(realm.isEmpty)
        try scratch.verify()
    }

    private func check(_ realm: Realm, _ keys: [Int]) {
        let objects = realm.objects(AllOptionals.self)
        #expect(objects.count == keys.count)
        let ordered = keys.sorted()
        var isSame = true
        for (place, object) in objects.enumerated() {
            let number = ordered[place]
            let expected = AllOptionals()
            expected.fill(number % 50)
            isSame = isSame && object.key == "\(number)" && object.values == expected.values
            // By place, too.
            if place.isMultiple(of: 97) {
                isSame = isSame && objects[place] == object && objects.index(of: object) == place
            }
        }
        #expect(isSame)
    }
}
