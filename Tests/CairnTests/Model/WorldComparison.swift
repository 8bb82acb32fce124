import Cairn
import Foundation

/// Compares a Realm, live or frozen, with what it must show.
struct WorldComparison {
    let realm: Realm
    let world: World
    private let hubs: Results<Hub>
    private let leaves: Results<Leaf>
    private let hubRanks: [Int: Int]
    private let leafRanks: [Int: Int]

    init(_ realm: Realm, _ world: World) {
        self.realm = realm
        self.world = world
        hubs = realm.objects(Hub.self)
        leaves = realm.objects(Leaf.self)
        hubRanks = Dictionary(uniqueKeysWithValues: world.hubOrder.enumerated().map { ($1, $0) })
        leafRanks = Dictionary(uniqueKeysWithValues: world.leafOrder.enumerated().map { ($1, $0) })
    }

    func run() throws {
        try require(realm.isEmpty == world.isEmpty, "isEmpty is \(realm.isEmpty)")
        try require(hubs.count == world.hubOrder.count, "\(hubs.count) hubs, not \(world.hubOrder.count)")
        try require(
            leaves.count == world.leafOrder.count, "\(leaves.count) leaves, not \(world.leafOrder.count)")
        try compareHubs()
        try compareLeaves()
        try compareEnds()
        try compareKeys()
        try compareInverse()
    }

    // MARK: Objects

    private func compareHubs() throws {
        var rank = 0
        for hub in hubs {
            try compare(hub, world.hubOrder[rank])
            rank += 1
        }
        try require(rank == world.hubOrder.count, "a loop went over \(rank) hubs")
    }

    private func compareLeaves() throws {
        var rank = 0
        for leaf in leaves {
            try compare(leaf, world.leafOrder[rank])
            rank += 1
        }
        try require(rank == world.leafOrder.count, "a loop went over \(rank) leaves")
    }

    func compare(_ hub: Hub, _ number: Int) throws {
        guard let state = world.hubs[number] else { throw ModelFailure("hub \(number) should be gone") }
        let place = "hub \(number)"
        try require(hub.key.map { Array($0.utf8) } == state.key, "\(place): another key")
        let scalars = World.Scalars(of: hub)
        for field in DraftChance.scalarFields {
            let (found, wanted) = (scalars.words(field), state.scalars.words(field))
            try require(found == wanted, "\(place).\(field): \(found.prefix(60)), not \(wanted.prefix(60))")
        }
        let friend = hub.friend.map { hubs.index(of: $0) }
        try require(friend == state.friend.map { hubRanks[$0] }, "\(place): another friend")
        let leaf = hub.leaf.map { leaves.index(of: $0) }
        try require(leaf == state.leaf.map { leafRanks[$0] }, "\(place): another leaf")
        try compare(ranks(hub.leaves), state.leaves.map { leafRanks[$0] }, "\(place).leaves")
        try compare(ranks(hub.hubs), state.hubs.map { hubRanks[$0] }, "\(place).hubs")
        try compare(hub.words.map { Array($0.utf8) }, state.words, "\(place).words")
        try compare(Array(hub.numbers), state.numbers, "\(place).numbers")
        try require(hub.numbers.count == state.numbers.count, "\(place).numbers: another count")
        if let last = state.leaves.last {
            try require(
                hub.leaves[state.leaves.count - 1].isSameObject(as: leaves[leafRanks[last] ?? 0]),
                "\(place).leaves: another last one")
        }
    }

    func compare(_ leaf: Leaf, _ number: Int) throws {
        guard let state = world.leaves[number] else { throw ModelFailure("leaf \(number) should be gone") }
        let place = "leaf \(number)"
        try require(Array(leaf.name.utf8) == state.name, "\(place): another name")
        try require(leaf.weight == state.weight, "\(place): another weight")
        let owner = leaf.owner.map { hubs.index(of: $0) }
        try require(owner == state.owner.map { hubRanks[$0] }, "\(place): another owner")
    }

