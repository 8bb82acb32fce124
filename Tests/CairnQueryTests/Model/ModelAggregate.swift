import CairnPredicate
import CairnStorage

/// `@min @max @sum @avg` of values.
enum ModelAggregate {
    static func calculate(
        _ operation: PropertyPath.CollectionOperator, _ values: [ModelValue], _ kind: ValueKind
    ) -> ModelValue {
        let numbers = values.filter { $0 != .null && !isNaN($0) }
        switch operation {
        case .min: return extreme(numbers, -1)
        case .max: return extreme(numbers, 1)
        case .sum: return sum(numbers, kind)
        case .avg: return average(numbers, kind)
        case .count, .allKeys, .allValues: preconditionFailure("\(operation) does not calculate")
        }
    }

    private static func isNaN(_ value: ModelValue) -> Bool {
        switch value {
        case .float(let value): value.isNaN
        case .double(let value), .date(let value): value.isNaN
        case .decimal(let value): value == .nan
        default: false
        }
    }

    private static func extreme(_ numbers: [ModelValue], _ sign: Int) -> ModelValue {
        guard var result = numbers.first else { return .null }
        for number in numbers.dropFirst() {
            guard let order = ModelComparison.order(number, result) else { continue }
            if order * sign > 0 { result = number }
        }
        return result
    }

    private static func sum(_ numbers: [ModelValue], _ kind: ValueKind) -> ModelValue {
        switch kind {
        case .int:
            let sum = numbers.reduce(Int128(0)) { sum, number in
                if case .int(let value) = number { sum + Int128(value) } else { sum }
            }
            return .int(Int64(clamping: sum))
        case .decimal:
            return .decimal(
                numbers.reduce(ModelDecimal(Int64(0))) { sum, number in
                    if case .decimal(let value) = number { sum + value } else { sum }
                })
        default: return .double(doubles(numbers).reduce(0, +))
        }
    }

    private static func average(_ numbers: [ModelValue], _ kind: ValueKind) -> ModelValue {
        if numbers.isEmpty { return .null }
        guard kind != .int else {
            let sum = numbers.reduce(Int128(0)) { sum, number in
                if case .int(let value) = number { sum + Int128(value) } else { sum }
            }
            return .double(Double(sum) / Double(numbers.count))
        }
        precondition(kind != .decimal, "the model does not divide decimals")
        return .double(doubles(numbers).reduce(0, +) / Double(numbers.count))
    }

    private static func doubles(_ numbers: [ModelValue]) -> [Double] {
        numbers.map { number in
            switch number {
            case .float(let value): Double(value)
            case .double(let value), .date(let value): value
            default: 0
            }
        }
    }
}
