import Cairn
import TestSupport

extension SeededGenerator {
    /// A number of few digits and a small exponent, or of many and any, or a special one: from a small
    /// enough set that equal ones meet.
    mutating func decimal() -> Decimal128 {
        switch Int.random(in: 0..<10, using: &self) {
        case 0: [.min, .max, "NaN", "Inf", "-Inf", "-0", "0E10", "1E-6176"].randomElement(using: &self)!
        case 1...6: few()
        default: Decimal128(low: next(), high: next())
        }
    }

    private mutating func few() -> Decimal128 {
        let digits = Int.random(in: -20...20, using: &self)
        let zeros = String(repeating: "0", count: Int.random(in: 0...20, using: &self))
        return Decimal128(stringLiteral: "\(digits)\(zeros)E\(Int.random(in: -22...2, using: &self))")
    }
}
