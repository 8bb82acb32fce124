import Cairn
import Foundation

/// The changes of one write, made in a Realm and in the world that it must show.
final class RealmChange {
    private unowned let history: RealmHistory
    private let seat: Seat
    private let realm: Realm
    var world: World
    /// Whether a mistake was made, so that the write must fail.
    private(set) var isDoomed = false
    private(set) var madeHubs: [(Hub, Int)] = []
    private(set) var madeLeaves: [(Leaf, Int)] = []
    private(set) var madeLists: [(List<Leaf>, Int)] = []

    init(history: RealmHistory, seat: Seat, realm: Realm, world: World) {
        self.history = history
        self.seat = seat
        self.realm = realm
        self.world = world
    }

    private var making: DraftMaking { DraftMaking(realm: realm, world: world) }

    func change() throws {
        switch history.chance.number(0..<100) {
        case ..<22: try add()
        case ..<36: try create()
        case ..<38: try addMany()
        case ..<58: try setProperty()
        case ..<70: try editLeaves()
        case ..<82: try editOthers()
        case ..<98: try delete()
        default: deleteAll()
        }
    }

    private func note(_ text: String) { history.note(text) }

    // MARK: Adding

    private var anyPolicy: Realm.UpdatePolicy {
        history.chance.element([.error, .modified, .all]) ?? .error
    }

    private func add() throws {
        let isHub = !history.chance.isOne(in: 4)
        let policy = isHub ? anyPolicy : .error
        let draft = history.chance.draft(isHub: isHub, world)
        note("add \(isHub ? "a hub" : "a leaf") \(policy)")
        let object = try making.object(draft)
        realm.add(object, update: policy)
        try settle(draft, policy)
    }

    private func create() throws {
        let isHub = !history.chance.isOne(in: 4)
        let policy = isHub ? anyPolicy : .error
        let draft = history.chance.draft(isHub: isHub, world, asValue: true)
        note("create \(isHub ? "a hub" : "a leaf") \(policy)")
        let value = try making.value(draft)
        draft.object =
            isHub
            ? realm.create(Hub.self, value: value, update: policy)
            : realm.create(Leaf.self, value: value, update: policy)
        try settle(draft, policy)
    }

    /// Brings the world to where adding a draft has brought the Realm.
    private func settle(_ draft: Draft, _ policy: Realm.UpdatePolicy) throws {
        guard let object = draft.object else { throw ModelFailure("a draft without an object") }
        guard world.add(draft, policy, &history.nextNumber) else {
            isDoomed = true
            try require(object.realm == nil, "an object with a key that is there was added")
            return
        }
        try require(object.realm == realm && !object.isInvalidated, "an object was not added")
        hold(draft)
    }

    private func hold(_ draft: Draft) {
        if let hub = draft.object as? Hub {
            madeHubs.append((hub, draft.number))
            madeLists.append((hub.leaves, draft.number))
        }
        if let leaf = draft.object as? Leaf { madeLeaves.append((leaf, draft.number)) }
    }

    private func addMany() throws {
        note("add many leaves")
        for _ in 0..<history.chance.number(50..<300) {
            let draft = Draft(isHub: false)
            draft.name = history.chance.text()
            draft.owner = history.chance.element(world.hubOrder).map { .known($0) }
            realm.add(try making.object(draft))
            try settle(draft, .error)
        }
    }

    // MARK: Properties

    private func setProperty() throws {
        if history.chance.isOne(in: 3), let number = history.chance.element(world.leafOrder) {
            return try setLeaf(number)
        }
        guard let number = history.chance.element(world.hubOrder) else { return }
        let hub = try making.hub(number)
        switch history.chance.number(0..<6) {
        case 0: try setFriend(hub, number)
        case 1: try setLeafLink(hub, number)
        default:
            let field = history.chance.element(DraftChance.scalarFields) ?? "count"
            note("set \(field) of hub \(number)")
            guard var scalars = world.hubs[number]?.scalars else { return }
            history.chance.set(field, of: &scalars)
            world.hubs[number]?.scalars = scalars
            if history.chance.isOne(in: 2) {
                scalars.apply(field, to: hub)
            } else {
                let values = Hub()
                scalars.apply(field, to: values)
                hub.setValue(values.value(forKey: field), forKey: field)
            }
        }
    }

