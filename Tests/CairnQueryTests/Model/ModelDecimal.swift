/// A decimal number, written out: for comparing without the library that the engine compares with.
enum ModelDecimal: Hashable {
    case nan
    case infinity(isNegative: Bool)
    /// `coefficient` times ten to the power of `exponent`.
    case finite(Int128, exponent: Int)

    /// By the binary encoding of IEEE 754-2008.
    init(low: UInt64, high: UInt64) {
        if high >> 58 & 0x1F == 0x1F {
            self = .nan
        } else if high >> 59 & 0xF == 0xF {
            self = .infinity(isNegative: high >> 63 == 1)
        } else {
            // Coefficients of 114 bits and more are beyond 34 digits, and count as zero.
            let coefficient = Int128(UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low))
            self = .finite(
                high >> 63 == 1 ? -coefficient : coefficient, exponent: Int(high >> 49 & 0x3FFF) - 6_176)
        }
    }

    var words: (low: UInt64, high: UInt64) {
        switch self {
        case .nan: return (0, 0x7C00_0000_0000_0000)
        case .infinity(let isNegative): return (0, isNegative ? 0xF800_0000_0000_0000 : 0x7800_0000_0000_0000)
        case .finite(let coefficient, let exponent):
            let magnitude = coefficient.magnitude
            return (
                UInt64(truncatingIfNeeded: magnitude),
                (coefficient < 0 ? 1 << 63 : 0) | UInt64(exponent + 6_176) << 49
                    | UInt64(truncatingIfNeeded: magnitude >> 64)
            )
        }
    }

    init(_ value: Int64) { self = .finite(Int128(value), exponent: 0) }

    /// The shortest number that is this double, which is what Swift prints.
    init(_ value: Double) {
        if value.isNaN {
            self = .nan
        } else if value.isInfinite {
            self = .infinity(isNegative: value < 0)
        } else {
            self.init(text: value.description)
        }
    }

    /// Digits, perhaps with a point and an exponent.
    init(text: String) {
        let parts = text.lowercased().split(separator: "e")
        var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let digits = parts[0].filter { $0 != "." }
        if let point = parts[0].firstIndex(of: ".") {
            exponent -= parts[0].distance(from: point, to: parts[0].endIndex) - 1
        }
        self = .finite(Int128(digits) ?? 0, exponent: exponent)
    }

    private var isNegative: Bool {
        switch self {
        case .nan: false
        case .infinity(let isNegative): isNegative
        case .finite(let coefficient, _): coefficient < 0
        }
    }

    /// Negative, zero or positive; nil where one is NaN.
    static func order(_ left: ModelDecimal, _ right: ModelDecimal) -> Int? {
        switch (left, right) {
        case (.nan, _), (_, .nan): return nil
        case (.infinity(let left), .infinity(let right)): return left == right ? 0 : left ? -1 : 1
        case (.infinity(let isNegative), _): return isNegative ? -1 : 1
        case (_, .infinity(let isNegative)): return isNegative ? 1 : -1
        case (.finite(let one, let oneExponent), .finite(let two, let twoExponent)):
            if one.signum() != two.signum() { return one < two ? -1 : 1 }
            if one == 0 { return 0 }
            let order = magnitudeOrder(one.magnitude, oneExponent, two.magnitude, twoExponent)
            return one < 0 ? -order : order
        }
    }

    private static func magnitudeOrder(
        _ one: UInt128, _ oneExponent: Int, _ two: UInt128, _ twoExponent: Int
    ) -> Int {
        var first = Array(String(one).utf8)
        var second = Array(String(two).utf8)
        // Where the digits begin, and then digit by digit.
        let top = first.count + oneExponent
        let otherTop = second.count + twoExponent
        if top != otherTop { return top < otherTop ? -1 : 1 }
        while first.count < second.count { first.append(0x30) }
        while second.count < first.count { second.append(0x30) }
        if first == second { return 0 }
        return first.lexicographicallyPrecedes(second) ? -1 : 1
    }

    /// The sum of numbers whose exponents are near each other and whose digits are few.
    static func + (left: ModelDecimal, right: ModelDecimal) -> ModelDecimal {
        switch (left, right) {
        case (.nan, _), (_, .nan): return .nan
        case (.infinity(let one), .infinity(let two)): return one == two ? left : .nan
        case (.infinity, _): return left
        case (_, .infinity): return right
        case (.finite(let one, let oneExponent), .finite(let two, let twoExponent)):
            let exponent = min(oneExponent, twoExponent)
            return .finite(
                one * power(oneExponent - exponent) + two * power(twoExponent - exponent), exponent: exponent)
        }
    }

    private static func power(_ exponent: Int) -> Int128 {
        (0..<exponent).reduce(Int128(1)) { result, _ in result * 10 }
    }

    /// The nearest double, as text is read.
    var double: Double {
        switch self {
        case .nan: .nan
        case .infinity(let isNegative): isNegative ? -.infinity : .infinity
        case .finite(let coefficient, let exponent): Double("\(coefficient)e\(exponent)") ?? .nan
        }
    }
}
