import Cairn
import Foundation
import TestSupport

/// Values and drafts by chance: from few different ones, so that they meet.
struct DraftChance {
    var chance: SeededGenerator
    /// The drafts that were made and not taken apart yet.
    var drafts: [Draft] = []

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &chance) }
    mutating func isOne(in count: Int) -> Bool { number(0..<count) == 0 }
    mutating func element<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &chance)
    }

    // MARK: Values

    /// Of few, so that they are there already often; nil is a key too.
    mutating func key() -> [UInt8]? {
        switch number(0..<30) {
        case 0: nil
        case 1: []
        case 2: Array("é".utf8)
        case 3: Array("e\u{301}".utf8)
        case 4: Array(String(repeating: "k", count: 600 + number(0..<3)).utf8)
        default: Array("key \(number(0..<60))".utf8)
        }
    }

    mutating func text() -> [UInt8] {
        switch number(0..<14) {
        case 0:
            Array(
                String(repeating: "t", count: [11, 12, 13, 1_023, 1_024, 1_025, 9_000][number(0..<7)]).utf8)
        case 1: Array("👩‍👩‍👧‍👦\0ü".utf8)
        case 2: []
        default: Array("text \(number(0..<20))".utf8)
        }
    }

    mutating func integer() -> Int {
        isOne(in: 8) ? [Int.min, Int.max, -1][number(0..<3)] : number(-50..<50)
    }
    mutating func optionalInteger() -> Int? { isOne(in: 4) ? nil : integer() }

    mutating func scalars() -> World.Scalars {
        var scalars = World.Scalars()
        for field in Self.scalarFields where !isOne(in: 3) { set(field, of: &scalars) }
        return scalars
    }

    static let scalarFields = ["count", "small", "flag", "ratio", "text", "blob", "when", "mood", "amount"]

    mutating func set(_ field: String, of scalars: inout World.Scalars) {
        switch field {
        case "count": scalars.count = integer()
        case "small": scalars.small = Int8(number(-128..<128))
        case "flag": scalars.flag = isOne(in: 2)
        case "ratio":
            scalars.ratioBits =
                isOne(in: 3) ? nil : [0.0, -0.0, .nan, .infinity, 1.5][number(0..<5)].bitPattern
        case "text": scalars.text = text()
        case "blob": scalars.blob = isOne(in: 3) ? nil : Data(text())
        case "when": scalars.when = Date(timeIntervalSince1970: Double(number(-9..<9)) / 8)
        case "mood": scalars.mood = [nil, Mood.calm, .wild][number(0..<3)]
        default: scalars.amount = ["0", "1.10", "-3E10", "5E-7"][number(0..<4)]
        }
    }

    // MARK: Drafts

    /// A draft with a few others that it leads to, and to objects of the world.
    ///
    /// - Parameter asValue: for a dictionary: a tree, and not all properties are given.
    mutating func draft(isHub: Bool, _ world: World, depth: Int = 2, asValue: Bool = false) -> Draft {
        var made: [Draft] = []
        defer { drafts += made }
        return draft(isHub: isHub, world, depth: depth, asValue: asValue, &made)
    }

    private mutating func draft(
        isHub: Bool, _ world: World, depth: Int, asValue: Bool, _ made: inout [Draft]
    ) -> Draft {
        let draft = Draft(isHub: isHub)
        made.append(draft)
        guard isHub else {
            draft.name = text()
            draft.weight = optionalInteger()
            if isOne(in: 3) { draft.owner = reference(isHub: true, world, depth, asValue, &made) }
            return draft
        }
        draft.key = key()
        draft.scalars = scalars()
        if isOne(in: 2) { draft.friend = reference(isHub: true, world, depth, asValue, &made) }
        if isOne(in: 2) { draft.leaf = reference(isHub: false, world, depth, asValue, &made) }
        for _ in 0..<(isOne(in: 2) ? 0 : number(0..<4)) {
            if let leaf = reference(isHub: false, world, depth, asValue, &made) { draft.leaves.append(leaf) }
        }
        for _ in 0..<(isOne(in: 2) ? 0 : number(0..<3)) {
            if let hub = reference(isHub: true, world, depth, asValue, &made) { draft.hubs.append(hub) }
        }
        draft.words = (0..<number(0..<4)).map { _ in text() }
        draft.numbers = (0..<number(0..<4)).map { _ in optionalInteger() }
        if asValue { leaveOut(of: draft) }
        return draft
    }

    /// Takes properties out of what is given; they get their defaults.
    private mutating func leaveOut(of draft: Draft) {
        var given = Set(Self.scalarFields + ["friend", "leaf", "leaves", "hubs", "words", "numbers"])
        for field in given.sorted() where isOne(in: 2) { given.remove(field) }
        draft.given = given
        let defaults = World.Scalars()
        if !given.contains("count") { draft.scalars.count = defaults.count }
        if !given.contains("small") { draft.scalars.small = defaults.small }
        if !given.contains("flag") { draft.scalars.flag = defaults.flag }
        if !given.contains("ratio") { draft.scalars.ratioBits = defaults.ratioBits }
        if !given.contains("text") { draft.scalars.text = defaults.text }
        if !given.contains("blob") { draft.scalars.blob = defaults.blob }
        if !given.contains("when") { draft.scalars.when = defaults.when }
        if !given.contains("mood") { draft.scalars.mood = defaults.mood }
        if !given.contains("amount") { draft.scalars.amount = defaults.amount }
        if !given.contains("friend") { draft.friend = nil }
        if !given.contains("leaf") { draft.leaf = nil }
        if !given.contains("leaves") { draft.leaves = [] }
        if !given.contains("hubs") { draft.hubs = [] }
        if !given.contains("words") { draft.words = [] }
        if !given.contains("numbers") { draft.numbers = [] }
    }

    private mutating func reference(
        isHub: Bool, _ world: World, _ depth: Int, _ asValue: Bool, _ made: inout [Draft]
    ) -> Draft.Reference? {
        // Circles, too.
        if !asValue, isOne(in: 4), let known = element(made.filter { $0.isHub == isHub }) {
            return .draft(known)
        }
        if depth > 0, isOne(in: 3) {
            return .draft(draft(isHub: isHub, world, depth: depth - 1, asValue: asValue, &made))
        }
        return element(isHub ? world.hubOrder : world.leafOrder).map { .known($0) }
    }
}
