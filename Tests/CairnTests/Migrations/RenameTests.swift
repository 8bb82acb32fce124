import Cairn
import Testing

private enum V1 {
    final class P: Versioned {
        @Persisted(indexed: true) var age: Int?
        @Persisted var a = "a"
        @Persisted var b = "b"
        @Persisted var list: List<Int>
    }
}

private enum V2 {
    final class P: Versioned {
        @Persisted(indexed: true) var years: Int?
        @Persisted var a = "a"
        @Persisted var b = "b"
        @Persisted var items: List<Int?>
    }
}

private enum OtherType {
    final class P: Versioned {
        @Persisted var years: String?
        @Persisted var a = "a"
        @Persisted var b = "b"
    }
}

private enum Required {
    final class P: Versioned {
        @Persisted var years: Int
    }
}

private enum Reused {
    final class P: Versioned {
        @Persisted var years: Int?
        @Persisted var age: String?
        @Persisted var a: String?
    }
}

private enum Mapped {
    final class P: Versioned {
        @Persisted var years: Int?
        @Persisted var first = ""
        override class func propertiesMapping() -> [String: String] { ["first": "a"] }
    }
}

struct RenameTests {
    private func file() throws -> VersionedFile {
        let file = try VersionedFile()
        try file.make([V1.P.self]) { realm in
            realm.create(
                V1.P.self, value: ["age": 5, "a": "A0", "b": "B0", "list": [1, 2]] as [String: Any])
            realm.create(V1.P.self, value: ["age": nil, "a": "A1", "b": "B1"] as [String: Any?])
        }
        return file
    }

    @Test func `values, nil and the index are carried over (case M07 d)`() throws {
        try file().open(
            1, [V2.P.self],
            block: { migration, _ in
                migration.renameProperty(onType: "P", from: "age", to: "years")
                migration.renameProperty(onType: "P", from: "list", to: "items")
                migration.enumerateObjects(ofType: "P") { old, new in
                    #expect(new?["years"] as? Int == old?["age"] as? Int)
                }
            }
        ) { realm in
            #expect(realm.objects(V2.P.self).map(\.years) == [5, nil])
            #expect(realm.schema["P"]?["age"] == nil && realm.schema["P"]?["years"]?.isIndexed == true)
            #expect(realm.objects(V2.P.self).map { Array($0.items) } == [[1, 2], []])
        }
    }

    @Test func `two names are exchanged by way of a third (case M07 e)`() throws {
        try file().open(
            1, [V1.P.self],
            block: { migration, _ in
                migration.renameProperty(onType: "P", from: "a", to: "t")
                migration.renameProperty(onType: "P", from: "b", to: "a")
                migration.renameProperty(onType: "P", from: "t", to: "b")
            }
        ) { realm in
            #expect(realm.objects(V1.P.self).map(\.a) == ["B0", "B1"])
            #expect(realm.objects(V1.P.self).map(\.b) == ["A0", "A1"])
        }
    }

    @Test func `a name that has another type now can be renamed away from`() throws {
        try file().open(
            1, [Reused.P.self],
            block: { migration, _ in migration.renameProperty(onType: "P", from: "age", to: "years") }
        ) { realm in
            #expect(realm.objects(Reused.P.self).map(\.years) == [5, nil])
            #expect(realm.objects(Reused.P.self).map(\.age) == [nil, nil])
            #expect(realm.objects(Reused.P.self).map(\.a) == ["A0", "A1"])
        }
    }

    @Test func `a stored name of its own is no renaming`() throws {
        try file().open(1, [Mapped.P.self]) { realm in
            #expect(realm.objects(Mapped.P.self).map(\.first) == ["A0", "A1"])
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var type: ObjectBase.Type
        var className = "P"
        var from: String
        var to: String
        var words: String
        var property: String

        init(
            _ name: String, _ type: ObjectBase.Type, _ className: String = "P", from: String, to: String,
            _ words: String, _ property: String
        ) {
            testDescription = name
            self.type = type
            self.className = className
            self.from = from
            self.to = to
            self.words = words
            self.property = property
        }
    }

    static let faults = [
        Fault(
            "wrong old name", V2.P.self, from: "agee", to: "years", "the file has no such property", "agee"),
        Fault(
            "wrong new name", V2.P.self, from: "age", to: "yeers", "the class has no such property", "yeers"),
        Fault(
            "other type", OtherType.P.self, from: "age", to: "years", "its type is 'Int?' and not 'String?'",
            "age"),
        Fault("required", Required.P.self, from: "age", to: "years", "the new one required", "age"),
        Fault("still there", V1.P.self, from: "a", to: "b", "the class still has this property", "a"),
        Fault("unknown class", V2.P.self, "Q", from: "a", to: "b", "the file has no class 'Q'", "a"),
    ]

    @Test(arguments: faults)
    func `a wrong renaming is an error and changes nothing (cases M07 a, b, c)`(_ fault: Fault) throws {
        let error = try file().refuse(1, [fault.type]) { migration, _ in
            migration.renameProperty(onType: fault.className, from: fault.from, to: fault.to)
        }
        #expect(error.code == .misuse && error.className == fault.className)
        #expect(error.propertyName == fault.property && error.message.contains(fault.words), "\(error)")
    }
}
