/// What is asked of a string or binary that is not null.
struct TextTest: Hashable, Sendable {
    enum Relation: Hashable, Sendable {
        case equal
        case less, lessOrEqual, greater, greaterOrEqual
        case beginsWith, endsWith, contains
        case like
        case isIn
    }

    let relation: Relation
    let folding: TextFolding
    /// What is compared with, folded; of IN nothing.
    let needle: [UInt8]
    /// The values of IN, folded.
    let needles: [[UInt8]]

    init(_ relation: Relation, _ needle: [UInt8], _ folding: TextFolding = []) {
        self.relation = relation
        self.folding = folding
        self.needle = folding.isEmpty ? needle : needle.withUnsafeBytes(folding.fold)
        needles = []
    }

    init(isIn needles: [[UInt8]], _ folding: TextFolding = []) {
        relation = .isIn
        self.folding = folding
        needle = []
        let folded = folding.isEmpty ? needles : needles.map { $0.withUnsafeBytes(folding.fold) }
        // One of each, in an order that does not depend on how it was asked.
        self.needles = Set(folded).sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// A `TextTest` made ready for many texts.
struct TextMatcher {
    let test: TextTest
    private let set: ByteSet?
    private let pattern: LikePattern?
    /// The needle's bytes; live as long as the buffer's owner.
    private let needle: UnsafeRawBufferPointer
    private let owner: NeedleOwner

    private final class NeedleOwner {
        let bytes: UnsafeMutableRawBufferPointer

        init(_ needle: [UInt8]) {
            bytes = .allocate(byteCount: max(1, needle.count), alignment: 8)
            bytes.copyBytes(from: needle)
        }

        deinit { bytes.deallocate() }
    }

    init(_ test: TextTest) {
        self.test = test
        owner = NeedleOwner(test.needle)
        needle = UnsafeRawBufferPointer(rebasing: owner.bytes[..<test.needle.count])
        set = test.relation == .isIn ? ByteSet(test.needles) : nil
        pattern = test.relation == .like ? LikePattern(bytes: test.needle) : nil
    }

    /// Whether a text fits, which is folded already where the test folds.
    func matchesFolded(_ text: UnsafeRawBufferPointer) -> Bool {
        switch test.relation {
        case .equal: ByteOrder.areEqual(text, needle)
        case .less: ByteOrder.compare(text, needle) < 0
        case .lessOrEqual: ByteOrder.compare(text, needle) <= 0
        case .greater: ByteOrder.compare(text, needle) > 0
        case .greaterOrEqual: ByteOrder.compare(text, needle) >= 0
        case .beginsWith: ByteOrder.hasPrefix(text, needle)
        case .endsWith: ByteOrder.hasSuffix(text, needle)
        case .contains: ByteOrder.contains(text, needle)
        case .like: pattern?.matches(text) ?? false
        case .isIn: set?.contains(text) ?? false
        }
    }

    /// Whether a text fits, folding it first.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        guard !test.folding.isEmpty else { return matchesFolded(text) }
        return test.folding.fold(text).withUnsafeBytes(matchesFolded)
    }
}
