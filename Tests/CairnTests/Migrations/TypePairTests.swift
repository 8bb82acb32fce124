import Cairn
import Foundation
import Testing

/// A class with one property of any type. All of them are one class to the file.
private final class Holder<Value: _Persistable>: Versioned {
    @Persisted var value: Value
    @Persisted var number: Int

    override class func className() -> String { "Holder" }
}

/// A type that the property may have.
struct PropertyShape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The type of the value or element; shapes of one kind differ in "optional" and "list" alone.
    let kind: String
    let isOptional: Bool
    let isList: Bool
    let type: Object.Type
    /// What objects have in it; nil for nil.
    let values: [String?]
    fileprivate let samples: [@Sendable () -> Any?]
    /// The default, as text; nil for one that is another each time.
    let fallback: String?

    static let all: [PropertyShape] =
        shapes("Int", Int.self, [0, -5, Int.max])
        + shapes("Bool", Bool.self, [true, false])
        + shapes("String", String.self, ["", "short", "a text that is longer than twelve bytes"])
        + shapes("Data", Data.self, [Data(), Data([1, 2]), Data(repeating: 3, count: 2_000)])
        + shapes("Date", Date.self, [Date(timeIntervalSince1970: 1), .distantPast], isFresh: true)
        + shapes("Float", Float.self, [0, 1.5])
        + shapes("Double", Double.self, [0, -1.5, .infinity])
        + shapes("ObjectId", ObjectId.self, [ObjectId(), ObjectId.generate()], isFresh: true)
        + shapes("Decimal128", Decimal128.self, [0, "1.10"])
        + shapes("UUID", UUID.self, [UUID(), UUID()], isFresh: true)

    private static func shapes<
        Value: _StoredValue & _PersistableInsideOptional & RealmCollectionValue & Sendable
    >(
        _ kind: String, _ type: Value.Type, _ values: [Value], isFresh: Bool = false
    ) -> [PropertyShape] {
        let zero = Holder<Value>().value
        let texts: [String?] = values.map { Self.text($0) }
        let fallback = isFresh ? nil : text(zero)
        let lists: [[Value]] = [[], values, [values[0]]]
        let optionalLists: [[Value?]] = [[], values + [nil], [nil, values[0]]]
        return [
            PropertyShape(
                testDescription: kind, kind: kind, isOptional: false, isList: false, type: Holder<Value>.self,
                values: texts, samples: values.map { value in { value } }, fallback: fallback),
            PropertyShape(
                testDescription: kind + "?", kind: kind, isOptional: true, isList: false,
                type: Holder<Value?>.self, values: texts + [nil],
                samples: values.map { value in { value } } + [{ nil }], fallback: "nil"),
            PropertyShape(
                testDescription: "List<\(kind)>", kind: kind, isOptional: false, isList: true,
                type: Holder<List<Value>>.self, values: lists.map { text($0) },
                samples: lists.map { list in { list } }, fallback: "[]"),
            PropertyShape(
                testDescription: "List<\(kind)?>", kind: kind, isOptional: true, isList: true,
                type: Holder<List<Value?>>.self, values: optionalLists.map { text($0) },
                samples: optionalLists.map { list in { list } }, fallback: "[]"),
        ]
    }

    static func text(_ value: Any?) -> String {
        switch value {
        case nil: "nil"
        case let list as any Sequence where !(list is String) && !(list is Data): text(of: list)
        case let data as Data: data.base64EncodedString()
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let value?: "\(value)"
        }
    }

    private static func text<S: Sequence>(of sequence: S) -> String {
        "[" + sequence.map { text(unwrapped($0)) }.joined(separator: ", ") + "]"
    }

    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }

    /// What becomes of the values in a migration without a block; nil for what is another each time.
    func values(as new: PropertyShape, zero: String) -> [String?] {
        guard kind == new.kind, isList == new.isList else { return values.map { _ in new.fallback } }
        return values.map { value in
            if isList { return new.isOptional ? value : value?.replacingOccurrences(of: "nil", with: zero) }
            return value ?? new.fallback
        }
    }
}

struct TypePairTests {
    private func make(_ shape: PropertyShape, _ file: VersionedFile, isEmpty: Bool) throws {
        try file.make([shape.type]) { realm in
            guard !isEmpty else { return }
            for (number, sample) in shape.samples.enumerated() {
                let object = shape.type.init()
                object["number"] = number
                object["value"] = sample()
                realm.add(object)
            }
        }
    }

    private func zero(of kind: String) -> String {
        // The zero of each type, which lists that may not have nil any more have in its place.
        switch kind {
        case "Date": PropertyShape.text(Date(timeIntervalSinceReferenceDate: 0))
        case "ObjectId": PropertyShape.text(ObjectId())
        case "UUID": "00000000-0000-0000-0000-000000000000"
        default: PropertyShape.all.first { $0.kind == kind }?.fallback ?? ""
        }
    }

    @Test(arguments: PropertyShape.all)
    func `every type becomes every other`(_ old: PropertyShape) throws {
        for new in PropertyShape.all {
            let file = try VersionedFile()
            try make(old, file, isEmpty: false)
            let texts = old.values.map { $0 ?? "nil" }
            try file.open(
                1, [new.type],
                block: { migration, _ in
                    var met: [String] = []
                    migration.enumerateObjects(ofType: "Holder") { before, after in
                        met.append(PropertyShape.text(before?["value"]))
                        #expect(before?["number"] as? Int == after?["number"] as? Int)
                    }
                    #expect(met == texts, "\(old.testDescription) to \(new.testDescription)")
                }
            ) { realm in
                let objects = Self.objects(realm, new)
                let found = objects.map { PropertyShape.text($0["value"]) }
                for (found, wanted) in zip(found, old.values(as: new, zero: zero(of: new.kind))) {
                    let words = "\(old.testDescription) to \(new.testDescription)"
                    if let wanted {
                        #expect(found == wanted, "\(words)")
                    } else {
                        #expect(found != "nil", "\(words)")
                    }
                }
                #expect(objects.map { $0["number"] as? Int } == Array(0..<old.samples.count))
            }
        }
    }

    private static func objects(_ realm: Realm, _ shape: PropertyShape) -> [Object] {
        func open<T: Object>(_ type: T.Type) -> [Object] { realm.objects(type).map { $0 } }
        return open(shape.type)
    }

    @Test(arguments: PropertyShape.all)
    func `without rows every type becomes every other`(_ old: PropertyShape) throws {
        let file = try VersionedFile()
        try make(old, file, isEmpty: true)
        for (version, new) in PropertyShape.all.enumerated() {
            try file.open(UInt64(version + 1), [new.type]) { realm in
                #expect(Self.objects(realm, new).isEmpty)
            }
        }
    }

    @Test func `a value of every type is copied into a text by the block`() throws {
        let text = try #require(PropertyShape.all.first { $0.testDescription == "String" })
        for old in PropertyShape.all {
            let file = try VersionedFile()
            try make(old, file, isEmpty: false)
            try file.open(
                1, [text.type],
                block: { migration, _ in
                    migration.enumerateObjects(ofType: "Holder") { before, after in
                        after?["value"] = PropertyShape.text(before?["value"])
                    }
                }
            ) { realm in
                let found = Self.objects(realm, text).map { $0["value"] as? String }
                #expect(found == old.values.map { $0 ?? "nil" })
            }
        }
    }
}
