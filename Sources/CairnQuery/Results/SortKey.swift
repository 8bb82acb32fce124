/// One key of a sort.
package struct SortKey: Hashable, Sendable {
    package let path: ColumnPath
    package let isAscending: Bool
    package let nilPlace: NilPlace
    package let collation: Collation

    package init(
        _ path: ColumnPath, isAscending: Bool = true, nilPlace: NilPlace = .automatic,
        collation: Collation = .bytes
    ) {
        self.path = path
        self.isAscending = isAscending
        self.nilPlace = nilPlace
        self.collation = collation
    }

    /// Where rows without a value go.
    package enum NilPlace: Hashable, Sendable {
        /// As in Realm: nil before everything, and so last where the order is descending; but where a link on
        /// the way is nil, the other way round.
        case automatic
        case first
        case last
    }

    /// The order of strings.
    package enum Collation: Hashable, Sendable {
        /// By their UTF-8 bytes, which is the order of their code points.
        case bytes
        /// The same of their folded forms, so that capitals and small letters are equal.
        case caseInsensitive
        /// As in a dictionary, by Unicode's root collation, the same in every locale.
        case localized
    }
}

/// What is done with the rows that were found, in this order.
package enum ResultStep: Hashable, Sendable {
    /// Stable: rows that are equal by all keys keep their order.
    case sort([SortKey])
    /// Keeps the first of the rows that have the same values.
    case distinct([ColumnPath])
    /// Leaves out the first rows, and all behind a number of them.
    case limit(offset: Int, count: Int)
}
