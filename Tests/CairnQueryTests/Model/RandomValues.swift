import CairnStorage
import TestSupport

/// Values by chance: from few different ones, so that they meet, with every border among them.
struct RandomValues {
    var chance: SeededGenerator

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &chance) }
    mutating func oneIn(_ count: Int) -> Bool { chance.oneIn(count) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0...(elements.count - 1))]
    }

    mutating func value(_ kind: ValueKind) -> ModelValue {
        switch kind {
        case .bool: .bool(oneIn(2))
        case .int: .int(integer())
        case .float: .float(oneIn(4) ? pick([0.1, 1e30, .leastNonzeroMagnitude]) : Float(real()))
        case .double: .double(real())
        case .date: .date(oneIn(4) ? pick([-978_307_200, -978_307_200.5, -1e10, 1e9]) : real())
        case .string: .string(text())
        case .binary: .binary(oneIn(3) ? text().map { $0 ^ 0x80 } : text())
        case .objectId: .objectId(identifier(12))
        case .uuid: .uuid(identifier(16))
        case .decimal: .decimal(decimal())
        case .link, .backlinks: preconditionFailure("links are made where the rows are known")
        }
    }

    private static let integers: [Int64] = [
        .min, .max, .min + 1, .max - 1, 9_007_199_254_740_992, 9_007_199_254_740_993, -9_007_199_254_740_993,
        4_294_967_296,
    ]

    private mutating func integer() -> Int64 {
        switch number(0...9) {
        case 0: pick(Self.integers)
        case 1...7: Int64(number(-4...4))
        default: Int64(number(-600...600))
        }
    }

    private mutating func real() -> Double {
        switch number(0...9) {
        case 0: pick([.nan, -.nan, .infinity, -.infinity])
        case 1: pick([0.0, -0.0])
        case 2: pick([0x1p63, -0x1p63, 0x1p53, 0x1p53 + 2, 1e300, -1e300, .leastNonzeroMagnitude, 0.1])
        default: Double(number(-12...12)) / 4
        }
    }

    private mutating func decimal() -> ModelDecimal {
        switch number(0...9) {
        case 0: pick([.nan, .infinity(isNegative: false), .infinity(isNegative: true)])
        case 1: .finite(Int128(number(-3...3)), exponent: pick([-20, -6_000, 20, 400]))
        default: .finite(Int128(number(-40...40)), exponent: number(-3...2))
        }
    }

    private mutating func identifier(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(number(0...1)), count: count)
        bytes[number(0...(count - 1))] = UInt8(number(0...3) * 85)
        return bytes
    }

    static let words = [
        "", "a", "A", "ab", "aB", "é", "e\u{301}", "É", "ß", "ss", "SS", "ẞ", "İ", "i\u{307}", "ſ", "s", "ς",
        "σ", "Σ", "ﬁ", "fi", "🚀", "👨‍👩‍👧", "🇩🇪", "a\u{0}b", "\u{0}", "*", "?", "x*y", "Ж", "ж", "漢", "ｱ", "K",
        "\u{212A}",
        "o\u{308}", "ö", "equal prefix", "equal prefix 1", "equal prefix 2",
    ]

    mutating func text() -> [UInt8] {
        switch number(0...19) {
        case 0:
            // Longer than a heap value may be, and than the longest key of an index.
            let count = pick([1_023, 1_024, 1_025, 2_047, 2_049, 3_000])
            return [UInt8](repeating: 0x61, count: count) + Array(pick(Self.words).utf8)
        case 1: return [UInt8](repeating: 0x62, count: pick([11, 12, 13, 14, 477, 480]))
        case 2...4: return Array((pick(Self.words) + pick(Self.words)).utf8)
        case 5: return Array("equal prefix over twelve bytes \(number(0...3))".utf8)
        default: return Array(pick(Self.words).utf8)
        }
    }
}
