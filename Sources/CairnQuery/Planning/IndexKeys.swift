internal import CairnStorage

/// What an index is asked for a test of its column.
enum IndexKeys {
    /// The stored bytes of the values that fit, where they can be counted; nil where they cannot.
    static func keys(_ test: ValueTest.Kind, _ kind: ValueKind) -> [[UInt8]?]? {
        switch test {
        case .nothing: return []
        case .bool(let value): return [[value ? 1 : 0]]
        case .int(let range) where range.lowerBound == range.upperBound: return [bytes(range.lowerBound)]
        case .words(let words): return words.map { bytes($0) }
        case .double(let range) where range.lowerBound == range.upperBound:
            return bothZeros([range.lowerBound]).map { bytes($0) }
        case .doubles(let values):
            let values = bothZeros(values)
            return kind == .float ? values.map { bytes(Float($0)) } : values.map { bytes($0) }
        case .float(let range) where range.lowerBound == range.upperBound:
            return bothZeros([Double(range.lowerBound)]).map { bytes(Float($0)) }
        case .bytes(let values): return values
        case .text(let text) where text.folding.isEmpty:
            switch text.relation {
            case .equal: return [text.needle]
            case .isIn: return text.needles
            default: return nil
            }
        default: return nil
        }
    }

    /// What is stored of a null, which an index is asked for: of a link to nothing the number 0.
    static func nullKey(_ kind: ValueKind) -> [UInt8]? { kind == .link ? bytes(UInt64(0)) : nil }

    /// Both zeros equal each other, and a hash tells them apart.
    private static func bothZeros(_ values: [Double]) -> [Double] {
        guard values.contains(0) else { return values }
        return values.filter { $0 != 0 } + [0.0, -0.0]
    }

    private static func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    /// A stretch of an ordered index, with the bytes of its limits.
    struct Stretch {
        fileprivate enum Form {
            case range
            case prefix
        }

        fileprivate var form = Form.range
        fileprivate var lower: [UInt8]?
        fileprivate var includesLower = true
        fileprivate var upper: [UInt8]?
        fileprivate var includesUpper = true

        func withRange<Result>(
            _ body: (SessionTable.OrderedRange) throws(StorageError) -> Result
        ) throws(StorageError) -> Result {
            let lower = lower ?? []
            let upper = upper ?? []
            return try lower.withUnsafeBytes { lower in
                upper.withUnsafeBytes { upper in
                    Swift.Result { () throws(StorageError) in try body(range(lower, upper)) }
                }
            }.get()
        }

        private func range(
            _ lower: UnsafeRawBufferPointer, _ upper: UnsafeRawBufferPointer
        ) -> SessionTable.OrderedRange {
            if form == .prefix { return .prefix(lower) }
            return .range(
                lower: self.lower == nil ? nil : OrderedLimit(lower, isIncluded: includesLower),
                upper: self.upper == nil ? nil : OrderedLimit(upper, isIncluded: includesUpper))
        }
    }

    /// The stretch of an ordered index that has just the values that fit; nil where there is none.
    static func range(_ test: ValueTest.Kind, _ kind: ValueKind) -> Stretch? {
        switch test {
        // NaN is a value, and in no range.
        case .everything where kind != .double && kind != .float && kind != .date: return Stretch()
        case .bool(let value): return Stretch(lower: [value ? 1 : 0], upper: [value ? 1 : 0])
        case .int(let range): return Stretch(lower: bytes(range.lowerBound), upper: bytes(range.upperBound))
        case .double(let range):
            return Stretch(lower: bytes(range.lowerBound), upper: bytes(range.upperBound))
        case .float(let range): return Stretch(lower: bytes(range.lowerBound), upper: bytes(range.upperBound))
        case .text(let text) where text.folding.isEmpty:
            switch text.relation {
            case .equal: return Stretch(lower: text.needle, upper: text.needle)
            case .less: return Stretch(upper: text.needle, includesUpper: false)
            case .lessOrEqual: return Stretch(upper: text.needle)
            case .greater: return Stretch(lower: text.needle, includesLower: false)
            case .greaterOrEqual: return Stretch(lower: text.needle)
            case .beginsWith: return Stretch(form: .prefix, lower: text.needle)
            default: return nil
            }
        default: return nil
        }
    }
}
