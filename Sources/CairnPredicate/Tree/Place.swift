/// Where in the text a part of a tree stands, for messages about it.
///
/// Any two places are equal: a tree is the same tree wherever it was written.
package struct Place: Hashable, Sendable {
    /// Bytes of the text's UTF-8; nil when the part was not read from text.
    package let range: Range<Int>?

    package init(_ range: Range<Int>?) { self.range = range }

    package static let unknown = Place(nil)

    package static func == (left: Place, right: Place) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
