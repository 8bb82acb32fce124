/// How far the parser goes.
package enum PredicateLimits {
    /// The levels of a tree, and of open brackets and prefixes (NOT, ANY, `-`) at one place of the text.
    ///
    /// The parser itself keeps its stack on the heap and could go on. The limit is a promise to those
    /// who walk a tree: 200 levels at a kilobyte a frame fit the 512 KiB of a secondary thread.
    package static let height = 200
}
