import Cairn
import Foundation
import Testing

/// The arithmetic against another implementation of the standard, to the last digit and exponent.
@Suite struct `Decimal128 against Python's decimal` {
    typealias Operation = @Sendable (Decimal128, Decimal128) -> Decimal128

    static let operations: [(String, Operation)] = [
        ("add", { $0 + $1 }), ("subtract", { $0 - $1 }), ("multiply", { $0 * $1 }), ("divide", { $0 / $1 }),
    ]

    @Test(arguments: operations)
    func `gives the same digits`(name: String, operation: Operation) throws {
        for line in try DecimalVectors().of(name, atLeast: 250) {
            let left = Decimal128(stringLiteral: line[0])
            let right = Decimal128(stringLiteral: line[1])
            #expect(operation(left, right).stringValue == line[2], "\(name) \(line[0]) \(line[1])")
        }
    }

    @Test func `reads the same number from a text`() throws {
        for line in try DecimalVectors().of("parse", atLeast: 250) {
            #expect(try Decimal128(string: line[0]).stringValue == line[1], "\(line[0])")
        }
    }

    @Test func `makes the same double`() throws {
        for line in try DecimalVectors().of("double", atLeast: 150) {
            let value = try Decimal128(string: line[0]).doubleValue
            #expect(String(value.bitPattern, radix: 16) == line[1].trimmingZeros, "\(line[0])")
        }
    }

    @Test func `orders alike`() throws {
        for line in try DecimalVectors().of("compare", atLeast: 200) {
            let left = try Decimal128(string: line[0])
            let right = try Decimal128(string: line[1])
            let expected = try #require(Int(line[2]))
            #expect((left < right) == (expected < 0), "\(line)")
            #expect((left == right) == (expected == 0), "\(line)")
            #expect((left > right) == (expected > 0), "\(line)")
        }
    }
}

extension String {
    fileprivate var trimmingZeros: String {
        let rest = drop { $0 == "0" }
        return rest.isEmpty ? "0" : String(rest)
    }
}