    private func setLeaf(_ number: Int) throws {
        note("set leaf \(number)")
        let leaf = try making.leaf(number)
        let name = history.chance.text()
        leaf.name = text(name)
        leaf.weight = history.chance.optionalInteger()
        world.leaves[number]?.name = name
        world.leaves[number]?.weight = leaf.weight
        guard history.chance.isOne(in: 2) else { return }
        let owner = history.chance.element(world.hubOrder)
        leaf.owner = try owner.map { try making.hub($0) }
        world.leaves[number]?.owner = owner
    }

    private func setFriend(_ hub: Hub, _ number: Int) throws {
        note("set friend of hub \(number)")
        switch history.chance.number(0..<3) {
        case 0:
            hub.friend = nil
            world.hubs[number]?.friend = nil
        case 1:
            let friend = history.chance.element(world.hubOrder)
            hub.friend = try friend.map { try making.hub($0) }
            world.hubs[number]?.friend = friend
        default:
            let draft = history.chance.draft(isHub: true, world, depth: 1)
            hub.friend = try making.object(draft) as? Hub
            if world.add(draft, .error, &history.nextNumber) {
                world.hubs[number]?.friend = draft.number
                hold(draft)
            } else {
                isDoomed = true
            }
        }
    }

    private func setLeafLink(_ hub: Hub, _ number: Int) throws {
        note("set leaf of hub \(number)")
        let leaf = history.chance.element(world.leafOrder)
        hub.leaf = try leaf.map { try making.leaf($0) }
        world.hubs[number]?.leaf = leaf
    }

    // MARK: Lists

    private func editLeaves() throws {
        guard let number = history.chance.element(world.hubOrder) else { return }
        let list = try making.hub(number).leaves
        var numbers = world.hubs[number]?.leaves ?? []
        let kind = history.chance.number(0..<10)
        note("edit leaves of hub \(number): \(kind), count \(numbers.count)")
        switch kind {
        case 0, 1:
            let draft = history.chance.draft(isHub: false, world, depth: 1)
            list.append(try making.leafObject(draft))
            guard world.add(draft, .error, &history.nextNumber) else {
                isDoomed = true
                return
            }
            numbers.append(draft.number)
        case 2:
            let new = (0..<history.chance.number(1..<80)).compactMap { _ in
                history.chance.element(world.leafOrder)
            }
            let place = history.chance.number(0..<numbers.count + 1)
            list.insert(contentsOf: try new.map { try making.leaf($0) }, at: place)
            numbers.insert(contentsOf: new, at: place)
        case 3:
            guard let other = history.chance.element(world.hubOrder) else { return }
            let source = try making.hub(other).leaves
            try making.hub(number).leaves = source
            numbers = world.hubs[other]?.leaves ?? []
        case 4:
            list.removeAll()
            numbers = []
        default:
            try edit(list, &numbers, kind) {
                history.chance.element(world.leafOrder)
            } object: {
                try making.leaf($0)
            }
        }
        world.hubs[number]?.leaves = numbers
    }

    /// Edits that are the same whatever the elements are.
    private func edit<Element, Known>(
        _ list: List<Element>, _ known: inout [Known], _ kind: Int, new: () throws -> Known?,
        object: (Known) throws -> Element
    ) throws {
        guard !known.isEmpty else { return }
        let first = history.chance.number(0..<known.count)
        let second = history.chance.number(0..<known.count)
        switch kind {
        case 5:
            list.remove(at: first)
            known.remove(at: first)
        case 6:
            list.move(from: first, to: second)
            known.insert(known.remove(at: first), at: second)
        case 7:
            list.swapAt(first, second)
            known.swapAt(first, second)
        case 8:
            guard let element = try new() else { return }
            list[first] = try object(element)
            known[first] = element
        default:
            let range = min(first, second)..<max(first, second)
            guard let element = try new() else { return }
            list.replaceSubrange(range, with: [try object(element)])
            known.replaceSubrange(range, with: [element])
        }
    }

