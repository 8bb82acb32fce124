internal import CairnQuery
internal import Foundation

/// A calculation's result as a value of the program.
enum AggregateValue {
    /// nil where there is no result.
    ///
    /// - Parameter type: what was calculated with, which tells dates from doubles.
    static func any(_ result: Calculation.Result, of type: PropertyType) -> Any? {
        switch result {
        case .none: nil
        case .int(let value): Int(value)
        case .double(let value): type == .date ? Date(timeIntervalSinceReferenceDate: value) : value
        case .decimal(let low, let high): Decimal128(low: low, high: high)
        }
    }

    /// A value of the type that was asked for; nil where there is none, or it cannot be one. Whole numbers
    /// are cut to: the average of ints may be asked for as an int.
    static func value<Value>(_ any: Any?, as type: Value.Type) -> Value? {
        guard let any else { return nil }
        if let value = any as? Value { return value }
        guard let convertible = Value.self as? any _Persistable.Type else { return nil }
        if let value = convert(any, convertible), let value = value as? Value { return value }
        guard let number = any as? Double, let whole = Int(exactly: number.rounded(.towardZero)) else {
            return nil
        }
        return convert(whole, convertible).flatMap { $0 as? Value }
    }

    /// nil where it cannot be one; which is not to be cast, as nil can be cast to every optional.
    private static func convert<Value: _Persistable>(_ any: Any, _ type: Value.Type) -> Any? {
        guard let value = Value._fromAny(any, .plain) else { return nil }
        return value
    }
}

extension AggregateValue {
    /// The nearest value of a type of fewer bits; of a float infinity, as with Swift's own sums.
    private static func nearest<Value>(_ any: Any?, as type: Value.Type) -> Value? {
        if let number = any as? Double, number.isFinite {
            return value(number < 0 ? -Double.infinity : .infinity, as: Value.self)
        }
        guard let number = any as? Int else { return nil }
        return [Int(Int32(clamping: number)), Int(Int16(clamping: number)), Int(Int8(clamping: number))]
            .lazy.compactMap { value($0, as: Value.self) }.first
    }

    /// A sum of the type that was asked for: zero where there is none, and the nearest where it has no room.
    static func sum<Value: _HasPersistedType>(_ any: Any?) -> Value {
        if let value = value(any, as: Value.self) ?? nearest(any, as: Value.self) { return value }
        if let zero = value(0 as Int, as: Value.self) ?? value(0.0, as: Value.self) { return zero }
        Misuse.reportFatal(
            RealmError(.misuse, "A sum was asked for as \(Value.self), which it cannot be."))
        preconditionFailure("A sum was asked for as \(Value.self), which it cannot be.")
    }
}
