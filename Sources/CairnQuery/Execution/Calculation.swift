internal import CairnStorage

/// `min`, `max`, `sum` and `avg` of values that come one after the other. Null and NaN take no part.
package struct Calculation {
    /// The result. Kinds: a sum of ints is an int, held to the range of 64 bits; one of floats a double.
    package enum Result: Equatable, Sendable {
        case none
        case int(Int64)
        case double(Double)
        case decimal(low: UInt64, high: UInt64)
    }

    private let operation: BoundAggregate.Operation
    private let kind: ValueKind
    private var count = 0
    private var intSum: Int128 = 0
    private var doubleSum = 0.0
    private var decimalSum = DecimalNumber.zero
    private var extreme = ScalarValue.null

    init(_ operation: BoundAggregate.Operation, _ kind: ValueKind) {
        self.operation = operation
        self.kind = kind
    }

    mutating func add(_ value: ScalarValue) {
        switch value {
        case .null, .bytes: return
        case .double(let number) where number.isNaN: return
        case .decimal(let number) where number.isNaN: return
        default: break
        }
        count += 1
        switch operation {
        case .sum, .avg: addToSum(value)
        case .min: if isNew(value, -1) { extreme = value }
        case .max: if isNew(value, 1) { extreme = value }
        }
    }

    /// Whether a value would be the new minimum or maximum.
    func wouldChange(with value: ScalarValue) -> Bool {
        switch operation {
        case .min: isNew(value, -1)
        case .max: isNew(value, 1)
        case .sum, .avg: true
        }
    }

    private func isNew(_ value: ScalarValue, _ wanted: Int) -> Bool {
        guard let order = ScalarValue.order(value, extreme) else { return true }
        return wanted < 0 ? order < 0 : order > 0
    }

    private mutating func addToSum(_ value: ScalarValue) {
        switch value {
        case .int(let number): intSum += Int128(number)
        case .double(let number): doubleSum += number
        case .decimal(let number): decimalSum = decimalSum + number
        case .null, .bytes: break
        }
    }

    /// Adds what a scan has summed already.
    mutating func add(doubles sum: Double, count: Int) {
        doubleSum += sum
        self.count += count
    }

    mutating func add(ints sum: Int128, count: Int) {
        intSum += sum
        self.count += count
    }

    package var result: Result {
        switch operation {
        case .sum: return total
        case .avg: return count == 0 ? .none : average
        case .min, .max: return count == 0 ? .none : Self.result(of: extreme)
        }
    }

    private static func result(of value: ScalarValue) -> Result {
        switch value {
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .decimal(let number): .decimal(low: number.low, high: number.high)
        case .null, .bytes: .none
        }
    }

    private var total: Result {
        switch kind {
        case .int, .bool: .int(Int64(clamping: intSum))
        case .decimal: .decimal(low: decimalSum.low, high: decimalSum.high)
        default: .double(doubleSum)
        }
    }

    private var average: Result {
        switch kind {
        case .int, .bool: return .double(Double(intSum) / Double(count))
        case .decimal:
            let quotient = decimalSum / DecimalNumber(Int64(count))
            return .decimal(low: quotient.low, high: quotient.high)
        default: return .double(doubleSum / Double(count))
        }
    }

    /// The result as a value to be compared.
    var value: ScalarValue {
        switch result {
        case .none: .null
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .decimal(let low, let high): .decimal(DecimalNumber(low: low, high: high))
        }
    }
}
