import Cairn
import Foundation
import Testing

@Suite struct `A Decimal128` {
    @Test func `is made of literals`() {
        let integer: Decimal128 = 123
        let double: Decimal128 = 3.14159
        let text: Decimal128 = "9.876543"
        #expect(integer.stringValue == "123")
        #expect(double.stringValue == "3.14159")
        #expect(text.stringValue == "9.876543")
        #expect(Decimal128().stringValue == "0")
    }

    @Test(arguments: [
        (0.1, "0.1"), (3.0, "3"), (-0.0, "-0"), (1e22, "1E22"), (0.1 + 0.2, "0.30000000000000004"),
        (.leastNonzeroMagnitude, "5E-324"), (.greatestFiniteMagnitude, "1.7976931348623157E308"),
        (1e-5, "0.00001"),
        (.infinity, "Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (123456789.5, "123456789.5"),
    ])
    func `is the shortest decimal of a double`(double: Double, text: String) {
        let number = Decimal128(floatLiteral: double)
        #expect(number.stringValue == text)
        #expect(Decimal128(value: double).stringValue == text)
        #expect(Decimal128(number: NSNumber(value: double)).stringValue == text)
        #expect(number.doubleValue == double || double.isNaN)
    }

    @Test func `is made of every kind of number`() throws {
        let values: [(Any, String)] = [
            (Int.min, "-9223372036854775808"), (UInt64.max, "18446744073709551615"), (Int8(-128), "-128"),
            (UInt16(65_535), "65535"), (Int32(7), "7"), (Float(0.1), "0.1"), (2.5, "2.5"), ("1.50", "1.50"),
            (NSNumber(value: Int64.max), "9223372036854775807"),
            (NSNumber(value: UInt64.max), "18446744073709551615"), (NSNumber(value: Float(0.2)), "0.2"),
            (NSNumber(value: true), "1"), (true, "1"), (Decimal(string: "-12.345") ?? 0, "-12.345"),
            (NSDecimalNumber(string: "0.001"), "0.001"), (Decimal.nan, "NaN"), (NSNull(), "NaN"),
            ("4.20" as Decimal128, "4.20"),
        ]
        for (value, text) in values {
            #expect(Decimal128(value: value).stringValue == text, "\(type(of: value))")
        }
    }

    @Test func `is not made of anything else`() async {
        #expect(Decimal128(converting: Date()) == nil)
        #expect(Decimal128(converting: [1]) == nil)
        #expect(Decimal128(converting: UUID()) == nil)
        await #expect(processExitsWith: .failure) { _ = Decimal128(value: Data()) }
    }

    @Test func `is an integer exactly, or not at all`() {
        let nines: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
        #expect(Decimal128(exactly: 5) == 5)
        #expect(Decimal128(exactly: Int.min)?.stringValue == "-9223372036854775808")
        #expect(Decimal128(exactly: nines)?.stringValue == String(nines))
        #expect(Decimal128(exactly: nines + 1) == "1E34")
        #expect(Decimal128(exactly: nines + 2) == nil)
        #expect(Decimal128(exactly: Int128.min) == nil)
    }

    @Test func `has its extremes`() {
        #expect(Decimal128.max.stringValue == "9.999999999999999999999999999999999E6144")
        #expect(Decimal128.min.stringValue == "-9.999999999999999999999999999999999E6144")
        #expect(Decimal128.min < .max)
        #expect(Decimal128.max + .max == "Inf")
        #expect(Decimal128.max + 1 == .max)
        #expect(Decimal128.min * 2 == "-Inf")
    }

    @Test func `loses no digit with its sign`() {
        // Realm goes through Double here.
        var number: Decimal128 = "-1234567890.123456789012345678901234"
        #expect(number.magnitude.stringValue == "1234567890.123456789012345678901234")
        number.negate()
        #expect(number.stringValue == "1234567890.123456789012345678901234")
        #expect((-number).stringValue == "-1234567890.123456789012345678901234")
        #expect(Decimal128("-Inf").magnitude == "Inf")
        #expect(Decimal128("NaN").magnitude.isNaN)
    }

    @Test func `calculates in place`() {
        var number: Decimal128 = "1.10"
        number += "2.05"
        #expect(number.stringValue == "3.15")
        number -= 1
        #expect(number.stringValue == "2.15")
        number *= 2
        #expect(number.stringValue == "4.30")
        number /= 4
        #expect(number.stringValue == "1.075")
    }

    @Test func `sums money exactly`() {
        let tenth: Decimal128 = 0.1
        #expect((0..<1_000).reduce(Decimal128()) { sum, _ in sum + tenth }.stringValue == "100.0")
        #expect([0.1, 0.2, 0.3].reduce(0, +) as Decimal128 == 0.6)
    }

    @Test func `does not trap on what has no result`() {
        #expect(Decimal128(1) / 0 == "Inf")
        #expect(Decimal128(-1) / 0 == "-Inf")
        #expect((Decimal128(0) / 0).isNaN)
        #expect(("Inf" - "Inf" as Decimal128).isNaN)
        #expect(("NaN" + 1 as Decimal128).isNaN)
        #expect(Decimal128("NaN").isSignaling && Decimal128("NaN").isSignalingNaN)
        #expect(!Decimal128("Inf").isNaN && !Decimal128(0).isSignaling)
    }

    @Test func `strides`() {
        let number: Decimal128 = 10
        #expect(number.distance(to: 5) == -5)
        #expect(number.advanced(by: "2.5").stringValue == "12.5")
        let steps = stride(from: 0 as Decimal128, through: 1, by: 0.25)
        #expect(steps.map(\.stringValue) == ["0", "0.25", "0.50", "0.75", "1.00"])
    }

    @Test(arguments: [
        ("0", "0"), ("1.50", "1.5"),
        ("-12345678901234567890.12345678901234", "-12345678901234567890.12345678901234"),
        ("9999999999999999999999999999999999", "9999999999999999999999999999999999"),
        ("1E127", "1" + String(repeating: "0", count: 127)),
        ("12345E127", "12345" + String(repeating: "0", count: 127)), ("1E128", "NaN"),
        ("1E-128", "0." + String(repeating: "0", count: 127) + "1"), ("1E-129", "0"),
        ("6E-129", "0." + String(repeating: "0", count: 127) + "1"),
        ("1E200", "NaN"), ("1E6144", "NaN"), ("1E-6176", "0"), ("Inf", "NaN"), ("-Inf", "NaN"),
        ("NaN", "NaN"),
    ])
    func `is Foundation's Decimal where that can say it`(source: String, text: String) throws {
        #expect(try Decimal128(string: source).decimalValue.description == text)
    }

    @Test func `is its sixteen bytes as stored`() {
        #expect(MemoryLayout<Decimal128>.size == 16)
        #expect(MemoryLayout<Decimal128>.stride == 16)
        let bytes = withUnsafeBytes(of: Decimal128(258)) { Array($0) }
        #expect(bytes == [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x30])
        let words = Decimal128("-1.5").words
        #expect(Decimal128(low: words.low, high: words.high).stringValue == "-1.5")
    }
}
