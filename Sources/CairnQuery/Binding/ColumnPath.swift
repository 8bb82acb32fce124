package import CairnStorage

/// A value that rows are sorted or told apart by: a column, reached by to-one links.
package struct ColumnPath: Hashable, Sendable {
    package let links: [BoundLink]
    package let column: ColumnID
    /// Dotted, for `explain`.
    package let name: String

    var scalar: ScalarPath { ScalarPath(links: links, leaf: .column(column)) }
}
