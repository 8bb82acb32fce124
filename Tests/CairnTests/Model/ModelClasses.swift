import Cairn
import Foundation

// The classes of the random histories.

final class Hub: Object {
    @Persisted(primaryKey: true) var key: String?
    @Persisted var count: Int
    @Persisted var small: Int8
    @Persisted var flag: Bool
    @Persisted var ratio: Double?
    @Persisted(indexed: true) var text: String
    @Persisted var blob: Data?
    @Persisted var when = Date(timeIntervalSince1970: 0)
    @Persisted var mood: Mood?
    @Persisted var amount: Decimal128
    // In the order in which adding walks them.
    @Persisted var friend: Hub?
    @Persisted var leaf: Leaf?
    @Persisted var leaves: List<Leaf>
    @Persisted var hubs: List<Hub>
    @Persisted var words: List<String>
    @Persisted var numbers: List<Int?>
    @Persisted(originProperty: "friend") var friendOf: LinkingObjects<Hub>
    @Persisted(originProperty: "hubs") var heldBy: LinkingObjects<Hub>
    @Persisted(originProperty: "owner") var owned: LinkingObjects<Leaf>
}

final class Leaf: Object {
    @Persisted(indexed: true) var name: String
    @Persisted var weight: Int?
    @Persisted var owner: Hub?
    @Persisted(originProperty: "leaf") var stems: LinkingObjects<Hub>
    @Persisted(originProperty: "leaves") var branches: LinkingObjects<Hub>
}
