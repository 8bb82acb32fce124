internal import CairnPredicate

/// A number of a predicate, of whatever kind, compared with columns of another kind without rounding.
enum ComparedNumber {
    case int(Int64)
    case double(Double)
    case decimal(DecimalNumber)

    init?(_ literal: Literal) {
        switch literal {
        case .int(let value): self = .int(value)
        case .float(let value): self = .double(Double(value))
        case .double(let value): self = .double(value)
        case .decimal(let high, let low): self = .decimal(DecimalNumber(low: low, high: high))
        default: return nil
        }
    }

    var isNaN: Bool {
        switch self {
        case .int: false
        case .double(let value): value.isNaN
        case .decimal(let value): value.isNaN
        }
    }

    /// Whether an integer is less than the number, equal to it or greater: -1, 0, 1.
    private func order(of value: Int64) -> Int {
        switch self {
        case .int(let other): return value < other ? -1 : value == other ? 0 : 1
        // NaN never comes here.
        case .double(let other): return ExactOrder.compare(value, other) ?? -1
        case .decimal(let other): return DecimalNumber(value).compare(other)
        }
    }

    /// The first integer for which a condition holds that holds for all greater ones too; nil for none.
    private static func firstInteger(where holds: (Int64) -> Bool) -> Int64? {
        guard holds(.max) else { return nil }
        var low = Int64.min
        var high = Int64.max
        while low < high {
            let middle = Int64((Int128(low) + Int128(high)) >> 1)
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The integers in a relation to the number; nil for none.
    func integers(_ relation: ScalarRelation) -> ClosedRange<Int64>? {
        if isNaN { return nil }
        if case .int(let value) = self { return Self.integers(relation, value) }
        let firstAtLeast = Self.firstInteger { order(of: $0) >= 0 }
        let firstGreater = Self.firstInteger { order(of: $0) > 0 }
        switch relation {
        case .equal:
            guard let first = firstAtLeast, order(of: first) == 0 else { return nil }
            return first...first
        case .greaterOrEqual: return firstAtLeast.map { $0...Int64.max }
        case .greater: return firstGreater.map { $0...Int64.max }
        case .less:
            guard let first = firstAtLeast else { return Int64.min...Int64.max }
            return first == .min ? nil : Int64.min...(first - 1)
        case .lessOrEqual:
            guard let first = firstGreater else { return Int64.min...Int64.max }
            return first == .min ? nil : Int64.min...(first - 1)
        default: return nil
        }
    }

    private static func integers(_ relation: ScalarRelation, _ value: Int64) -> ClosedRange<Int64>? {
        switch relation {
        case .equal: value...value
        case .greaterOrEqual: value...Int64.max
        case .greater: value == .max ? nil : (value + 1)...Int64.max
        case .less: value == .min ? nil : Int64.min...(value - 1)
        case .lessOrEqual: Int64.min...value
        default: nil
        }
    }

    /// The doubles in a relation to the number; nil for none.
    func doubles(_ relation: ScalarRelation) -> ClosedRange<Double>? {
        if isNaN { return nil }
        let nearest: Double
        // Where the nearest double lies: -1 below the number, 0 on it, 1 above.
        let side: Int
        switch self {
        case .double(let value): (nearest, side) = (value, 0)
        case .int(let value):
            nearest = Double(value)
            let exact = Int128(nearest)
            side = exact == Int128(value) ? 0 : exact < Int128(value) ? -1 : 1
        case .decimal(let value):
            // A double is the shortest decimal that it is the nearest to, as where two properties are compared.
            nearest = value.doubleValue
            side = DecimalNumber(nearest).compare(value)
        }
        let atLeast = side < 0 ? nearest.nextUp : nearest
        let atMost = side > 0 ? nearest.nextDown : nearest
        switch relation {
        case .equal: return side == 0 ? nearest...nearest : nil
        case .greaterOrEqual: return atLeast...Double.infinity
        case .lessOrEqual: return -Double.infinity...atMost
        case .greater:
            guard side == 0 else { return atLeast...Double.infinity }
            return nearest == .infinity ? nil : nearest.nextUp...Double.infinity
        case .less:
            guard side == 0 else { return -Double.infinity...atMost }
            return nearest == -.infinity ? nil : -Double.infinity...nearest.nextDown
        default: return nil
        }
    }

    /// The number as a float column is compared with it: rounded, as Realm does, so that a float of 0.1
    /// equals 0.1.
    var float: Float {
        switch self {
        case .int(let value): Float(value)
        case .double(let value): Float(value)
        case .decimal(let value): Float(value.doubleValue)
        }
    }

    func floats(_ relation: ScalarRelation) -> ClosedRange<Float>? {
        if isNaN { return nil }
        let value = float
        switch relation {
        case .equal: return value...value
        case .greaterOrEqual: return value...Float.infinity
        case .lessOrEqual: return -Float.infinity...value
        case .greater: return value == .infinity ? nil : value.nextUp...Float.infinity
        case .less: return value == -.infinity ? nil : -Float.infinity...value.nextDown
        default: return nil
        }
    }

    var decimal: DecimalNumber {
        switch self {
        case .int(let value): DecimalNumber(value)
        case .double(let value): DecimalNumber(value)
        case .decimal(let value): value
        }
    }
}
