import CairnStorage

/// The order of values in an ordered index: null, then NaN, then as they compare.
struct ValueOrder {
    let kind: ValueKind

    /// Below 0 where left comes before right, 0 where they are equal.
    func compare(_ left: [UInt8]?, _ right: [UInt8]?) -> Int {
        guard let left, let right else { return (left == nil ? 0 : 1) - (right == nil ? 0 : 1) }
        switch kind {
        case .int: return order(Int64(left), Int64(right))
        case .float, .double, .date: return compare(number(left), number(right))
        default:
            if left == right { return 0 }
            return left.lexicographicallyPrecedes(right) ? -1 : 1
        }
    }

    func isNaN(_ bytes: [UInt8]?) -> Bool {
        guard let bytes, kind == .float || kind == .double || kind == .date else { return false }
        return number(bytes).isNaN
    }

    private func number(_ bytes: [UInt8]) -> Double {
        kind == .float ? Double(Float(bitPattern: UInt32(bytes))) : Double(bitPattern: UInt64(bytes))
    }

    private func compare(_ left: Double, _ right: Double) -> Int {
        if left.isNaN || right.isNaN { return (left.isNaN ? 0 : 1) - (right.isNaN ? 0 : 1) }
        return order(left, right)
    }

    private func order<T: Comparable>(_ left: T, _ right: T) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    /// The entries in order, among equal ones by row key.
    func sorted(_ entries: [(row: RowKey, value: [UInt8]?)]) -> [(row: RowKey, value: [UInt8]?)] {
        entries.sorted { left, right in
            let order = compare(left.value, right.value)
            return order != 0 ? order < 0 : left.row < right.row
        }
    }
}
