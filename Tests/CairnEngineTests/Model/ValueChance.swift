import CairnStorage
import TestSupport

/// Values by chance: from few different ones, so that they meet, and with every border among them.
struct ValueChance {
    var chance: SeededGenerator

    init(_ chance: SeededGenerator) { self.chance = chance }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &chance) }
    mutating func isOne(in count: Int) -> Bool { number(0..<count) == 0 }

    /// A value of a column, null among them where it may be.
    mutating func value(of column: ModelColumn) -> [UInt8]? {
        if column.isNullable && isOne(in: 5) { return nil }
        return bytes(of: column.kind)
    }

    mutating func bytes(of kind: ValueKind) -> [UInt8] {
        switch kind {
        case .bool: [isOne(in: 2) ? 1 : 0]
        case .int: integer().storedBytes
        case .float: Float(real()).bitPattern.storedBytes
        case .double, .date: real().bitPattern.storedBytes
        case .string: text()
        case .binary: isOne(in: 3) ? text().map { $0 == 0x61 ? 0 : $0 ^ 0x80 } : text()
        case .objectId: fixed(12)
        case .uuid, .decimal: fixed(16)
        case .link, .backlinks: preconditionFailure("a link has no bytes of its own")
        }
    }

    private mutating func integer() -> Int64 {
        switch number(0..<10) {
        case 0: [Int64.min, Int64.max, 0, -1, 1 << 32, -(1 << 40)][number(0..<6)]
        case 1...4: Int64(number(-20..<20))
        default: Int64(number(-600..<600))
        }
    }

    private mutating func real() -> Double {
        switch number(0..<10) {
        case 0: [Double.nan, -Double.nan, .infinity, -.infinity][number(0..<4)]
        case 1: [0.0, -0.0][number(0..<2)]
        case 2: Double(number(-1_000_000..<1_000_000)) * 1.37e-5
        default: Double(number(-40..<40)) / 4
        }
    }

    private mutating func fixed(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(number(0..<3)), count: count)
        bytes[number(0..<count)] = UInt8(number(0..<60))
        return bytes
    }

    /// UTF-8: short, or of a length at one of the borders, or one of many with the same beginning that is
    /// longer than what an ordered key takes.
    private mutating func text() -> [UInt8] {
        switch number(0..<12) {
        case 0: return filled([0, 1, 11, 12, 13, 14][number(0..<6)])
        case 1: return filled([1_023, 1_024, 1_025, 2_000][number(0..<4)])
        case 2, 3:
            let shared = [UInt8](
                repeating: 0x70, count: [476, 477, 478, 479, 480, 600, 1_030][number(0..<7)])
            return shared + filled(number(0..<3))
        case 4: return filled(number(13..<40)) + [0] + filled(number(0..<3))
        case 5: return filled(number(100..<400))
        default: return Array("\(number(0..<300))".utf8)
        }
    }

    private mutating func filled(_ count: Int) -> [UInt8] {
        let letter = UInt8(0x61 + number(0..<3))
        return [UInt8](repeating: letter, count: count)
    }
}
