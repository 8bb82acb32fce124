internal import CairnPredicate

extension StringOptions {
    var comparisonOptions: Comparison.Options {
        var options: Comparison.Options = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}

// Texts and binary data. Without options bytes decide.
extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
    /// Has the value in it. An empty value is in none.
    public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
        Query<Bool>(content.compared(.contains, value, options.comparisonOptions))
    }

    /// Has the value of another property in it.
    public func contains<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
    where U: _HasPersistedType, U.PersistedType: _QueryBinary {
        Query<Bool>(content.compared(.contains, column.content, options.comparisonOptions))
    }

    /// Begins with the value. None begins with an empty one.
    public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
        Query<Bool>(content.compared(.beginsWith, value, options.comparisonOptions))
    }

    /// Begins with the value of another property.
    public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
    where U: _HasPersistedType, U.PersistedType: _QueryBinary {
        Query<Bool>(content.compared(.beginsWith, column.content, options.comparisonOptions))
    }

    /// Ends with the value. None ends with an empty one.
    public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
        Query<Bool>(content.compared(.endsWith, value, options.comparisonOptions))
    }

    /// Ends with the value of another property.
    public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
    where U: _HasPersistedType, U.PersistedType: _QueryBinary {
        Query<Bool>(content.compared(.endsWith, column.content, options.comparisonOptions))
    }

    /// Is equal to the value.
    public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        Query<Bool>(content.compared(.equal, value, options.comparisonOptions))
    }

    /// Is equal to the value of another property.
    public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
    where U: _HasPersistedType, U.PersistedType: _QueryBinary {
        Query<Bool>(content.compared(.equal, column.content, options.comparisonOptions))
    }

    /// Is not equal to the value.
    public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
        Query<Bool>(content.compared(.notEqual, value, options.comparisonOptions))
    }

    /// Is not equal to the value of another property.
    public func notEquals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
    where U: _HasPersistedType, U.PersistedType: _QueryBinary {
        Query<Bool>(content.compared(.notEqual, column.content, options.comparisonOptions))
    }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
    /// Matches a pattern as a whole: `*` stands for any characters, also none, `?` for exactly one.
    public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
        Query<Bool>(content.compared(.like, value, caseInsensitive ? .caseInsensitive : []))
    }

    /// Matches the pattern that another property holds.
    public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool>
    where U: _HasPersistedType, U.PersistedType: _QueryString {
        Query<Bool>(content.compared(.like, column.content, caseInsensitive ? .caseInsensitive : []))
    }
}
