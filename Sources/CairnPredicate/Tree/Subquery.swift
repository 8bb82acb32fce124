/// `SUBQUERY(dogs, $d, $d.age > 3 AND $d.name == 'Rex')`: the elements of a collection for which a
/// condition holds, all of it for the same element.
package struct Subquery: Hashable, Sendable {
    package var collection: PropertyPath
    /// The name of the element within the condition, without the dollar sign.
    package var variable: String
    package var condition: Condition

    package init(_ collection: PropertyPath, _ variable: String, _ condition: Condition) {
        self.collection = collection
        self.variable = variable
        self.condition = condition
    }
}
