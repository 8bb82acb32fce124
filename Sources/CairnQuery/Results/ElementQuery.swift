package import CairnStorage

/// What is asked of the values of a list of values: which, and in what order.
package struct ElementQuery: Hashable, Sendable {
    /// What is done with the values, in this order.
    package enum Step: Hashable, Sendable {
        /// nil before everything; stable.
        case sort(isAscending: Bool)
        /// Keeps the first of equal values.
        case distinct
        case limit(offset: Int, count: Int)
        /// Keeps those that fit, of what a limit has left.
        case filter(ElementCondition)
    }

    /// Asked before the steps.
    package private(set) var conditions: [ElementCondition] = []
    package private(set) var steps: [Step] = []

    package init() {}

    /// As with objects a condition is asked before values are sorted and told apart; but of limited ones, of
    /// those that the limit has left.
    package func filtered(by condition: ElementCondition) -> ElementQuery {
        var result = self
        let isLimited = steps.contains { if case .limit = $0 { true } else { false } }
        if isLimited {
            result.steps.append(.filter(condition))
        } else {
            result.conditions.append(condition)
        }
        return result
    }

    package func adding(_ step: Step) -> ElementQuery {
        var result = self
        result.steps.append(step)
        return result
    }
}

/// Values that an `ElementQuery` has found: copies of their bytes, in order.
package struct FoundElements {
    private let bytes: [UInt8]
    /// nil for null.
    private let ranges: [Range<Int>?]
    private let kind: ValueKind

    package var count: Int { ranges.count }

    /// Carries a query out on a list.
    ///
    /// - Complexity: O(elements × log elements).
    package init(
        _ query: ElementQuery, of row: RowKey, _ position: Int, in table: SessionTable
    ) throws(StorageError) {
        let kind = table.definition.columns[position].kind
        let matchers = query.conditions.map { ElementMatcher($0) }
        var bytes: [UInt8] = []
        var ranges: [Range<Int>?] = []
        try table.forEachRun(row, position) { run, _ throws(StorageError) in
            for index in 0..<run.count {
                let element = run.element(at: index)
                guard matchers.allSatisfy({ $0.matches(element) }) else { continue }
                guard let element else {
                    ranges.append(nil)
                    continue
                }
                ranges.append(bytes.count..<(bytes.count + element.count))
                bytes.append(contentsOf: element)
            }
        }
        self.kind = kind
        self.bytes = bytes
        self.ranges = bytes.withUnsafeBytes { bytes in
            Self.carryOut(query.steps, ranges, bytes, kind)
        }
    }

    private static func carryOut(
        _ steps: [ElementQuery.Step], _ ranges: [Range<Int>?], _ bytes: UnsafeRawBufferPointer,
        _ kind: ValueKind
    ) -> [Range<Int>?] {
        var ranges = ranges
        for step in steps {
            switch step {
            case .sort(let isAscending): ranges = sorted(ranges, bytes, kind, isAscending: isAscending)
            case .distinct:
                var known = ByteSet()
                var hasNull = false
                ranges = ranges.filter { range in
                    guard let range else {
                        defer { hasNull = true }
                        return !hasNull
                    }
                    let value = CanonicalBytes.of(UnsafeRawBufferPointer(rebasing: bytes[range]), kind)
                    return value.withUnsafeBytes { known.insert($0).isNew }
                }
            case .filter(let condition):
                let matcher = ElementMatcher(condition)
                ranges = ranges.filter { range in
                    matcher.matches(range.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) })
                }
            case .limit(let offset, let count):
                let start = min(offset, ranges.count)
                ranges = Array(ranges[start..<min(ranges.count, start.addingClamped(count))])
            }
        }
        return ranges
    }

    private static func sorted(
        _ ranges: [Range<Int>?], _ bytes: UnsafeRawBufferPointer, _ kind: ValueKind, isAscending: Bool
    ) -> [Range<Int>?] {
        let nulls = ranges.filter { $0 == nil }
        let values = ranges.compactMap { $0 }.enumerated().map { offset, range in
            let value = UnsafeRawBufferPointer(rebasing: bytes[range])
            return (bits: SortBits.bits(value, kind), offset: offset, range: range)
        }.sorted { left, right in
            var order = left.bits == right.bits ? 0 : left.bits < right.bits ? -1 : 1
            if order == 0, !SortBits.isExact(kind) {
                order = SortBits.compare(
                    UnsafeRawBufferPointer(rebasing: bytes[left.range]),
                    UnsafeRawBufferPointer(rebasing: bytes[right.range]), kind)
            }
            if order == 0 { return left.offset < right.offset }
            return isAscending ? order < 0 : order > 0
        }
        let sorted: [Range<Int>?] = values.map(\.range)
        return isAscending ? nulls + sorted : sorted + nulls
    }

    /// Calls the body with the bytes of a value, nil for null.
    package func withElement<Result>(
        _ index: Int, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        guard let range = ranges[index] else { return body(nil) }
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The place of the first value that fits.
    package func firstIndex(matching condition: ElementCondition) -> Int? {
        let matcher = ElementMatcher(condition)
        return ranges.indices.first { index in withElement(index) { matcher.matches($0) } }
    }

    /// Null and NaN take no part. Of no values the sum is zero, and everything else nothing.
    package func calculate(_ operation: QueryEvaluation.Operation) -> Calculation.Result {
        var calculation = Calculation(operation.bound, kind)
        for index in ranges.indices { withElement(index) { calculation.add(ScalarValue($0, kind)) } }
        return calculation.result
    }
}

/// Values in a form that equal ones share and others do not.
enum CanonicalBytes {
    static func of(_ bytes: UnsafeRawBufferPointer, _ kind: ValueKind) -> [UInt8] {
        switch kind {
        case .double, .date: return array(canonical(bytes.loadUnaligned(as: Double.self)))
        case .float: return array(canonical(bytes.loadUnaligned(as: Float.self)))
        case .decimal:
            let number = DecimalNumber(bytes).canonical
            return array(number.low) + array(number.high)
        default: return Array(bytes)
        }
    }

    private static func array<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    /// Both zeros are one value, and so is every NaN.
    static func canonical<Number: BinaryFloatingPoint>(_ number: Number) -> Number {
        number == 0 ? 0 : number.isNaN ? .nan : number
    }
}
