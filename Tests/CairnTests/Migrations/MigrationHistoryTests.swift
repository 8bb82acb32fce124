import Cairn
import Foundation
import TestSupport
import Testing

// One class in many shapes: which properties it has, and of which types.

private class HistoryNode: Versioned {
    override class func className() -> String { "Node" }
}

private final class NodeA<A: _Persistable>: HistoryNode {
    @Persisted var number: Int
    @Persisted var a: A
}

private final class NodeAB<A: _Persistable, B: _Persistable>: HistoryNode {
    @Persisted var number: Int
    @Persisted var b: B
    @Persisted var a: A
}

private final class NodeBC<B: _Persistable, C: _Persistable>: HistoryNode {
    @Persisted(indexed: true) var number: Int
    @Persisted var b: B
    @Persisted var c: C
}

private final class NodeABC<A: _Persistable, B: _Persistable, C: _Persistable>: HistoryNode {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var c: C
    @Persisted var a: A
    @Persisted var b: B
}

/// The types that properties have in histories, with what they hold.
private struct HistoryType {
    let type: any _Persistable.Type
    let kind: String
    let isOptional: Bool
    let isList: Bool
    let zero: String

    static var all: [HistoryType] {
        [
            HistoryType(type: Int.self, kind: "Int", isOptional: false, isList: false, zero: "0"),
            HistoryType(type: Int?.self, kind: "Int", isOptional: true, isList: false, zero: "0"),
            HistoryType(type: String.self, kind: "String", isOptional: false, isList: false, zero: ""),
            HistoryType(type: String?.self, kind: "String", isOptional: true, isList: false, zero: ""),
            HistoryType(type: Double?.self, kind: "Double", isOptional: true, isList: false, zero: "0.0"),
            HistoryType(type: Bool.self, kind: "Bool", isOptional: false, isList: false, zero: "false"),
            HistoryType(type: List<Int>.self, kind: "Int", isOptional: false, isList: true, zero: "0"),
            HistoryType(type: List<Int?>.self, kind: "Int", isOptional: true, isList: true, zero: "0"),
            HistoryType(type: List<String?>.self, kind: "String", isOptional: true, isList: true, zero: ""),
            HistoryType(type: List<String>.self, kind: "String", isOptional: false, isList: true, zero: ""),
        ]
    }

    /// What an object that never had one has.
    var fallback: [String?] { isList ? [] : [isOptional ? nil : zero] }

    /// What becomes of a value in a migration without a block.
    func carry(_ value: [String?], from old: HistoryType?) -> [String?] {
        guard let old, old.kind == kind, old.isList == isList else { return fallback }
        return isOptional ? value : value.map { $0 ?? zero }
    }

    /// A value and its text: of a list those of its elements.
    func value(_ chance: inout SeededGenerator, packs: Bool) -> (any: Any?, text: [String?]) {
        if isList {
            let elements = (0..<Int.random(in: 0..<4, using: &chance)).map { _ in
                scalar(&chance, packs: packs)
            }
            return (elements.map(\.any), elements.map(\.text))
        }
        let value = scalar(&chance, packs: packs)
        return (value.any, [value.text])
    }

    private func scalar(_ chance: inout SeededGenerator, packs: Bool) -> (any: Any?, text: String?) {
        if isOptional, Int.random(in: 0..<3, using: &chance) == 0 { return (nil, nil) }
        let number = packs ? Int.random(in: 0..<4, using: &chance) : Int(truncatingIfNeeded: chance.next())
        switch kind {
        case "Int": return (number, "\(number)")
        case "Double": return (Double(number % 1_000) / 2, "\(Double(number % 1_000) / 2)")
        case "Bool": return (number % 2 == 0, "\(number % 2 == 0)")
        default:
            let text =
                packs ? "text \(number)" : String(repeating: "long \(number) ", count: 1 + abs(number % 40))
            return (text, text)
        }
    }
}

/// One version of the class.
private struct NodeShape {
    let properties: [String: HistoryType]
    let type: Object.Type

    init(_ chance: inout SeededGenerator) {
        func any() -> HistoryType { HistoryType.all.randomElement(using: &chance) ?? HistoryType.all[0] }
        let (a, b, c) = (any(), any(), any())
        func makeA<A: _Persistable>(_: A.Type) -> Object.Type { NodeA<A>.self }
        func makeAB<A: _Persistable, B: _Persistable>(_: A.Type, _: B.Type) -> Object.Type {
            NodeAB<A, B>.self
        }
        func makeBC<B: _Persistable, C: _Persistable>(_: B.Type, _: C.Type) -> Object.Type {
            NodeBC<B, C>.self
        }
        func makeABC<A: _Persistable, B: _Persistable, C: _Persistable>(
            _: A.Type, _: B.Type, _: C.Type
        ) -> Object.Type { NodeABC<A, B, C>.self }
        switch Int.random(in: 0..<4, using: &chance) {
        case 0:
            properties = ["a": a]
            type = makeA(a.type)
        case 1:
            properties = ["a": a, "b": b]
            type = makeAB(a.type, b.type)
        case 2:
            properties = ["b": b, "c": c]
            type = makeBC(b.type, c.type)
        default:
            properties = ["a": a, "b": b, "c": c]
            type = makeABC(a.type, b.type, c.type)
        }
    }
}

/// Random versions of a class, carried over one by one and in one jump, against the rules applied to plain
/// values.
struct MigrationHistoryTests {
    private typealias Row = (number: Int, values: [String: [String?]])

