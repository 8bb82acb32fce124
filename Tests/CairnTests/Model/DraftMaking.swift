import Cairn
import Foundation

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Turns drafts into objects and dictionaries for a Realm.
struct DraftMaking {
    let realm: Realm
    let world: World

    func hub(_ number: Int) throws -> Hub {
        guard let rank = world.hubOrder.firstIndex(of: number) else {
            throw ModelFailure("the model asks for a hub it does not have")
        }
        return realm.objects(Hub.self)[rank]
    }

    func leaf(_ number: Int) throws -> Leaf {
        guard let rank = world.leafOrder.firstIndex(of: number) else {
            throw ModelFailure("the model asks for a leaf it does not have")
        }
        return realm.objects(Leaf.self)[rank]
    }

    func hub(_ reference: Draft.Reference) throws -> Hub {
        switch reference {
        case .known(let number): return try hub(number)
        case .draft(let draft):
            guard let hub = try object(draft) as? Hub else { throw ModelFailure("a draft of no hub") }
            return hub
        }
    }

    func leaf(_ reference: Draft.Reference) throws -> Leaf {
        switch reference {
        case .known(let number): return try leaf(number)
        case .draft(let draft):
            guard let leaf = try object(draft) as? Leaf else { throw ModelFailure("a draft of no leaf") }
            return leaf
        }
    }

    /// The unmanaged object of a draft, made once.
    func object(_ draft: Draft) throws -> Object {
        if let object = draft.object { return object }
        guard draft.isHub else {
            let leaf = Leaf()
            draft.object = leaf
            leaf.name = text(draft.name)
            leaf.weight = draft.weight
            leaf.owner = try draft.owner.map { try self.hub($0) }
            return leaf
        }
        let hub = Hub()
        draft.object = hub
        hub.key = draft.key.map { text($0) }
        draft.scalars.apply(to: hub)
        hub.friend = try draft.friend.map { try self.hub($0) }
        hub.leaf = try draft.leaf.map { try self.leaf($0) }
        hub.leaves.append(objectsIn: try draft.leaves.map { try self.leaf($0) })
        hub.hubs.append(objectsIn: try draft.hubs.map { try self.hub($0) })
        hub.words.append(objectsIn: draft.words.map { text($0) })
        hub.numbers.append(objectsIn: draft.numbers)
        return hub
    }

    /// What `create` is given for a draft: a dictionary, of dictionaries and of the Realm's objects.
    func value(_ draft: Draft) throws -> [String: Any] {
        guard draft.isHub else {
            var value: [String: Any] = ["name": text(draft.name), "weight": draft.weight as Any]
            value["owner"] = try draft.owner.map { try hubValue($0) } ?? NSNull()
            return value
        }
        let all = Hub()
        draft.scalars.apply(to: all)
        var value: [String: Any] = ["key": draft.key.map { text($0) } as Any]
        for field in DraftChance.scalarFields where draft.sets(field) {
            value[field] = all.value(forKey: field) as Any
        }
        if draft.sets("friend") { value["friend"] = try draft.friend.map { try hubValue($0) } as Any }
        if draft.sets("leaf") { value["leaf"] = try draft.leaf.map { try leafValue($0) } ?? NSNull() }
        if draft.sets("leaves") { value["leaves"] = try draft.leaves.map { try leafValue($0) } }
        if draft.sets("hubs") { value["hubs"] = try draft.hubs.map { try hubValue($0) } }
        if draft.sets("words") { value["words"] = draft.words.map { text($0) } }
        if draft.sets("numbers") { value["numbers"] = draft.numbers }
        return value
    }

    private func hubValue(_ reference: Draft.Reference) throws -> Any {
        if case .draft(let draft) = reference { return try value(draft) }
        return try hub(reference)
    }

    private func leafValue(_ reference: Draft.Reference) throws -> Any {
        if case .draft(let draft) = reference { return try value(draft) }
        return try leaf(reference)
    }
}

extension World.Scalars {
    func apply(to hub: Hub) {
        for field in DraftChance.scalarFields { apply(field, to: hub) }
    }

    func apply(_ field: String, to hub: Hub) {
        switch field {
        case "count": hub.count = count
        case "small": hub.small = small
        case "flag": hub.flag = flag
        case "ratio": hub.ratio = ratioBits.map { Double(bitPattern: $0) }
        case "text": hub.text = String(decoding: text, as: UTF8.self)
        case "blob": hub.blob = blob
        case "when": hub.when = when
        case "mood": hub.mood = mood
        default: hub.amount = Decimal128(stringLiteral: amount)
        }
    }

    /// A property as text that compares exactly.
    func words(_ field: String) -> String {
        switch field {
        case "count": "\(count)"
        case "small": "\(small)"
        case "flag": "\(flag)"
        case "ratio": "\(ratioBits as Any)"
        case "text": "\(text)"
        case "blob": "\(blob.map { Array($0) } as Any)"
        case "when": "\(when.timeIntervalSince1970.bitPattern)"
        case "mood": "\(mood as Any)"
        default: amount
        }
    }

    init(of hub: Hub) {
        count = hub.count
        small = hub.small
        flag = hub.flag
        ratioBits = hub.ratio?.bitPattern
        text = Array(hub.text.utf8)
        blob = hub.blob
        when = hub.when
        mood = hub.mood
        amount = hub.amount.stringValue
    }
}

/// What a history found wrong.
struct ModelFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func require(_ claim: Bool, _ text: @autoclosure () -> String) throws {
    if !claim { throw ModelFailure(text()) }
}
