import CairnStorage
import Foundation
import TestSupport

/// The seed of the random tests: another each run, or that of `CAIRN_SEED`.
enum TestSeed {
    static let value =
        ProcessInfo.processInfo.environment["CAIRN_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64.max)
    static var comment: String { "CAIRN_SEED=\(value)" }

    /// A generator of its own for each use, so that tests may run in any order.
    static func generator(_ use: UInt64) -> SeededGenerator { SeededGenerator(seed: value &+ use) }
}

extension ValueKind {
    static let indexable = allCases.filter { OrderedKey.isIndexable($0) }
}

/// A value's bytes as columns store them; nil is null.
typealias StoredValue = [UInt8]?

/// How values are ordered, written down without any encoding.
enum ValueModel {
    static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func number(_ bytes: [UInt8], _ kind: ValueKind) -> Double {
        bytes.withUnsafeBytes {
            kind == .float
                ? Double(Float(bitPattern: $0.loadUnaligned(as: UInt32.self)))
                : Double(bitPattern: $0.loadUnaligned(as: UInt64.self))
        }
    }

    static func isNaN(_ value: StoredValue, _ kind: ValueKind) -> Bool {
        guard let value, kind == .float || kind == .double || kind == .date else { return false }
        return number(value, kind).isNaN
    }

    /// Below zero, zero or above.
    static func compare(_ left: StoredValue, _ right: StoredValue, _ kind: ValueKind) -> Int {
        guard let left else { return right == nil ? 0 : -1 }
        guard let right else { return 1 }
        switch kind {
        case .int:
            return order(integer(left), integer(right))
        case .float, .double, .date:
            let numbers = (number(left, kind), number(right, kind))
            if numbers.0.isNaN || numbers.1.isNaN {
                return order(numbers.0.isNaN ? 0 : 1, numbers.1.isNaN ? 0 : 1)
            }
            return order(numbers.0, numbers.1)
        default:
            return left == right ? 0 : left.isBefore(right) ? -1 : 1
        }
    }

    static func integer(_ bytes: [UInt8]) -> Int64 {
        bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
    }

    static func order<T: Comparable>(_ left: T, _ right: T) -> Int {
        left == right ? 0 : left < right ? -1 : 1
    }

    /// The values at which encodings go wrong.
    static func corners(_ kind: ValueKind) -> [StoredValue] {
        let numbers: [Double] = [
            -.infinity, -.greatestFiniteMagnitude, -1e300, -2, -1, -.leastNormalMagnitude,
            -.leastNonzeroMagnitude, -0.0, 0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 1, 1.5, 2,
            1e300,
            .greatestFiniteMagnitude, .infinity, .nan, -.nan, .signalingNaN, .init(nan: 7, signaling: false),
        ]
        switch kind {
        case .bool: return [nil, [0], [1]]
        case .int:
            let integers: [Int64] = [.min, .min + 1, -65_536, -256, -255, -1, 0, 1, 255, 256, .max - 1, .max]
            return [nil] + integers.map { bytes($0) }
        case .float: return [nil] + numbers.map { bytes(Float($0).bitPattern) }
        case .double, .date: return [nil] + numbers.map { bytes($0.bitPattern) }
        case .objectId, .uuid:
            let count = kind.elementByteCount ?? 0
            return [nil]
                + [0, 1, 0x7F, 0x80, 0xFF].flatMap { byte -> [StoredValue] in
                    [Array(repeating: byte, count: count), Array(repeating: 0, count: count - 1) + [byte]]
                }
        default: return [nil] + texts
        }
    }

    /// Short texts, and long ones around every place where a key may be cut.
    private static var texts: [StoredValue] {
        let short: [[UInt8]] = [
            [], [0], [0, 0], [0, 1], [0, 2], [0, 0xFF], [1], [0xFF], [0xFF, 0xFF], Array("a".utf8),
            Array("ab".utf8),
            Array("a\0".utf8), Array("a\0b".utf8), Array("é".utf8), Array("日本".utf8),
        ]
        let base = [UInt8](repeating: 0x61, count: 472)
        let tails: [[UInt8]] = (0...8).flatMap { count -> [[UInt8]] in
            let stem = [UInt8](repeating: 0x61, count: count)
            return [[], [0], [0, 0], [0x62], [1], [2], [0xFF], [0, 0x61]].map { stem + $0 }
        }
        let zeros = [238, 239, 240].map { [UInt8](repeating: 0, count: $0) }
        return short + tails.map { base + $0 } + zeros + zeros.map { [1] + $0 } + zeros.map { $0 + [1] }
    }

    static func random(_ kind: ValueKind, _ generator: inout SeededGenerator) -> StoredValue {
        if Int.random(in: 0..<12, using: &generator) == 0 { return nil }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            return corners(kind).randomElement(using: &generator)!
        }
        let word = generator.next()
        // Small numbers as well as any bits, so that there are equal ones.
        let small = Int64(word % 21) - 10
        let isSmall = word >> 63 == 0
        switch kind {
        case .bool: return [UInt8(word & 1)]
        case .int: return bytes(isSmall ? small : Int64(bitPattern: word))
        case .float: return bytes(isSmall ? Float(small).bitPattern : UInt32(truncatingIfNeeded: word))
        case .double, .date: return bytes(isSmall ? Double(small).bitPattern : word)
        case .objectId, .uuid:
            return (0..<(kind.elementByteCount ?? 0)).map { _ in UInt8(generator.next() % (isSmall ? 2 : 256))
            }
        default:
            let alphabet: [UInt8] = [0, 0, 1, 2, 0x61, 0x62, 0xFE, 0xFF]
            let stemCount = isSmall ? 0 : Int.random(in: 460...485, using: &generator)
            return [UInt8](repeating: 0x61, count: stemCount)
                + (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator)!
                }
        }
    }
}

/// The key of a row in an ordered index, as an array.
func indexKey(_ kind: ValueKind, _ value: StoredValue, _ row: RowKey, space: UInt16 = 7) -> [UInt8] {
    var buffer = OrderedKeyBuffer()
    guard let value else {
        buffer.setIndexKey(SpaceID(space), kind, nil, row)
        return Array(buffer.bytes)
    }
    value.withUnsafeBytes { buffer.setIndexKey(SpaceID(space), kind, $0, row) }
    return Array(buffer.bytes)
}

extension [UInt8] {
    /// Whether it comes before other bytes, as LMDB compares keys.
    func isBefore(_ other: [UInt8]) -> Bool {
        let order = memcmp(self, other, Swift.min(count, other.count))
        return order != 0 ? order < 0 : count < other.count
    }

    func parts(_ kind: ValueKind) throws(StorageError) -> OrderedKey.Parts {
        // The bytes outlive the call as the array does; tests keep it.
        try withUnsafeBufferPointer { bytes throws(StorageError) in
            try OrderedKey.parse(UnsafeRawBufferPointer(bytes), kind: kind)
        }
    }
}
