/// What is asked of one value: a comparison with constants, brought into the terms of the value's kind.
///
/// Constants of another kind than the column's are gone by now: `age > 2.5` is "age is in 3 ... Int64.max".
struct ValueTest: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// No value fits.
        case nothing
        /// Every value fits.
        case everything
        case bool(Bool)
        case int(ClosedRange<Int64>)
        /// Doubles and dates; NaN is never inside.
        case double(ClosedRange<Double>)
        case float(ClosedRange<Float>)
        /// Ints, and links as the row key + 1, by their bits.
        case words([UInt64])
        /// Doubles, dates; and floats, which were widened. No NaN.
        case doubles([Double])
        /// Object ids and UUIDs.
        case bytes([[UInt8]])
        case decimal(lower: DecimalNumber?, includesLower: Bool, upper: DecimalNumber?, includesUpper: Bool)
        case decimals([DecimalNumber])
        case text(TextTest)
    }

    let kind: Kind
    /// Whether those fit that the kind does not take. Of null nothing is turned round.
    let isNegated: Bool
    /// What null gives.
    let acceptsNull: Bool

    init(_ kind: Kind, isNegated: Bool = false, acceptsNull: Bool = false) {
        self.kind = kind
        self.isNegated = isNegated
        self.acceptsNull = acceptsNull
    }

    /// The same for every value that is there.
    static func constant(_ value: Bool, acceptsNull: Bool) -> ValueTest {
        ValueTest(value ? .everything : .nothing, acceptsNull: acceptsNull)
    }

    /// The test that holds wherever this one does not.
    var inverted: ValueTest { ValueTest(kind, isNegated: !isNegated, acceptsNull: !acceptsNull) }
}

/// A `ValueTest` made ready to look at stored bytes one by one. Scans of columns have loops of their own.
struct ValueMatcher {
    let test: ValueTest
    private let words: WordSet?
    private let doubles: Set<Double>
    private let byteSet: ByteSet?
    private let text: TextMatcher?

    init(_ test: ValueTest) {
        self.test = test
        if case .words(let list) = test.kind { words = WordSet(list) } else { words = nil }
        if case .doubles(let list) = test.kind { doubles = Set(list) } else { doubles = [] }
        if case .bytes(let list) = test.kind { byteSet = ByteSet(list) } else { byteSet = nil }
        if case .text(let text) = test.kind { self.text = TextMatcher(text) } else { text = nil }
    }

    /// Whether stored bytes fit, nil for null. Links are the row key + 1, 0 counting as null.
    func matches(_ bytes: UnsafeRawBufferPointer?) -> Bool {
        guard let bytes else { return test.acceptsNull }
        return takes(bytes) != test.isNegated
    }

    private func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch test.kind {
        case .nothing: return false
        case .everything: return true
        case .bool(let wanted): return (bytes[0] != 0) == wanted
        case .int(let range): return range.contains(bytes.loadUnaligned(as: Int64.self))
        case .double(let range): return range.contains(bytes.loadUnaligned(as: Double.self))
        case .float(let range): return range.contains(bytes.loadUnaligned(as: Float.self))
        case .words: return words?.contains(bytes.loadUnaligned(as: UInt64.self)) ?? false
        case .doubles:
            let value =
                bytes.count == 4
                ? Double(bytes.loadUnaligned(as: Float.self)) : bytes.loadUnaligned(as: Double.self)
            return doubles.contains(value)
        case .bytes: return byteSet?.contains(bytes) ?? false
        case .decimal(let lower, let includesLower, let upper, let includesUpper):
            let value = DecimalNumber(bytes)
            return Self.isInside(value, lower, includesLower, upper, includesUpper)
        case .decimals(let list):
            let value = DecimalNumber(bytes)
            return !value.isNaN && list.contains { value.compare($0) == 0 }
        case .text: return text?.matches(bytes) ?? false
        }
    }

    private static func isInside(
        _ value: DecimalNumber, _ lower: DecimalNumber?, _ includesLower: Bool, _ upper: DecimalNumber?,
        _ includesUpper: Bool
    ) -> Bool {
        if value.isNaN { return false }
        if let lower {
            let order = value.compare(lower)
            if order < 0 || (order == 0 && !includesLower) { return false }
        }
        if let upper {
            let order = value.compare(upper)
            if order > 0 || (order == 0 && !includesUpper) { return false }
        }
        return true
    }
}
