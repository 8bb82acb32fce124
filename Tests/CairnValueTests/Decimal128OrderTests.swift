import Cairn
import TestSupport
import Testing

@Suite struct `The order of Decimal128` {
    @Test func `sorts NaN first, then the infinities around the numbers`() {
        let sorted: [Decimal128] = [
            "NaN", "-Inf", .min, "-1.5", "-1E-6176", 0, "1E-6176", "0.1", 1, "1.5", .max, "Inf",
        ]
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            #expect(left < right)
            #expect(left <= right)
            #expect(!(left >= right))
            #expect(right > left)
            #expect(left != right)
        }
        #expect(sorted.shuffled().sorted() == sorted)
    }

    @Test(arguments: [
        ["1", "1.0", "1.00", "0.1E1", "10E-1", "1.000000000000000000000000000000000"],
        ["0", "-0", "0.000", "0E6111", "-0E-6176"],
        ["1E6144", "1.000000000000000000000000000000000E6144"],
        ["-12E3", "-12000", "-12000.00"],
        ["NaN", "-NaN", "nan", "sNaN"],
        ["Inf", "infinity", "+INF"],
    ])
    func `makes equal numbers one element of a set`(texts: [String]) throws {
        let numbers = try texts.map { try Decimal128(string: $0) }
        #expect(Set(numbers).count == 1)
        #expect(Set(numbers.map { "\($0.canonical.words)" }).count == 1)
        for left in numbers {
            for right in numbers {
                #expect(left == right)
                #expect(left <= right && left >= right)
                #expect(!(left < right) && !(left > right))
            }
        }
    }

    // Digits beyond 34 nines, in the one form and the other, count as zero; a NaN may carry anything.
    @Test(arguments: [
        (low: UInt64.max, high: UInt64(0x3041_FFFF_FFFF_FFFF), equal: Decimal128()),
        (low: 1, high: 0x6C00_0000_0000_0000, equal: 0),
        (low: 77, high: 0x7E00_0000_0000_1234, equal: "NaN"),
        (low: 77, high: 0xFC00_0000_0000_1234, equal: "NaN"),
        (low: 77, high: 0xF800_0000_0000_1234, equal: "-Inf"),
    ])
    func `takes unusual encodings for what the standard says they are`(
        low: UInt64, high: UInt64, equal: Decimal128
    ) {
        let number = Decimal128(low: low, high: high)
        #expect(number == equal)
        #expect(number.hashValue == equal.hashValue)
        #expect(number.isNaN == equal.isNaN)
        #expect(Decimal128(stringLiteral: number.stringValue) == equal)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `is total, and equal numbers hash alike`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let numbers = (0..<400).map { _ in generator.decimal() }
        for left in numbers {
            for right in numbers.prefix(60) {
                let claims = [left < right, left == right, left > right]
                #expect(claims.filter { $0 }.count == 1, "\(left) and \(right)")
                #expect(
                    (left == right) == (left.canonical.words == right.canonical.words), "\(left) \(right)")
                if left == right { #expect(left.hashValue == right.hashValue, "\(left) and \(right)") }
            }
        }
        let sorted = numbers.sorted()
        for (index, left) in sorted.enumerated() {
            #expect(sorted[index...].prefix(60).allSatisfy { left <= $0 }, "\(left)")
        }
    }
}
