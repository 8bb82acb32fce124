package import CairnPredicate

/// Why a predicate cannot be asked of a class. Always the asker's mistake, never the file's.
package struct QueryError: Error, Hashable, Sendable {
    package let problem: Problem
    /// A sentence that says what is wrong and, where that is known, what to write instead.
    package let message: String
    /// Where in the predicate's text.
    package let place: Place

    package init(_ problem: Problem, _ message: String, _ place: Place = .unknown) {
        self.problem = problem
        self.message = message
        self.place = place
    }

    package enum Problem: String, Hashable, Sendable {
        /// A property that the class does not have.
        case unknownProperty
        /// A value, or the other property, is of another type.
        case typeMismatch
        /// An operator that values of this type do not have.
        case unsupportedOperator
        /// A path that crosses a collection without ANY, or ANY where nothing is crossed.
        case quantifier
        /// A form that no query can carry out.
        case unsupported
        /// An object of another Realm.
        case foreignObject
        /// An operator such as `@sum` where it cannot stand.
        case collectionOperator
    }
}
