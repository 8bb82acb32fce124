/// A way from a root to a value: `owner.dogs.@count`, `$d.name`, `SUBQUERY(…).@count`.
package struct PropertyPath: Hashable, Sendable {
    package var root: Root
    /// Empty when the path is its root: `SELF`, `$d`.
    package var steps: [Step]
    /// Where it stands in the text.
    package var place: Place

    package init(root: Root = .object, _ steps: [Step], place: Place = .unknown) {
        self.root = root
        self.steps = steps
        self.place = place
    }

    /// Where a path begins.
    package indirect enum Root: Hashable, Sendable {
        /// The object asked about. Written `SELF` when no step follows, and not at all when one does.
        case object
        /// `$name`, here without the dollar sign.
        case variable(String)
        case subquery(Subquery)
        case call(FunctionCall)
    }

    /// One step of a path.
    package enum Step: Hashable, Sendable {
        /// A property of an object. The name is not empty and holds no dot.
        case property(String)
        /// `.@count` and its like.
        case collection(CollectionOperator)
        /// `['k']`
        case key(String)
        /// `[0]`, never negative.
        case index(Int)
        /// `[#any]`: every element of a nested collection.
        case anyElement
    }

    /// What a path asks of a whole collection. The raw value is the name after the `@`.
    package enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
        case count, min, max, sum, avg
        /// The keys of a map.
        case allKeys
        /// The values of a map.
        case allValues
    }
}
