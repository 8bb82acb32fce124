internal import CairnQuery
internal import CairnStorage
internal import Foundation

// nil and NaN take no part in calculations. Of no values a sum is zero, and everything else nil. A sum of ints
// that has no room in 64 bits, or in the type that it is asked for as, is the nearest that has.

extension RealmCollection {
    // MARK: By the name of a property

    /// The smallest value of a property of the objects; nil of none. A property that is not there, or has no
    /// order, is misuse.
    ///
    /// - Complexity: O(objects), at some objects a nanosecond for numbers and dates; less where a block's
    ///   smallest value is on record.
    public func min<Value: _HasPersistedType>(ofProperty property: String) -> Value?
    where Value.PersistedType: MinMaxType {
        AggregateValue.value(calculated(.min, property), as: Value.self)
    }

    /// The largest value of a property of the objects; nil of none.
    public func max<Value: _HasPersistedType>(ofProperty property: String) -> Value?
    where Value.PersistedType: MinMaxType {
        AggregateValue.value(calculated(.max, property), as: Value.self)
    }

    /// The sum of a property of the objects; zero of none.
    public func sum<Value: _HasPersistedType>(ofProperty property: String) -> Value
    where Value.PersistedType: AddableType {
        AggregateValue.sum(calculated(.sum, property))
    }

    /// The mean of a property of the objects; nil of none. Of ints it is calculated as a Double.
    public func average<Value: _HasPersistedType>(ofProperty property: String) -> Value?
    where Value.PersistedType: AddableType {
        AggregateValue.value(calculated(.average, property), as: Value.self)
    }

    // MARK: By a key path

    /// The smallest value of a property of the objects; nil of none.
    public func min<Value: _HasPersistedType>(of keyPath: KeyPath<Element, Value>) -> Value?
    where Value.PersistedType: MinMaxType, Element: ObjectBase {
        min(ofProperty: PropertyNames.nameOrMisuse(of: keyPath))
    }

    /// The largest value of a property of the objects; nil of none.
    public func max<Value: _HasPersistedType>(of keyPath: KeyPath<Element, Value>) -> Value?
    where Value.PersistedType: MinMaxType, Element: ObjectBase {
        max(ofProperty: PropertyNames.nameOrMisuse(of: keyPath))
    }

    /// The sum of a property of the objects; zero of none.
    public func sum<Value: _HasPersistedType>(of keyPath: KeyPath<Element, Value>) -> Value
    where Value.PersistedType: AddableType, Element: ObjectBase {
        sum(ofProperty: PropertyNames.nameOrMisuse(of: keyPath))
    }

    /// The mean of a property of the objects; nil of none.
    public func average<Value: _HasPersistedType>(of keyPath: KeyPath<Element, Value>) -> Value?
    where Value.PersistedType: AddableType, Element: ObjectBase {
        average(ofProperty: PropertyNames.nameOrMisuse(of: keyPath))
    }

    // MARK: Of values

    /// The smallest of the values; nil of none.
    public func min() -> Element? where Element: _HasPersistedType, Element.PersistedType: MinMaxType {
        AggregateValue.value(calculated(.min, "self"), as: Element.self)
    }

    /// The largest of the values; nil of none.
    public func max() -> Element? where Element: _HasPersistedType, Element.PersistedType: MinMaxType {
        AggregateValue.value(calculated(.max, "self"), as: Element.self)
    }

    /// The sum of the values; zero of none.
    public func sum() -> Element where Element: _HasPersistedType, Element.PersistedType: AddableType {
        AggregateValue.sum(calculated(.sum, "self"))
    }

    /// The mean of the values; nil of none.
    public func average<Value: _HasPersistedType>() -> Value?
    where Element: _HasPersistedType, Element.PersistedType: AddableType, Value.PersistedType: AddableType {
        AggregateValue.value(calculated(.average, "self"), as: Value.self)
    }

    // MARK: Calculating

