import CairnStorage
import TestSupport
import Testing

@Suite struct `Bounds of ordered entries` {
    private struct Sample {
        let value: StoredValue
        let key: [UInt8]
    }

    private static func samples(_ kind: ValueKind, _ generator: inout SeededGenerator) -> [Sample] {
        let values = ValueModel.corners(kind) + (0..<80).map { _ in ValueModel.random(kind, &generator) }
        return values.map {
            Sample(
                value: $0,
                key: indexKey(kind, $0, RowKey(UInt64.random(in: 0..<RowKey.limit, using: &generator))))
        }
    }

    /// The bounds hold every sample of the claim, and others only with a request for a second look.
    private func check(
        _ bounds: OrderedBounds, _ samples: [Sample], _ claim: (StoredValue) -> Bool,
        _ what: @autoclosure () -> String
    ) throws {
        for sample in samples {
            try sample.key.withUnsafeBytes { key in
                let parts = try OrderedKey.split(key, kind: bounds.kind)
                let entry = OrderedEntry(parts, payload: 0)
                let isWithin = !bounds.isEmpty && bounds.contains(key)
                let isRight =
                    isWithin && bounds.needsRecheck(entry)
                    ? bounds.needsRecheck && entry.isCut : isWithin == claim(sample.value)
                // An expectation for each of a million pairs takes minutes.
                guard !isRight else { return }
                Issue.record(
                    Comment(rawValue: "\(what()) \(sample.value, default: "nil") \(TestSeed.comment)"))
            }
        }
    }

    private func limit<Result>(
        _ value: StoredValue, _ isIncluded: Bool, _ body: (OrderedLimit?) throws -> Result
    ) rethrows -> Result {
        guard let value else { return try body(nil) }
        return try value.withUnsafeBytes { try body(OrderedLimit($0, isIncluded: isIncluded)) }
    }

    @Test(arguments: ValueKind.indexable)
    func `hold the values of a range, and no others`(kind: ValueKind) throws {
        var generator = TestSeed.generator(300 + UInt64(kind.rawValue))
        let samples = Self.samples(kind, &generator)
        for _ in 0..<60 {
            // nil stands for no limit on that side.
            let lower = samples.randomElement(using: &generator)!.value
            let upper = samples.randomElement(using: &generator)!.value
            let (takesLower, takesUpper) = (Bool.random(using: &generator), Bool.random(using: &generator))
            let bounds = limit(lower, takesLower) { lower in
                limit(upper, takesUpper) { OrderedBounds.range(SpaceID(7), kind, from: lower, to: $0) }
            }
            let hasNaN = ValueModel.isNaN(lower, kind) || ValueModel.isNaN(upper, kind)
            let claim = { (value: StoredValue) -> Bool in
                if value == nil || ValueModel.isNaN(value, kind) || hasNaN { return false }
                let toLower = lower == nil ? 1 : ValueModel.compare(value, lower, kind)
                let toUpper = upper == nil ? -1 : ValueModel.compare(value, upper, kind)
                return (toLower > 0 || takesLower && toLower == 0)
                    && (toUpper < 0 || takesUpper && toUpper == 0)
            }
            try check(
                bounds, samples, claim,
                "\(lower, default: "nil") \(takesLower) \(upper, default: "nil") \(takesUpper)")
        }
    }

    @Test(arguments: ValueKind.indexable)
    func `hold one value, nil, or everything`(kind: ValueKind) throws {
        var generator = TestSeed.generator(400 + UInt64(kind.rawValue))
        let samples = Self.samples(kind, &generator)
        for sample in samples {
            let bounds =
                sample.value?.withUnsafeBytes { OrderedBounds.equal(SpaceID(7), kind, to: $0) }
                ?? .equal(SpaceID(7), kind, to: nil)
            try check(bounds, samples, { ValueModel.compare($0, sample.value, kind) == 0 }, "equal")
        }
        try check(.null(SpaceID(7), kind), samples, { $0 == nil }, "null")
        try check(.all(SpaceID(7), kind), samples, { _ in true }, "all")
        try check(.all(SpaceID(6), kind), samples, { _ in false }, "all of the space before")
        try check(.all(SpaceID(8), kind), samples, { _ in false }, "all of the space after")
    }

    @Test(arguments: [ValueKind.string, .binary])
    func `hold the texts with a prefix`(kind: ValueKind) throws {
        var generator = TestSeed.generator(500 + UInt64(kind.rawValue))
        let samples = Self.samples(kind, &generator)
        let texts = samples.compactMap(\.value)
        let prefixes = texts + texts.map { Array($0.dropLast(Int.random(in: 0...4, using: &generator))) }
        for prefix in prefixes {
            let bounds = prefix.withUnsafeBytes { OrderedBounds.prefix(SpaceID(7), kind, $0) }
            #expect(bounds.needsRecheck == (prefix.count + prefix.count(where: { $0 == 0 }) > 477))
            try check(bounds, samples, { $0?.starts(with: prefix) == true }, "prefix \(prefix)")
        }
    }

    @Test func `of the last space have no end`() {
        let bounds = OrderedBounds.all(SpaceID(.max), .int)
        #expect(bounds.upper.isEmpty && !bounds.isEmpty)
        let key = indexKey(.int, ValueModel.bytes(Int64.max), RowKey(RowKey.limit - 1), space: .max)
        #expect(key.withUnsafeBytes { bounds.contains($0) })
    }

    @Test func `are empty where the limits cross`() {
        let (one, two) = (ValueModel.bytes(Int64(1)), ValueModel.bytes(Int64(2)))
        func isEmpty(_ lower: [UInt8], _ takesLower: Bool, _ upper: [UInt8], _ takesUpper: Bool) -> Bool {
            limit(lower, takesLower) { lower in
                limit(upper, takesUpper) {
                    OrderedBounds.range(SpaceID(7), .int, from: lower, to: $0).isEmpty
                }
            }
        }
        #expect(isEmpty(two, true, one, true))
        #expect(isEmpty(one, false, one, true))
        #expect(isEmpty(one, true, one, false))
        #expect(isEmpty(one, false, one, false))
        #expect(!isEmpty(one, true, one, true))
    }
}
