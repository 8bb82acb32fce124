internal import CairnPredicate

extension Query where T: RealmCollection {
    /// Whether an element is the value.
    public func contains(_ element: T.Element) -> Query<Bool> {
        Query<Bool>(content.compared(.equal, element))
    }

    /// Whether an element is one of the values.
    public func containsAny<S: Sequence>(in values: S) -> Query<Bool> where S.Element == T.Element {
        Query<Bool>(content.compared(.isIn, values))
    }

    /// The number of elements.
    public var count: Query<Int> { Query<Int>(content.counted()) }

    /// Whether any element is equal to the value.
    public static func == (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(left.content.compared(.equal, right))
    }

    /// Whether any element is not equal to the value.
    public static func != (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(left.content.compared(.notEqual, right))
    }
}

// Comparisons of any element.
extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
    public static func > (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greater, right))
    }

    public static func >= (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greaterOrEqual, right))
    }

    public static func < (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(left.content.compared(.less, right))
    }

    public static func <= (left: Query, right: T.Element) -> Query<Bool> {
        Query<Bool>(left.content.compared(.lessOrEqual, right))
    }

    /// The least element; nil of an empty collection.
    public var min: Query<T.Element> { Query<T.Element>(content.aggregated(.min)) }

    /// The greatest element; nil of an empty collection.
    public var max: Query<T.Element> { Query<T.Element>(content.aggregated(.max)) }

    /// The mean of the elements; nil of an empty collection.
    public var avg: Query<T.Element> { Query<T.Element>(content.aggregated(.avg)) }

    /// The sum of the elements; 0 of an empty collection.
    public var sum: Query<T.Element> { Query<T.Element>(content.aggregated(.sum)) }
}

extension Query where T: RealmCollection, T.Element: Comparable {
    /// Whether there are elements and all are in the range.
    public func contains(_ range: Range<T.Element>) -> Query<Bool> {
        Query<Bool>(content.spanned(from: range.lowerBound, to: range.upperBound, .less))
    }

    /// Whether there are elements and all are in the range.
    public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
        Query<Bool>(content.spanned(from: range.lowerBound, to: range.upperBound, .lessOrEqual))
    }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
    /// Whether there are elements and all are in the range.
    public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
        Query<Bool>(content.spanned(from: range.lowerBound, to: range.upperBound, .less))
    }

    /// Whether there are elements and all are in the range.
    public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
        Query<Bool>(content.spanned(from: range.lowerBound, to: range.upperBound, .lessOrEqual))
    }
}

extension QueryContent {
    /// The least element is not below the lower bound, and the greatest so to the upper one.
    fileprivate func spanned(from lower: Any, to upper: Any, _ relation: Comparison.Relation) -> QueryContent
    {
        aggregated(.min).compared(.greaterOrEqual, lower).and(aggregated(.max).compared(relation, upper))
    }
}

// Of a property of a collection's objects: `$0.dogs.age.max`.
extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
    /// The least value among the collection's objects; nil where there is none.
    public var min: Query { Query(content.aggregated(.min)) }

    /// The greatest value among the collection's objects; nil where there is none.
    public var max: Query { Query(content.aggregated(.max)) }

    /// The mean of the values of the collection's objects; nil where there is none.
    public var avg: Query { Query(content.aggregated(.avg)) }

    /// The sum of the values of the collection's objects; 0 where there is none.
    public var sum: Query { Query(content.aggregated(.sum)) }
}