    /// The result as a value of the program; nil where there is none, and after a mistake, which was reported.
    func calculated(_ operation: QueryEvaluation.Operation, _ property: String) -> Any? {
        let query = _query
        do throws(QueryError) {
            switch query.kind {
            case .objects(let session, let ordinal, let description):
                let results = query.results ?? ObjectResults(description, ordinal, session)
                return try Self.calculated(operation, property, session, ordinal, description, results)
            case .values(let owner, let ordinal, let description):
                guard property == "self" else {
                    throw QueryError(
                        .unknownProperty, "The elements are values, which have no property '\(property)'.")
                }
                guard let model = owner.model else { return nil }
                let type = model.schema.allProperties[ordinal].type
                guard let found = ValueResults(description, of: owner, ordinal).found() else { return nil }
                return AggregateValue.any(found.calculate(operation), of: type)
            case .nothing: return nil
            case .unmanaged: return UnmanagedCalculation.result(operation, property, of: self)
            }
        } catch {
            Misuse.report(RealmError(.misuse, error.message), query.session)
            return nil
        }
    }

    private static func calculated(
        _ operation: QueryEvaluation.Operation, _ property: String, _ session: RealmSession, _ ordinal: Int,
        _ description: QueryDescription, _ results: ObjectResults
    ) throws(QueryError) -> Any? {
        guard let tables = session.readable("A collection"), let engine = tables.engine else { return nil }
        let binder = ConditionBinder(engine.schema, RealmNames(session, tables, objects: []))
        let path = try binder.columnPath(property, of: description.table, for: .aggregate)
        let schema = session.models[ordinal].schema
        guard path.links.isEmpty, let known = schema.property(inProgramOrFile: property) else {
            throw QueryError(
                .unsupported,
                "Only properties of the objects themselves can be calculated with, not '\(property)' by way of a link."
            )
        }
        guard operation.accepts(known.type) else {
            throw QueryError(
                .unsupportedOperator,
                "The \(operation.rawValue) of '\(schema.className).\(property)' cannot be calculated: it is \(known.typeText)."
            )
        }
        return results.calculate(operation, path).flatMap { AggregateValue.any($0, of: known.type) }
    }
}

extension QueryEvaluation.Operation {
    /// Whether values of a type can be calculated with.
    fileprivate func accepts(_ type: PropertyType) -> Bool {
        switch type {
        case .int, .float, .double, .decimal128: true
        case .date: self == .min || self == .max
        default: false
        }
    }
}

/// Calculations over a list that is in no Realm.
private enum UnmanagedCalculation {
    static func result<Elements: RealmCollection>(
        _ operation: QueryEvaluation.Operation, _ property: String, of elements: Elements
    ) -> Any? {
        let values: [Any] = Array(elements).compactMap { element -> Any? in
            if property == "self" { return Elements.Element._toAnyElement(element) }
            return Elements.Element._object(element)?.value(forKey: property)
        }
        if values.contains(where: { $0 is Decimal128 }) { return decimals(operation, values) }
        let dates = values.compactMap { ($0 as? Date)?.timeIntervalSinceReferenceDate }
        if !dates.isEmpty {
            return numbers(operation, dates).map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        let ints = values.compactMap { ($0 as? any FixedWidthInteger).flatMap { Int(exactly: $0) } }
        if ints.count == values.count, operation != .average {
            switch operation {
            case .min: return ints.min()
            case .max: return ints.max()
            default: return Int(clamping: ints.reduce(Int128(0)) { $0 + Int128($1) })
            }
        }
        let doubles = values.compactMap { value -> Double? in
            if let float = value as? Float { return Double(float) }
            if let double = value as? Double { return double }
            return (value as? any FixedWidthInteger).flatMap { Int(exactly: $0) }.map(Double.init)
        }.filter { !$0.isNaN }
        return numbers(operation, doubles)
    }

    private static func numbers(_ operation: QueryEvaluation.Operation, _ values: [Double]) -> Double? {
        switch operation {
        case .min: values.min()
        case .max: values.max()
        case .sum: values.reduce(0, +)
        case .average: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
    }

    private static func decimals(_ operation: QueryEvaluation.Operation, _ values: [Any]) -> Decimal128? {
        let numbers = values.compactMap { $0 as? Decimal128 }.filter { !$0.isNaN }
        switch operation {
        case .min: return numbers.min()
        case .max: return numbers.max()
        case .sum: return numbers.reduce(Decimal128(), +)
        case .average:
            return numbers.isEmpty
                ? nil : numbers.reduce(Decimal128(), +) / Decimal128(value: numbers.count)
        }
    }
}
