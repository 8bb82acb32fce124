import Cairn
import CairnPredicate
import Foundation
import Testing

@Suite struct PredicateArgumentTests {
    /// A value that an argument may be, and what becomes of it.
    struct Sample: CustomTestStringConvertible, @unchecked Sendable {
        // @unchecked: the values are read only.
        let value: Any
        let literal: Literal

        init(_ value: Any, _ literal: Literal) {
            self.value = value
            self.literal = literal
        }

        var testDescription: String { "\(type(of: value)) \(value)" }
    }

    static let samples: [Sample] = [
        Sample(1, .int(1)), Sample(Int8.min, .int(-128)), Sample(Int16(2), .int(2)),
        Sample(Int32(3), .int(3)), Sample(Int64.min, .int(.min)), Sample(UInt8.max, .int(255)),
        Sample(UInt16(4), .int(4)), Sample(UInt32.max, .int(4_294_967_295)), Sample(UInt(5), .int(5)),
        Sample(UInt64(Int64.max), .int(.max)),
        Sample(true, .bool(true)), Sample(false, .bool(false)),
        Sample(Float(1.5), .float(1.5)), Sample(1.0, .double(1)), Sample(Double.nan, .double(.nan)),
        Sample("a\0b", .string("a\0b")), Sample("abc".dropFirst(), .string("bc")),
        Sample(Data([1, 0, 2]), .bytes([1, 0, 2])),
        Sample(Date(timeIntervalSinceReferenceDate: -0.25), .date(-0.25)),
        Sample(Colour.green, .string("green")), Sample(Mood.wild, .int(7)),
        Sample(Decimal(string: "1.10") ?? 0, .decimal(high: 0x303E_0000_0000_0000, low: 11)),
        Sample(NSNull(), .null), Sample(NSNumber(value: true), .bool(true)),
        Sample(NSNumber(value: Int8(1)), .int(1)), Sample(NSNumber(value: UInt8(1)), .int(1)),
        Sample(NSNumber(value: 1), .int(1)), Sample(NSNumber(value: 1.0), .double(1)),
        Sample(NSNumber(value: Float(0.5)), .float(0.5)), Sample(NSString("text"), .string("text")),
        Sample(NSDate(timeIntervalSinceReferenceDate: 2), .date(2)),
        Sample(NSData(data: Data([9])), .bytes([9])),
        Sample(Int?.none as Any, .null), Sample(Int?.some(3) as Any, .int(3)),
        Sample(Int??.some(.none) as Any, .null), Sample(Mood?.some(.calm) as Any, .int(3)),
        Sample(Mood?.none as Any, .null),
        Sample([Int](), .array([])), Sample([1, 2], .array([.int(1), .int(2)])),
        Sample([1, nil] as [Int?], .array([.int(1), .null])),
        Sample([1, "a", true] as [Any], .array([.int(1), .string("a"), .bool(true)])),
        Sample([Mood.calm], .array([.int(3)])), Sample(Set(["x"]), .array([.string("x")])),
        Sample(1...3, .array([.int(1), .int(2), .int(3)])),
        Sample([1, 2].lazy.map { Double($0) }, .array([.double(1), .double(2)])),
        Sample(NSArray(array: [1, true]), .array([.int(1), .bool(true)])),
    ]

    @Test(arguments: samples) func `an argument becomes the literal of its own kind`(sample: Sample) throws {
        let stated = try StatedPredicate(parsing: "a == %@", arguments: [sample.value])
        #expect(stated.condition == Self.equal(sample.literal))
        #expect(stated.objects.isEmpty)
    }

    @Test func `ids keep their bytes in order`() throws {
        let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        let id = try ObjectId(string: "00112233445566778899aabb")
        let decimal: Decimal128 = "-3.5"
        let samples: [(Any, Literal)] = [
            (uuid, .uuid(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)),
            (
                NSUUID(uuidString: uuid.uuidString) as Any,
                .uuid(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
            ),
            (id, .objectID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB)),
            (decimal, .decimal(high: 0xB03E_0000_0000_0000, low: 35)),
        ]
        for (value, literal) in samples {
            let stated = try StatedPredicate(parsing: "a == %@", arguments: [value])
            #expect(stated.condition == Self.equal(literal))
        }
    }

