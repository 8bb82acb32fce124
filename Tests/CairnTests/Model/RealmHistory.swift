import Cairn
import Foundation

/// One long random history of one file through the public API: several threads that take turns, each with
/// a Realm at a version of its own, and what each of them must show.
final class RealmHistory {
    let configuration: Realm.Configuration
    var chance: DraftChance
    private let seats: [Seat]
    /// What is committed.
    var committed = World()
    /// The number of the next object.
    var nextNumber = 0
    /// Frozen Realms that are kept, with what they show.
    private var frozen: [(realm: Realm, world: World)] = []
    /// What the last write in a block has thrown.
    var outcome: (any Error)?
    private var trace: [String] = []
    private let printsTrace = ProcessInfo.processInfo.environment["CAIRN_TRACE"] != nil

    init(_ configuration: Realm.Configuration, seed: UInt64, seatCount: Int = 3) {
        self.configuration = configuration
        chance = DraftChance(seed: seed)
        seats = (0..<seatCount).map { _ in Seat() }
    }

    deinit {
        for seat in seats { seat.end() }
    }

    func note(_ event: String) {
        if printsTrace {
            print("\(trace.count): \(event)")
            fflush(nil)
        }
        trace.append(event)
    }

    func run(_ stepCount: Int) throws {
        var step = 0
        do {
            while step < stepCount {
                let index = chance.number(0..<seats.count)
                let seat = seats[index]
                note("- seat \(index)")
                try seat.run { [unowned self] in try self.step(seat) }
                step += 1
            }
            try end()
        } catch {
            throw ModelFailure(
                "step \(step): \(error)\nthe last steps:\n\(trace.suffix(25).joined(separator: "\n"))")
        }
    }

    private func end() throws {
        for seat in seats { try seat.run { [unowned self] in try self.compare(seat) } }
        try compareFrozen()
        for seat in seats {
            try seat.run {
                seat.forget()
                seat.realm = nil
            }
        }
        frozen = []
        // Nobody has the file open any more.
        let seat = seats[0]
        try seat.run { [unowned self] in
            try self.open(seat)
            try self.compare(seat)
            seat.realm = nil
        }
    }

    private func step(_ seat: Seat) throws {
        if seat.realm == nil { try open(seat) }
        switch chance.number(0..<100) {
        case ..<60: try write(seat)
        case ..<68: try refresh(seat)
        case ..<72: try invalidate(seat)
        case ..<75: try close(seat)
        case ..<84: try freeze(seat)
        case ..<90: try compareFrozen()
        case ..<96: try handOver(seat)
        default: try compare(seat)
        }
    }

    // MARK: Versions

    private func open(_ seat: Seat) throws {
        note("open")
        // Held objects keep the thread's Realm open, at its version.
        let isOpen = !seat.heldHubs.isEmpty || !seat.heldLeaves.isEmpty || !seat.heldLists.isEmpty
        seat.realm = try Realm(configuration: configuration)
        if isOpen { return }
        seat.world = committed
    }

    private func close(_ seat: Seat) throws {
        note("close")
        if chance.isOne(in: 2) { seat.forget() }
        seat.realm = nil
    }

    private func refresh(_ seat: Seat) throws {
        guard let realm = seat.realm else { return }
        note("refresh")
        realm.refresh()
        seat.world = committed
        try require(!realm.refresh(), "a second refresh found another version")
        try compare(seat)
    }

    private func invalidate(_ seat: Seat) throws {
        guard let realm = seat.realm else { return }
        note("invalidate")
        let results = realm.objects(Hub.self)
        realm.invalidate()
        try require(results.isInvalidated, "results of before an invalidate")
        for (hub, _) in seat.heldHubs { try require(hub.isInvalidated, "a hub outlived an invalidate") }
        for (list, _) in seat.heldLists { try require(list.isInvalidated, "a list outlived an invalidate") }
        seat.world = committed
        if chance.isOne(in: 2) { _ = realm.isEmpty }
        for (leaf, _) in seat.heldLeaves { try require(leaf.isInvalidated, "a leaf outlived an invalidate") }
        seat.forget()
        // Opened by the first use, and so at the newest version.
        try compare(seat)
    }

    private func freeze(_ seat: Seat) throws {
        guard let realm = seat.realm else { return }
        note("freeze")
        keep(realm.freeze(), seat.world)
    }

    func keep(_ realm: Realm, _ world: World) {
        if frozen.count > 5 { frozen.remove(at: chance.number(0..<frozen.count)) }
        frozen.append((realm, world))
    }

    /// On whatever thread this is called.
    private func compareFrozen() throws {
        note("compare what is frozen")
        for (realm, world) in frozen where chance.isOne(in: 2) {
            try require(realm.isFrozen, "a frozen Realm thawed")
            try WorldComparison(realm, world).run()
        }
    }

    /// Hands an object to the Realm of another thread.
    private func handOver(_ seat: Seat) throws {
        guard let realm = seat.realm, let number = chance.element(seat.world.hubOrder) else { return }
        note("hand hub \(number) over")
        let hub = try DraftMaking(realm: realm, world: seat.world).hub(number)
        let reference = ThreadSafeReference(to: hub)
        let list = ThreadSafeReference(to: hub.leaves)
        // A thread that waits for another one must not be asked to work.
        let configuration = configuration
        let world = committed
        let other = Seat()
        defer { other.end() }
        try other.run {
            let realm = try Realm(configuration: configuration)
            let comparison = WorldComparison(realm, world)
            let hub = realm.resolve(reference)
            try require((hub == nil) == (world.hubs[number] == nil), "a reference to hub \(number)")
            if let hub { try comparison.compare(hub, number) }
            let leaves = realm.resolve(list)
            try require(leaves?.count == world.hubs[number]?.leaves.count, "a reference to a list")
        }
    }

    // MARK: Comparing

    func compare(_ seat: Seat) throws {
        guard let realm = seat.realm else { return }
        try WorldComparison(realm, seat.world).run()
        try compareHeld(seat, realm)
    }

    private func compareHeld(_ seat: Seat, _ realm: Realm) throws {
        let comparison = WorldComparison(realm, seat.world)
        for (hub, number) in seat.heldHubs {
            let isThere = seat.world.hubs[number] != nil
            try require(
                hub.isInvalidated != isThere, "held hub \(number): isInvalidated \(hub.isInvalidated)")
            if isThere {
                try comparison.compare(hub, number)
            } else {
                try require(hub.description == "[invalid object]", "the description of a dead hub")
            }
            try require(hub == hub && Set([hub]).contains(hub), "a held hub is not itself")
        }
        for (leaf, number) in seat.heldLeaves {
            let isThere = seat.world.leaves[number] != nil
            try require(
                leaf.isInvalidated != isThere, "held leaf \(number): isInvalidated \(leaf.isInvalidated)")
            if isThere { try comparison.compare(leaf, number) }
        }
        for (list, number) in seat.heldLists {
            let state = seat.world.hubs[number]
            try require(list.isInvalidated == (state == nil), "held list of \(number): isInvalidated")
            if let state {
                try require(list.count == state.leaves.count, "held list of \(number): its count")
            }
        }
    }
}
