import Cairn
import Foundation
import TestSupport
import Testing

@Suite struct `The text of Decimal128` {
    @Test(arguments: [
        ("0", "0"), ("-0", "-0"), ("0.00", "0.00"), ("00012", "12"), ("+7", "7"), ("1.10", "1.10"),
        ("-.5", "-0.5"), ("5.", "5"), ("0.000001", "0.000001"), ("0.0000001", "1E-7"),
        ("0.00000012", "1.2E-7"), ("1E3", "1E3"), ("1.5e2", "1.5E2"), ("150", "150"), ("15e+1", "1.5E2"),
        ("123456.789E-3", "123.456789"), ("0E-6176", "0E-6176"), ("0E10", "0E10"), ("1E-6176", "1E-6176"),
        ("1234567890e123", "1.234567890E132"), ("inf", "Inf"), ("-Infinity", "-Inf"), ("NAN", "NaN"),
        ("9999999999999999999999999999999999", "9999999999999999999999999999999999"),
        ("9999999999999999999999999999999999E6111", "9.999999999999999999999999999999999E6144"),
        ("12345678901234567890123456789012345", "1.234567890123456789012345678901234E34"),
        ("12345678901234567890123456789012355", "1.234567890123456789012345678901236E34"),
    ])
    func `has one plain form`(source: String, text: String) throws {
        let number = try Decimal128(string: source)
        #expect(number.stringValue == text)
        #expect(number.description == text)
        #expect(try Decimal128(string: text).stringValue == text)
    }

    @Test(arguments: [
        "", " ", "+", "-", ".", "e", "E5", "1e", "1e+", "1e1.5", "1.2.3", "1,5", " 1", "1 ", "1_000", "abc",
        "1a",
        "--1", "+-1", "0x10", "½", "１", "1\0", "infinit", "nano", "١",
    ])
    func `is NaN where it says no number`(source: String) throws {
        #expect(try Decimal128(string: source).isNaN)
        #expect(Decimal128(stringLiteral: source).isNaN)
        #expect(Decimal128(value: source).isNaN)
        #expect(Decimal128(parsing: source) == nil)
    }

    // Intel's own parser writes behind its buffer here.
    @Test func `may be as long as it likes`() throws {
        let long = String(repeating: "1234567890", count: 20_000)
        #expect(try Decimal128(string: long).stringValue == "Inf")
        #expect(try Decimal128(string: "0." + long).stringValue == "0.1234567890123456789012345678901235")
        #expect(
            try Decimal128(string: long + "E-199999").stringValue == "1.234567890123456789012345678901235")
        let zeros = String(repeating: "0", count: 200_000)
        #expect(try Decimal128(string: zeros + "1.5").stringValue == "1.5")
        #expect(try Decimal128(string: "0." + zeros + "15E200001").stringValue == "1.5")
        #expect(try Decimal128(string: "1E" + zeros + "3").stringValue == "1E3")
        #expect(try Decimal128(string: "1E" + long).stringValue == "Inf")
        #expect(try Decimal128(string: "1E-" + long) == 0)
    }

    @Test(arguments: [11, 12] as [UInt64])
    func `gives the same number back`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let number = generator.decimal()
            let again = try Decimal128(string: number.stringValue)
            #expect(again == number)
            #expect(again.stringValue == number.stringValue)
        }
    }

    @Test func `is what it is encoded as`() throws {
        let numbers: [Decimal128] = ["1.10", "-2E400", "NaN", "-Inf", 0]
        let json = try JSONEncoder().encode(numbers)
        #expect(String(decoding: json, as: UTF8.self) == #"["1.10","-2E400","NaN","-Inf","0"]"#)
        #expect(try JSONDecoder().decode([Decimal128].self, from: json) == numbers)
        let optional = try JSONDecoder().decode([Decimal128?].self, from: Data("[null]".utf8))
        #expect(optional == [nil])
    }

    @Test(arguments: [
        ("2.2", "2.2"), ("0.1", "0.1"), ("12", "12"), ("-9223372036854775808", "-9223372036854775808"),
        ("\"1234567890e123\"", "1.234567890E132"), ("\"-0.10\"", "-0.10"), ("1e400", nil), ("true", nil),
        ("\"ten\"", nil), ("\"\"", nil), ("{}", nil), ("null", nil),
    ])
    func `is decoded from texts and numbers, and from nothing else`(json: String, text: String?) throws {
        let source = Data("[\(json)]".utf8)
        if let text {
            #expect(try JSONDecoder().decode([Decimal128].self, from: source).map(\.stringValue) == [text])
        } else {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([Decimal128].self, from: source) }
        }
    }
}