    @Test func `lists and results give their elements`() throws {
        let scratch = try Scratch([AllLists.self, Person.self, Dog.self])
        let realm = try scratch.realm()
        let object = AllLists()
        object.ints.append(objectsIn: [3, 1])
        object.moods.append(.wild)
        try realm.write {
            realm.add(object)
            realm.add(Person())
            realm.add(Person())
        }
        let stated = try StatedPredicate(
            parsing: "a IN %@ AND b IN %@ AND c IN %@",
            arguments: [object.ints, object.moods, realm.objects(Person.self)])
        let literals = Self.rightSides(stated.condition)
        #expect(
            literals == [
                .array([.int(3), .int(1)]), .array([.int(7)]), .array([.object(0), .object(1)]),
            ])
        #expect(stated.objects == Array(realm.objects(Person.self)))
        try scratch.verify()
    }

    @Test func `an object given twice has one place`() throws {
        let first = Dog()
        let second = Dog()
        let stated = try StatedPredicate(
            parsing: "a == %@ OR a == %@ OR a == %@", arguments: [first, second, first])
        #expect(Self.rightSides(stated.condition) == [.object(0), .object(1), .object(0)])
        #expect(stated.objects.count == 2)
        #expect(stated.objects[0] === first)
        #expect(stated.objects[1] === second)
    }

    @Test func `what no query can take is an error with its place and type`() {
        struct Stranger {}
        let cases: [([Any], String)] = [
            ([1, Stranger()], "Argument 2 is of type 'Stranger'"),
            ([[1, 2, Stranger()] as [Any]], "Element [2] of argument 1 is of type 'Stranger'"),
            ([[[Stranger()]]], "Element [0][0] of argument 1 is of type 'Stranger'"),
            ([UInt64.max], "Argument 1 is the 'UInt64' 18446744073709551615"),
            (
                [[1, UInt64.max] as [UInt64]],
                "Element [1] of argument 1 is the 'UInt64' 18446744073709551615"
            ),
            ([Stranger?.some(Stranger()) as Any], "Argument 1 is of type 'Stranger'"),
            ([[[[[[[[[[1]]]]]]]]]], "Argument 1 has arrays in arrays, more than 8 levels deep."),
        ]
        for (arguments, beginning) in cases {
            let error = #expect(throws: RealmError.self) {
                try StatedPredicate(parsing: "a == %@", arguments: arguments)
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `a text that cannot be read shows the place`() {
        let error = #expect(throws: RealmError.self) {
            try StatedPredicate(parsing: "age 3 AND name == %@", arguments: ["Rex"])
        }
        #expect(error?.code == .invalidInput)
        #expect(
            error?.message == """
                An operator such as ==, IN or BEGINSWITH is expected, not “3”.
                    age 3 AND name == %@
                        ^
                """)
    }

    @Test(arguments: [("a == %@", 0), ("a == 1", 1), ("a == %@ AND b == %@", 3)])
    func `as many arguments as placeholders`(text: String, count: Int) {
        let error = #expect(throws: RealmError.self) {
            try StatedPredicate(parsing: text, arguments: Array(repeating: 1, count: count))
        }
        #expect(error?.code == .invalidInput)
    }

    // MARK: Trees

    static func equal(_ literal: Literal) -> Condition {
        .comparison(Comparison(.path(PropertyPath([.property("a")])), .equal, .literal(literal)))
    }

    /// The literals to the right of the operators, in order.
    static func rightSides(_ condition: Condition) -> [Literal] {
        switch condition {
        case .constant: []
        case .comparison(let comparison): comparison.right.literal.map { [$0] } ?? []
        case .not(let part): rightSides(part)
        case .and(let parts), .or(let parts): parts.flatMap { rightSides($0) }
        }
    }
}