    private static let environment = ProcessInfo.processInfo.environment
    static let seeds: [UInt64] = {
        if let given = environment["CAIRN_SEED"].flatMap(UInt64.init) { return [given] }
        guard environment["CAIRN_LONG"] != nil else { return Array(0..<6) }
        return (0..<200).map { _ in UInt64.random(in: 0..<UInt64.max) }
    }()

    private func fill(
        _ realm: Realm, _ shape: NodeShape, from first: Int, count: Int, _ rows: inout [Row],
        _ chance: inout SeededGenerator, packs: Bool
    ) {
        for number in first..<(first + count) {
            let object = shape.type.init()
            object["number"] = number
            var row: Row = (number, [:])
            for (name, type) in shape.properties.sorted(by: { $0.key < $1.key }) {
                let (any, text) = type.value(&chance, packs: packs)
                object[name] = any
                row.values[name] = text
            }
            realm.add(object)
            rows.append(row)
        }
    }

    private func carry(_ rows: [Row], from old: NodeShape, to new: NodeShape) -> [Row] {
        rows.map { row in
            (
                row.number,
                Dictionary(
                    uniqueKeysWithValues: new.properties.map { name, type in
                        (name, type.carry(row.values[name] ?? [], from: old.properties[name]))
                    })
            )
        }
    }

    private func compare(_ realm: Realm, _ shape: NodeShape, _ rows: [Row], _ words: String) {
        func objects<T: Object>(_ type: T.Type) -> [Object] { realm.objects(type).map { $0 } }
        let found = objects(shape.type)
        guard found.count == rows.count else {
            Issue.record("\(words): \(found.count) objects instead of \(rows.count)")
            return
        }
        for (object, row) in zip(found, rows) {
            guard object["number"] as? Int == row.number else {
                Issue.record("\(words): object \(row.number) is another one")
                return
            }
            for (name, value) in row.values {
                let text = Self.texts(object[name], isList: shape.properties[name]?.isList ?? false)
                if text != value {
                    Issue.record("\(words): '\(name)' of \(row.number) is \(text) instead of \(value)")
                    return
                }
            }
        }
    }

    private static func texts(_ value: Any?, isList: Bool) -> [String?] {
        guard isList else { return [value.map { "\($0)" }] }
        func open<C: Collection>(_ list: C) -> [String?] {
            list.map { element in
                let mirror = Mirror(reflecting: element)
                guard mirror.displayStyle == .optional else { return "\(element)" }
                return mirror.children.first.map { "\($0.value)" }
            }
        }
        guard let list = value as? any Collection else { return [] }
        return open(list)
    }

    @Test(arguments: seeds, [false, true])
    func `versions one by one and in one jump`(seed: UInt64, packs: Bool) throws {
        var chance = SeededGenerator(seed: seed)
        print("migration history: CAIRN_SEED=\(seed) \(packs ? "packed" : "plain")")
        let file = try VersionedFile()
        var shape = NodeShape(&chance)
        var rows: [Row] = []
        try file.open(0, [shape.type]) { realm in
            try realm.write { fill(realm, shape, from: 0, count: 600, &rows, &chance, packs: packs) }
        }
        let jump = try VersionedFile()
        try FileManager.default.copyItem(at: file.scratch.url(), to: jump.scratch.url())
        let first = (shape, rows)
        for version in 1...Int.random(in: 2...10, using: &chance) {
            let new = NodeShape(&chance)
            var wanted = carry(rows, from: shape, to: new)
            let gone = Set((0..<5).map { _ in Int.random(in: 0..<600, using: &chance) })
            // Copies one property into another as text, where both are there.
            let copies =
                new.properties["b"]?.kind == "String" && new.properties["b"]?.isList == false
                && shape.properties["a"] != nil
            let isRenamed =
                shape.properties["a"] != nil && new.properties["a"] == nil
                && shape.properties["c"] == nil
                && new.properties["c"].map { new in
                    shape.properties["a"].map {
                        $0.kind == new.kind && $0.isList == new.isList && (!$0.isOptional || new.isOptional)
                    } ?? false
                } ?? false
            for index in wanted.indices {
                let number = wanted[index].number
                if copies, number % 3 == 0 {
                    wanted[index].values["b"] = ["copy \(rows[index].values["a"]?.count ?? 0)"]
                }
                if isRenamed { wanted[index].values["c"] = rows[index].values["a"] }
            }
            wanted.removeAll { gone.contains($0.number) }
            let isList = shape.properties["a"]?.isList ?? false
            try file.open(
                UInt64(version), [new.type],
                block: { migration, old in
                    #expect(old == UInt64(version) - 1)
                    if isRenamed { migration.renameProperty(onType: "Node", from: "a", to: "c") }
                    migration.enumerateObjects(ofType: "Node") { old, new in
                        guard let old, let new, let number = old["number"] as? Int else { return }
                        if gone.contains(number) { return migration.delete(new) }
                        if copies, number % 3 == 0 {
                            new["b"] = "copy \(Self.texts(old["a"], isList: isList).count)"
                        }
                    }
                }
            ) { realm in
                compare(realm, new, wanted, "version \(version)")
                try realm.write {
                    fill(realm, new, from: version * 1_000, count: 5, &wanted, &chance, packs: packs)
                }
                compare(realm, new, wanted, "version \(version), afterwards")
            }
            (shape, rows) = (new, wanted)
        }
        try jump.open(50, [shape.type]) { realm in
            compare(realm, shape, carry(first.1, from: first.0, to: shape), "the jump")
        }
    }
}
