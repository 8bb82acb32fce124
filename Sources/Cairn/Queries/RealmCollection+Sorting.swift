internal import CairnQuery
internal import CairnStorage
public import Foundation

/// A type that objects and values can be sorted by.
public protocol SortableType {}

extension Int: SortableType {}
extension Int8: SortableType {}
extension Int16: SortableType {}
extension Int32: SortableType {}
extension Int64: SortableType {}
extension Float: SortableType {}
extension Double: SortableType {}
extension String: SortableType {}
extension Data: SortableType {}
extension Date: SortableType {}
extension Decimal128: SortableType {}
extension Optional: SortableType where Wrapped: SortableType {}

extension RealmCollection {
    /// The elements, sorted; where they are equal by all descriptors they keep their order.
    ///
    /// Of sorted results sorted again the later order counts first. A key path may go through links to one
    /// object each. One that is not there, crosses a collection, or ends in a link or Data is misuse.
    ///
    /// - Complexity: O(descriptors). Sorting itself, when the results are first used, is O(n) for numbers and
    ///   dates, and for strings as far as their first eight bytes differ; else O(n log n).
    public func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Results<Element>
    where Descriptors.Element == SortDescriptor {
        let descriptors = Array(sortDescriptors)
        return changed(
            objects: { binder, description throws(QueryError) in
                var keys: [SortKey] = []
                for descriptor in descriptors { keys.append(try descriptor.bound(binder, description.table)) }
                return description.adding(.sort(keys))
            },
            values: { description throws(QueryError) in
                guard !descriptors.isEmpty else { return description }
                guard descriptors.count == 1, descriptors[0].keyPath == "self" else {
                    throw QueryError(
                        .unsupported, "Values are sorted by one descriptor, whose key path is 'self'.")
                }
                return description.adding(.sort(isAscending: descriptors[0].ascending))
            })
    }

    /// The elements, sorted by a property, or through links (`"owner.age"`). Values are sorted by `"self"`.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The objects, sorted by a property.
    public func sorted<Value: _HasPersistedType>(
        by keyPath: KeyPath<Element, Value>, ascending: Bool = true
    ) -> Results<Element> where Element: ObjectBase, Value.PersistedType: SortableType {
        sorted(byKeyPath: PropertyNames.nameOrMisuse(of: keyPath), ascending: ascending)
    }

    /// The values, sorted; nil before all others.
    public func sorted(ascending: Bool = true) -> Results<Element>
    where Element: _HasPersistedType, Element.PersistedType: SortableType {
        sorted(byKeyPath: "self", ascending: ascending)
    }

    // MARK: Distinct

    /// The first of the elements that have the same values of some properties, in the order of the collection.
    ///
    /// No key path at all leaves the collection as it is. The same key paths are allowed as for sorting, and
    /// Data.
    public func distinct<KeyPaths: Sequence>(by keyPaths: KeyPaths) -> Results<Element>
    where KeyPaths.Element == String {
        let keyPaths = Array(keyPaths)
        return changed(
            objects: { binder, description throws(QueryError) in
                var paths: [ColumnPath] = []
                for keyPath in keyPaths {
                    paths.append(try binder.columnPath(keyPath, of: description.table, for: .distinct))
                }
                return description.adding(.distinct(paths))
            },
            values: { description throws(QueryError) in
                guard !keyPaths.isEmpty else { return description }
                guard keyPaths == ["self"] else {
                    throw QueryError(.unsupported, "Values are told apart by the key path 'self'.")
                }
                return description.adding(.distinct)
            })
    }

    /// The first of the objects that have the same values of some properties.
    public func distinct<KeyPaths: Sequence>(by keyPaths: KeyPaths) -> Results<Element>
    where KeyPaths.Element == PartialKeyPath<Element>, Element: ObjectBase {
        distinct(by: keyPaths.map { PropertyNames.nameOrMisuse(of: $0) })
    }

    /// Each value once, where it appears first.
    public func distinct() -> Results<Element>
    where Element: _HasPersistedType, Element.PersistedType: _StoredValue {
        distinct(by: ["self"])
    }

    // MARK: Limits

    /// The first elements at most.
    ///
    /// What is filtered afterwards is filtered among these; sorting before it finds the first without sorting
    /// all. Realm has no such thing.
    ///
    /// - Parameter count: Not negative.
    public func limit(_ count: Int) -> Results<Element> {
        limited(offset: 0, count: count)
    }

    /// All elements but the first ones.
    ///
    /// - Parameter count: Not negative. `results.offset(20).limit(10)` is the third page of ten.
    public func offset(_ count: Int) -> Results<Element> {
        limited(offset: count, count: .max)
    }

    private func limited(offset: Int, count: Int) -> Results<Element> {
        changed(
            objects: { _, description throws(QueryError) in
                try Self.checkLimit(offset, count)
                return description.adding(.limit(offset: offset, count: count))
            },
            values: { description throws(QueryError) in
                try Self.checkLimit(offset, count)
                return description.adding(.limit(offset: offset, count: count))
            })
    }

    private static func checkLimit(_ offset: Int, _ count: Int) throws(QueryError) {
        guard offset < 0 || count < 0 else { return }
        throw QueryError(.unsupported, "A limit and an offset count elements, and cannot be negative.")
    }

    // MARK: Changing the query

    /// The results of a query made of the collection's; a mistake in it is misuse.
    private func changed(
        objects: (ConditionBinder, QueryDescription) throws(QueryError) -> QueryDescription,
        values: (ElementQuery) throws(QueryError) -> ElementQuery
    ) -> Results<Element> {
        do throws(QueryError) {
            switch _query.kind {
            case .objects(let session, let ordinal, let description):
                guard let tables = session.readable("A query"), let engine = tables.engine else {
                    return Results(ResultsSource(session))
                }
                let binder = ConditionBinder(engine.schema, RealmNames(session, tables, objects: []))
                return Results(ObjectResults(try objects(binder, description), ordinal, session))
            case .values(let owner, let property, let description):
                return Results(ValueResults(try values(description), of: owner, property))
            case .nothing: return Results(ResultsSource(nil))
            case .unmanaged(let what):
                throw QueryError(
                    .unsupported,
                    "\(what), and only what is in a Realm can be sorted. Add its object to one first.")
            }
        } catch {
            Misuse.report(RealmError(.misuse, error.message), _query.session)
            return Results(ResultsSource(_query.session))
        }
    }
}

extension SortDescriptor {
    fileprivate func bound(
        _ binder: ConditionBinder, _ table: SpaceID
    ) throws(QueryError) -> SortKey {
        let place: SortKey.NilPlace =
            switch nilOrder {
            case .automatic: .automatic
            case .first: .first
            case .last: .last
            }
        let collation: SortKey.Collation =
            switch stringOrder {
            case .bytes: .bytes
            case .caseInsensitive: .caseInsensitive
            case .localized: .localized
            }
        return SortKey(
            try binder.columnPath(keyPath, of: table, for: .sort), isAscending: ascending, nilPlace: place,
            collation: collation)
    }
}