    private func ranks(_ list: List<Hub>) -> [Int?] { list.map { hubs.index(of: $0) } }
    private func ranks(_ list: List<Leaf>) -> [Int?] { list.map { leaves.index(of: $0) } }

    private func compare<T: Equatable>(_ found: [T], _ wanted: [T], _ place: String) throws {
        try require(found == wanted, "\(place): \(found), not \(wanted)")
    }

    private func compareEnds() throws {
        try require((hubs.first == nil) == world.hubOrder.isEmpty, "first hub")
        try require((hubs.last == nil) == world.hubOrder.isEmpty, "last hub")
        if let last = hubs.last, let number = world.hubOrder.last { try compare(last, number) }
        if let first = leaves.first, let number = world.leafOrder.first { try compare(first, number) }
        if let last = leaves.last, let number = world.leafOrder.last { try compare(last, number) }
        for rank in stride(from: 0, to: world.leafOrder.count, by: 37) {
            try compare(leaves[rank], world.leafOrder[rank])
            try require(leaves.index(of: leaves[rank]) == rank, "index(of:) of leaf \(rank)")
        }
    }

    private func compareKeys() throws {
        for (rank, number) in world.hubOrder.enumerated() {
            let key = world.hubs[number]?.key.map { text($0) }
            guard let hub = realm.object(ofType: Hub.self, forPrimaryKey: key) else {
                throw ModelFailure("hub \(number) is not found by its key")
            }
            try require(hubs.index(of: hub) == rank, "another hub than \(number) is found by its key")
            try require(hub == hubs[rank], "two accessors of hub \(number) differ")
        }
        try require(
            realm.object(ofType: Hub.self, forPrimaryKey: "never a key") == nil, "a key that is not there")
    }

    // MARK: Inverse links

    private func compareInverse() throws {
        var friendOf: [Int: [Int]] = [:]
        var heldBy: [Int: [Int]] = [:]
        var stems: [Int: [Int]] = [:]
        var branches: [Int: [Int]] = [:]
        var owned: [Int: [Int]] = [:]
        for (rank, number) in world.hubOrder.enumerated() {
            guard let hub = world.hubs[number] else { continue }
            if let friend = hub.friend { friendOf[friend, default: []].append(rank) }
            if let leaf = hub.leaf { stems[leaf, default: []].append(rank) }
            for each in hub.hubs { heldBy[each, default: []].append(rank) }
            for each in hub.leaves { branches[each, default: []].append(rank) }
        }
        for (rank, number) in world.leafOrder.enumerated() {
            if let owner = world.leaves[number]?.owner { owned[owner, default: []].append(rank) }
        }
        for (hub, number) in zip(hubs, world.hubOrder) {
            try compare(hub.friendOf, friendOf[number], "hub \(number).friendOf")
            try compare(hub.heldBy, heldBy[number], "hub \(number).heldBy")
            let ranks = hub.owned.map { leaves.index(of: $0) }
            try compare(Array(ranks), (owned[number] ?? []).map { $0 }, "hub \(number).owned")
        }
        for (leaf, number) in zip(leaves, world.leafOrder) {
            try compare(leaf.stems, stems[number], "leaf \(number).stems")
            try compare(leaf.branches, branches[number], "leaf \(number).branches")
        }
    }

    private func compare(_ found: LinkingObjects<Hub>, _ wanted: [Int]?, _ place: String) throws {
        let wanted = wanted ?? []
        let ranks = Array(found.map { hubs.index(of: $0) })
        try require(ranks == wanted.map { $0 }, "\(place): \(ranks), not \(wanted)")
        try require(found.count == wanted.count, "\(place): another count")
        try require(found.first.flatMap { hubs.index(of: $0) } == wanted.first, "\(place): another first")
        try require(found.last.flatMap { hubs.index(of: $0) } == wanted.last, "\(place): another last")
    }
}