    private func editOthers() throws {
        guard let number = history.chance.element(world.hubOrder), var state = world.hubs[number] else {
            return
        }
        let hub = try making.hub(number)
        let kind = history.chance.number(3..<10)
        note("edit a list of hub \(number): \(kind)")
        switch history.chance.number(0..<3) {
        case 0:
            if kind < 5, let new = history.chance.element(world.hubOrder) {
                hub.hubs.append(try making.hub(new))
                state.hubs.append(new)
            } else {
                try edit(hub.hubs, &state.hubs, kind) {
                    history.chance.element(world.hubOrder)
                } object: {
                    try making.hub($0)
                }
            }
        case 1:
            if kind < 5 {
                let new = (0..<history.chance.number(0..<6)).map { _ in history.chance.text() }
                hub.words.append(objectsIn: new.map { text($0) })
                state.words += new
            } else {
                try edit(hub.words, &state.words, kind) {
                    history.chance.text()
                } object: {
                    text($0)
                }
            }
        default:
            if kind < 5 {
                let new = (0..<history.chance.number(0..<40)).map { _ in history.chance.optionalInteger() }
                hub.numbers.append(objectsIn: new)
                state.numbers += new
            } else {
                try edit(hub.numbers, &state.numbers, kind) {
                    history.chance.optionalInteger()
                } object: {
                    $0
                }
            }
        }
        world.hubs[number] = state
    }

    // MARK: Deleting

    private func delete() throws {
        switch history.chance.number(0..<8) {
        case 0..<3:
            guard let number = history.chance.element(world.hubOrder) else { return }
            note("delete hub \(number)")
            let hub = try making.hub(number)
            realm.delete(hub)
            try require(hub.isInvalidated && hub.realm == nil, "a deleted hub lives")
            world.deleteHubs([number])
        case 3..<5:
            guard let number = history.chance.element(world.leafOrder) else { return }
            note("delete leaf \(number)")
            realm.delete(try making.leaf(number))
            world.deleteLeaves([number])
        case 5:
            guard let number = history.chance.element(world.hubOrder) else { return }
            note("delete the leaves of hub \(number)")
            let leaves = try making.hub(number).leaves
            realm.delete(leaves)
            try require(leaves.isEmpty, "a list whose objects were deleted is not empty")
            world.deleteLeaves(Set(world.hubs[number]?.leaves ?? []))
        case 6:
            note("delete some leaves in a loop")
            var gone: Set<Int> = []
            for (rank, leaf) in realm.objects(Leaf.self).enumerated() where history.chance.isOne(in: 5) {
                gone.insert(world.leafOrder[rank])
                realm.delete(leaf)
            }
            world.deleteLeaves(gone)
        default:
            note("delete a sequence of hubs")
            let numbers = Set(
                (0..<history.chance.number(0..<4)).compactMap { _ in
                    history.chance.element(world.hubOrder)
                })
            realm.delete(try numbers.sorted().map { try making.hub($0) })
            world.deleteHubs(numbers)
        }
    }

    private func deleteAll() {
        switch history.chance.number(0..<4) {
        case 0:
            note("delete everything")
            realm.deleteAll()
            world = World()
        case 1:
            note("delete all leaves")
            realm.delete(realm.objects(Leaf.self))
            world.deleteLeaves(Set(world.leafOrder))
        default: break
        }
    }

    // MARK: Mistakes

    /// Does something that must do nothing but doom the write.
    func makeMistake() throws {
        isDoomed = true
        let kind = history.chance.number(0..<9)
        note("mistake \(kind)")
        guard let number = world.hubOrder.last else { return realm.delete(Hub()) }
        let hub = try making.hub(number)
        switch kind {
        case 0: hub.key = "another"
        case 1: hub.leaves.remove(at: hub.leaves.count)
        case 2: hub.words.insert("x", at: -1)
        case 3: hub.setValue("no number", forKey: "count")
        case 4: realm.add(Leaf(), update: .modified)
        case 5:
            let same = Hub()
            same.key = hub.key
            same.leaves.append(Leaf())
            realm.add(same)
        case 6:
            let frozen = seat.realm?.freeze().objects(Hub.self).first
            if let frozen { hub.hubs.append(frozen) } else { realm.delete(Hub()) }
        case 7: hub.friendOf = hub.friendOf
        default:
            // An object that dies: by another accessor, so that this one is not the deleted instance.
            let draft = Draft(isHub: false)
            let leaf = try making.leafObject(draft)
            realm.add(leaf)
            realm.delete(realm.objects(Leaf.self)[realm.objects(Leaf.self).count - 1])
            try require(leaf.isInvalidated, "an object that was deleted lives")
            hub.leaf = leaf
            leaf.name = "x"
            hub.leaves.append(leaf)
        }
    }
}

extension DraftMaking {
    func leafObject(_ draft: Draft) throws -> Leaf {
        guard let leaf = try object(draft) as? Leaf else { throw ModelFailure("a draft of no leaf") }
        return leaf
    }
}
