internal import CairnPredicate

extension Query {
    /// Equal to a value; to nil for an optional property.
    public static func == (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.equal, right))
    }

    /// Two properties are equal.
    public static func == (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.equal, right.content))
    }

    /// Not equal to a value. True of nil, if the value is not nil.
    public static func != (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.notEqual, right))
    }

    /// Two properties are not equal.
    public static func != (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.notEqual, right.content))
    }

    /// One of some values. Of none it is false.
    public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T {
        Query<Bool>(content.compared(.isIn, values))
    }
}

extension Query where T: OptionalProtocol {
    /// One of some values. Of none it is false.
    @_disfavoredOverload
    public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T.Wrapped {
        Query<Bool>(content.compared(.isIn, values))
    }
}

// MARK: - Order

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
    public static func > (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greater, right))
    }

    public static func > (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greater, right.content))
    }

    public static func >= (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greaterOrEqual, right))
    }

    public static func >= (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greaterOrEqual, right.content))
    }

    public static func < (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.less, right))
    }

    public static func < (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.less, right.content))
    }

    public static func <= (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.lessOrEqual, right))
    }

    public static func <= (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.lessOrEqual, right.content))
    }
}

// By bytes.
extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
    public static func > (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greater, right))
    }

    public static func > (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greater, right.content))
    }

    public static func >= (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greaterOrEqual, right))
    }

    public static func >= (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.greaterOrEqual, right.content))
    }

    public static func < (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.less, right))
    }

    public static func < (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.less, right.content))
    }

    public static func <= (left: Query, right: T) -> Query<Bool> {
        Query<Bool>(left.content.compared(.lessOrEqual, right))
    }

    public static func <= (left: Query, right: Query) -> Query<Bool> {
        Query<Bool>(left.content.compared(.lessOrEqual, right.content))
    }
}

// MARK: - Ranges

extension QueryContent {
    fileprivate func contained(from lower: Any, upTo upper: Any) -> QueryContent {
        comparedAtOnce([(.greaterOrEqual, lower), (.less, upper)])
    }

    fileprivate func contained(from lower: Any, through upper: Any) -> QueryContent {
        compared(.between, [lower, upper])
    }
}

extension Query where T: Comparable, T: _HasPersistedType {
    /// From the lower bound up to and without the upper one.
    public func contains(_ range: Range<T>) -> Query<Bool> {
        Query<Bool>(content.contained(from: range.lowerBound, upTo: range.upperBound))
    }

    /// From the lower bound up to and with the upper one.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
        Query<Bool>(content.contained(from: range.lowerBound, through: range.upperBound))
    }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable, T.Wrapped: _HasPersistedType {
    /// From the lower bound up to and without the upper one; not of nil.
    public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
        Query<Bool>(content.contained(from: range.lowerBound, upTo: range.upperBound))
    }

    /// From the lower bound up to and with the upper one; not of nil.
    public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
        Query<Bool>(content.contained(from: range.lowerBound, through: range.upperBound))
    }
}
