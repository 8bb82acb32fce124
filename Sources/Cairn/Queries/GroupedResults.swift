internal import CairnQuery
internal import CairnStorage
internal import Foundation

/// The objects of a collection in groups of equal values, for counting and calculating: `GROUP BY`, which Realm
/// does not have.
///
/// ```swift
/// let perCity = realm.objects(Order.self).filter("isPaid == TRUE").grouped(by: \.city)
/// let revenue = perCity.sum(of: \.amount)      // ["Berlin": 1200.5, "Paris": 310, …]
/// let orders = perCity.count()                 // ["Berlin": 12, "Paris": 3, …]
/// ```
///
/// Like `Results` it is live: each call calculates with the objects as they are then. It makes no object but
/// one a group, to read its key.
public struct GroupedResults<Key: Hashable, Element: Object> {
    private let collection: _CollectionQuery
    private let keyPath: KeyPath<Element, Key>
    private let keyName: String

    init(_ collection: _CollectionQuery, _ keyPath: KeyPath<Element, Key>) {
        self.collection = collection
        self.keyPath = keyPath
        keyName = PropertyNames.nameOrMisuse(of: keyPath)
    }

    /// The number of objects of each group.
    ///
    /// - Complexity: O(objects), here and below.
    public func count() -> [Key: Int] {
        calculate(nil, "") { $0.count }
    }

    /// The keys, in the order in which they appear in the collection.
    public var keys: [Key] {
        var keys: [Key] = []
        forEach(nil, "") { key, _ in keys.append(key) }
        return keys
    }

    /// The sum of a property over each group. nil and NaN take no part.
    public func sum<Value: _HasPersistedType>(of property: KeyPath<Element, Value>) -> [Key: Value]
    where Value.PersistedType: AddableType {
        calculate(.sum, PropertyNames.nameOrMisuse(of: property)) { group in
            AggregateValue.sum(Self.result(group, as: Value.self))
        }
    }

    /// The smallest value of a property in each group; groups without a value are left out.
    public func min<Value: _HasPersistedType>(of property: KeyPath<Element, Value>) -> [Key: Value]
    where Value.PersistedType: MinMaxType {
        calculate(.min, PropertyNames.nameOrMisuse(of: property)) { group in
            AggregateValue.value(Self.result(group, as: Value.self), as: Value.self)
        }
    }

    /// The largest value of a property in each group; groups without a value are left out.
    public func max<Value: _HasPersistedType>(of property: KeyPath<Element, Value>) -> [Key: Value]
    where Value.PersistedType: MinMaxType {
        calculate(.max, PropertyNames.nameOrMisuse(of: property)) { group in
            AggregateValue.value(Self.result(group, as: Value.self), as: Value.self)
        }
    }

    /// The mean of a property over each group; groups without a value are left out.
    public func average<Value: _HasPersistedType>(of property: KeyPath<Element, Value>) -> [Key: Double]
    where Value.PersistedType: AddableType {
        calculate(.average, PropertyNames.nameOrMisuse(of: property)) { group in
            let mean = Self.result(group, as: Double.self)
            return (mean as? Decimal128).map(\.doubleValue) ?? mean as? Double
        }
    }

    // MARK: Calculating

    private func calculate<Value>(
        _ operation: QueryEvaluation.Operation?, _ property: String, _ value: (RowGroup) -> Value?
    ) -> [Key: Value] {
        var values: [Key: Value] = [:]
        forEach(operation, property) { key, group in
            if let value = value(group) { values[key] = value }
        }
        return values
    }

    /// What was calculated over a group: a date where a date was asked for.
    private static func result<Value: _HasPersistedType>(_ group: RowGroup, as type: Value.Type) -> Any? {
        let isDate = Value.self == Date.self || Value.self == Date?.self
        return group.results.first.flatMap { AggregateValue.any($0, of: isDate ? .date : .double) }
    }

    /// Calls the body with each group and its key.
    private func forEach(
        _ operation: QueryEvaluation.Operation?, _ property: String, _ body: (Key, RowGroup) -> Void
    ) {
        guard case .objects(let session, let ordinal, let description) = collection.kind,
            let tables = session.readable("A collection"), let engine = tables.engine
        else { return }
        let binder = ConditionBinder(engine.schema, RealmNames(session, tables, objects: []))
        do throws(QueryError) {
            let key = try binder.columnPath(keyName, of: description.table, for: .distinct)
            var wanted: [(QueryEvaluation.Operation, ColumnPath)] = []
            if let operation {
                wanted = [
                    (operation, try binder.columnPath(property, of: description.table, for: .aggregate))
                ]
            }
            let groups = session.noting { () throws(StorageError) in
                try QueryEvaluation(description, QueryContext(engine, tables.foldedChunks))
                    .groups(by: [key], calculating: wanted)
            }
            for group in groups ?? [] {
                let object = ObjectMaking.make(
                    session, session.handle(ordinal), group.firstRow, as: Element.self)
                body(object[keyPath: keyPath], group)
            }
        } catch {
            Misuse.report(RealmError(.misuse, error.message), session)
        }
    }
}

extension RealmCollection where Element: Object {
    /// The objects in groups of equal values of a property, for counting and calculating.
    ///
    /// - Parameter keyPath: a property, or through links to one object each. A collection or a link is misuse.
    public func grouped<Key: Hashable>(by keyPath: KeyPath<Element, Key>) -> GroupedResults<Key, Element> {
        let query = _query
        if case .unmanaged(let what) = query.kind {
            Misuse.reportFatal(RealmError(.misuse, "\(what), and only what is in a Realm can be grouped."))
        }
        return GroupedResults(query, keyPath)
    }
}
