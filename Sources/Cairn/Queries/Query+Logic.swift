extension Query where T == Bool {
    /// The opposite. A comparison with nil is false, so its opposite is true.
    public static prefix func ! (query: Query) -> Query { Query(query.content.negated()) }

    /// Both conditions. Neither is evaluated here, so both sides always run.
    public static func && (left: Query, right: Query) -> Query { Query(left.content.and(right.content)) }

    /// One of both conditions, or both.
    public static func || (left: Query, right: Query) -> Query { Query(left.content.or(right.content)) }

    /// The number of elements of a collection for which the condition holds. Every property in it must be
    /// reached through that collection; compare the number with a constant.
    ///
    /// ```swift
    /// ($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 0
    /// ```
    public var count: Query<Int> { Query<Int>(content.countingElements()) }
}
