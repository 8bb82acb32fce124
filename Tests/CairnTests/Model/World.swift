import Cairn
import Foundation

/// What a Realm must show: the objects of one version as plain values. An object is known by a number that
/// no other object ever gets.
struct World: Equatable {
    private(set) var hubOrder: [Int] = []
    private(set) var leafOrder: [Int] = []
    var hubs: [Int: HubState] = [:]
    var leaves: [Int: LeafState] = [:]

    /// The values of a hub that lead nowhere, in forms that compare exactly.
    struct Scalars: Equatable {
        var count = 0
        var small: Int8 = 0
        var flag = false
        var ratioBits: UInt64?
        var text: [UInt8] = []
        var blob: Data?
        var when = Date(timeIntervalSince1970: 0)
        var mood: Mood?
        var amount = "0"
    }

    struct HubState: Equatable {
        var key: [UInt8]?
        var scalars = Scalars()
        var friend: Int?
        var leaf: Int?
        var leaves: [Int] = []
        var hubs: [Int] = []
        var words: [[UInt8]] = []
        var numbers: [Int?] = []
    }

    struct LeafState: Equatable {
        var name: [UInt8] = []
        var weight: Int?
        var owner: Int?
    }

    var isEmpty: Bool { hubOrder.isEmpty && leafOrder.isEmpty }

    func hub(withKey key: [UInt8]?) -> Int? { hubOrder.first { hubs[$0]?.key == key } }

    // MARK: Adding

    /// Adds a draft with all that it leads to, as `Realm.add` does.
    ///
    /// - Returns: false where a key is there already: then nothing has changed.
    mutating func add(_ root: Draft, _ policy: Realm.UpdatePolicy, _ nextNumber: inout Int) -> Bool {
        let entries = collect(root, policy)
        var world = self
        var isNew: [Bool] = []
        for entry in entries {
            let known = entry.isHub ? world.hub(withKey: entry.key) : nil
            if policy == .error, known != nil { return false }
            isNew.append(known == nil)
            entry.number = known ?? nextNumber
            guard known == nil else { continue }
            nextNumber += 1
            world.insert(entry)
        }
        for (entry, isNew) in zip(entries, isNew) { world.store(entry, isNew: isNew) }
        self = world
        return true
    }

    private func collect(_ root: Draft, _ policy: Realm.UpdatePolicy) -> [Draft] {
        var entries = [root]
        var seen = [ObjectIdentifier(root)] as Set
        var next = 0
        while next < entries.count {
            let entry = entries[next]
            next += 1
            let isUpdate = policy != .error && entry.isHub && hub(withKey: entry.key) != nil
            for (field, references) in entry.links where !isUpdate || entry.sets(field) {
                for case .draft(let draft) in references where seen.insert(ObjectIdentifier(draft)).inserted {
                    entries.append(draft)
                }
            }
        }
        return entries
    }

    private mutating func insert(_ draft: Draft) {
        if draft.isHub {
            hubOrder.append(draft.number)
            hubs[draft.number] = HubState(key: draft.key)
        } else {
            leafOrder.append(draft.number)
            leaves[draft.number] = LeafState()
        }
    }

    private mutating func store(_ draft: Draft, isNew: Bool) {
        guard draft.isHub else {
            leaves[draft.number] = LeafState(
                name: draft.name, weight: draft.weight, owner: draft.owner?.number)
            return
        }
        guard var state = hubs[draft.number] else { return }
        func sets(_ field: String) -> Bool { isNew || draft.sets(field) }
        if sets("count") { state.scalars.count = draft.scalars.count }
        if sets("small") { state.scalars.small = draft.scalars.small }
        if sets("flag") { state.scalars.flag = draft.scalars.flag }
        if sets("ratio") { state.scalars.ratioBits = draft.scalars.ratioBits }
        if sets("text") { state.scalars.text = draft.scalars.text }
        if sets("blob") { state.scalars.blob = draft.scalars.blob }
        if sets("when") { state.scalars.when = draft.scalars.when }
        if sets("mood") { state.scalars.mood = draft.scalars.mood }
        if sets("amount") { state.scalars.amount = draft.scalars.amount }
        if sets("friend") { state.friend = draft.friend?.number }
        if sets("leaf") { state.leaf = draft.leaf?.number }
        if sets("leaves") { state.leaves = draft.leaves.map(\.number) }
        if sets("hubs") { state.hubs = draft.hubs.map(\.number) }
        if sets("words") { state.words = draft.words }
        if sets("numbers") { state.numbers = draft.numbers }
        hubs[draft.number] = state
    }

    // MARK: Deleting

    mutating func deleteHubs(_ gone: Set<Int>) {
        hubOrder.removeAll { gone.contains($0) }
        for number in gone { hubs[number] = nil }
        for number in hubOrder {
            hubs[number]?.hubs.removeAll { gone.contains($0) }
            if let friend = hubs[number]?.friend, gone.contains(friend) { hubs[number]?.friend = nil }
        }
        for number in leafOrder {
            if let owner = leaves[number]?.owner, gone.contains(owner) { leaves[number]?.owner = nil }
        }
    }

    mutating func deleteLeaves(_ gone: Set<Int>) {
        leafOrder.removeAll { gone.contains($0) }
        for number in gone { leaves[number] = nil }
        for number in hubOrder {
            hubs[number]?.leaves.removeAll { gone.contains($0) }
            if let leaf = hubs[number]?.leaf, gone.contains(leaf) { hubs[number]?.leaf = nil }
        }
    }
}

/// An object that is not in a Realm yet.
final class Draft {
    let isHub: Bool
    var key: [UInt8]?
    var scalars = World.Scalars()
    var friend: Reference?
    var leaf: Reference?
    var leaves: [Reference] = []
    var hubs: [Reference] = []
    var words: [[UInt8]] = []
    var numbers: [Int?] = []
    // Of a leaf.
    var name: [UInt8] = []
    var weight: Int?
    var owner: Reference?
    /// The properties that an update sets; nil for all.
    var given: Set<String>?
    /// The object that was made of it.
    var object: Object?
    /// The object's number, once it was added.
    var number = -1

    init(isHub: Bool) {
        self.isHub = isHub
    }

    /// Another draft, or an object by its number.
    enum Reference {
        case known(Int)
        case draft(Draft)

        var number: Int {
            switch self {
            case .known(let number): number
            case .draft(let draft): draft.number
            }
        }
    }

    /// Takes circles apart, which would live for ever and keep a Realm open with them.
    func takeApart() {
        (friend, leaf, owner) = (nil, nil, nil)
        (leaves, hubs) = ([], [])
        if let hub = object as? Hub, hub.realm == nil, !hub.isInvalidated {
            (hub.friend, hub.leaf) = (nil, nil)
            hub.leaves.removeAll()
            hub.hubs.removeAll()
        }
        if let leaf = object as? Leaf, leaf.realm == nil, !leaf.isInvalidated { leaf.owner = nil }
        object = nil
    }

    func sets(_ field: String) -> Bool { given?.contains(field) ?? true }

    /// What it leads to, in the order in which adding walks it.
    var links: [(String, [Reference])] {
        isHub
            ? [
                ("friend", friend.map { [$0] } ?? []), ("leaf", leaf.map { [$0] } ?? []),
                ("leaves", leaves), ("hubs", hubs),
            ]
            : [("owner", owner.map { [$0] } ?? [])]
    }
}
