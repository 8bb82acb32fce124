package import CairnStorage

/// `min`, `max`, `sum` and `average` of a property over the rows of a query.
extension QueryEvaluation {
    package enum Operation: String, Sendable, CaseIterable {
        case min, max, sum, average

        var bound: BoundAggregate.Operation {
            switch self {
            case .min: .min
            case .max: .max
            case .sum: .sum
            case .average: .avg
            }
        }
    }

    /// Null and NaN take no part. Of no values the sum is zero, and everything else nothing.
    ///
    /// - Complexity: O(rows), at the speed of memory for columns of eight bytes without a condition.
    package func calculate(_ operation: Operation, _ path: ColumnPath) throws(StorageError)
        -> Calculation.Result
    {
        let reader = try ColumnReader(path, table, context)
        var calculation = Calculation(operation.bound, reader.kind)
        let isWhole = query.steps.allSatisfy { if case .sort = $0 { true } else { false } }
        if isWhole, query.base == .table, let column = reader.ownColumn, let scan = try plan().scan {
            let summing = ColumnCalculation(table, column.position, reader.kind)
            scan.forEachMask { block, mask in
                summing.add(block, mask, operation.bound, to: &calculation)
                return true
            }
        } else {
            for row in try rows() {
                guard case .value(let bytes) = reader.find(row) else { continue }
                calculation.add(ScalarValue(bytes, reader.kind))
            }
        }
        try context.throwFailure()
        return calculation.result
    }
}

/// Calculates over the values of a column, a block at a time.
struct ColumnCalculation {
    private let table: SessionTable
    private let position: Int
    private let kind: ValueKind

    init(_ table: SessionTable, _ position: Int, _ kind: ValueKind) {
        self.table = table
        self.position = position
        self.kind = kind
    }

    func add(
        _ block: UInt32, _ rows: BlockBitmap, _ operation: BoundAggregate.Operation,
        to calculation: inout Calculation
    ) {
        let chunk = table.chunk(position, block)
        var rows = rows
        let view = ChunkView(chunk)
        for index in 0..<Block.wordCount { rows.words[index] &= ~view.word(index) }
        switch (operation, kind) {
        case (.sum, .double), (.avg, .double): addDoubles(chunk, rows, &calculation)
        case (.sum, .int), (.avg, .int): addInts(chunk, rows, &calculation)
        case (.min, .int), (.max, .int), (.min, .double), (.max, .double), (.min, .date), (.max, .date):
            addExtremes(chunk, rows, operation, &calculation)
        default: addEach(block, rows, &calculation)
        }
    }

    private func addEach(_ block: UInt32, _ rows: BlockBitmap, _ calculation: inout Calculation) {
        rows.forEachSlot { slot in
            calculation.add(ScalarValue(table.storedBytes(RowKey(block: block, slot: slot), position), kind))
        }
    }

    /// Eight running sums; NaN is put out of the way by comparing each value with itself.
    private func addDoubles(_ chunk: UnsafeRawPointer, _ rows: BlockBitmap, _ calculation: inout Calculation)
    {
        let slots = chunk + ChunkLayout.slots
        var lanes = SIMD8<Double>(repeating: 0)
        var count = 0
        for index in 0..<Block.wordCount {
            let wanted = rows.words[index]
            let first = slots + index &* 512
            if wanted == ~0 {
                var word = SIMD8<Double>(repeating: 0)
                for group in 0..<8 {
                    word += first.loadUnaligned(fromByteOffset: group &* 64, as: SIMD8<Double>.self)
                }
                // NaN among them, or infinities of both signs: then one by one.
                if !word.sum().isNaN {
                    lanes += word
                    count &+= 64
                    continue
                }
            }
            var rest = wanted
            while rest != 0 {
                let slot = rest.trailingZeroBitCount
                rest &= rest &- 1
                let value = first.loadUnaligned(fromByteOffset: slot &* 8, as: Double.self)
                if value.isNaN { continue }
                lanes[slot & 7] += value
                count &+= 1
            }
        }
        calculation.add(doubles: lanes.sum(), count: count)
    }

    /// High and low halves apart, so that nothing overflows.
    private func addInts(_ chunk: UnsafeRawPointer, _ rows: BlockBitmap, _ calculation: inout Calculation) {
        let slots = chunk + ChunkLayout.slots
        var high: Int64 = 0
        var low: Int64 = 0
        for index in 0..<Block.wordCount {
            var rest = rows.words[index]
            if rest == ~0 {
                for slot in 0..<64 {
                    let value = slots.loadUnaligned(
                        fromByteOffset: (index &* 64 &+ slot) &* 8, as: Int64.self)
                    high &+= value &>> 32
                    low &+= value & 0xFFFF_FFFF
                }
                continue
            }
            while rest != 0 {
                let slot = index &* 64 &+ rest.trailingZeroBitCount
                rest &= rest &- 1
                let value = slots.loadUnaligned(fromByteOffset: slot &* 8, as: Int64.self)
                high &+= value &>> 32
                low &+= value & 0xFFFF_FFFF
            }
        }
        calculation.add(ints: Int128(high) << 32 + Int128(low), count: rows.count)
    }

    /// A block whose zone map promises nothing better is passed over. The map is no answer itself: it may be
    /// wider than the values are, as after a deletion.
    private func addExtremes(
        _ chunk: UnsafeRawPointer, _ rows: BlockBitmap, _ operation: BoundAggregate.Operation,
        _ calculation: inout Calculation
    ) {
        let isMinimum = operation == .min
        if let zone = ChunkView(chunk).zone {
            let bound = isMinimum ? zone.minimum : zone.maximum
            let value: ScalarValue =
                kind == .int ? .int(Int64(bitPattern: bound)) : .double(Double(bitPattern: bound))
            guard calculation.wouldChange(with: value) else { return }
        }
        if kind == .int {
            let best = Self.best(chunk, rows, Int64.self) { isMinimum ? $0 < $1 : $0 > $1 }
            if let best { calculation.add(.int(best)) }
        } else {
            let best = Self.best(chunk, rows, Double.self) { isMinimum ? $0 < $1 : $0 > $1 }
            if let best { calculation.add(.double(best)) }
        }
    }

    /// The value that is before every other; nil of none. A value that does not equal itself takes no part.
    @inline(__always)
    private static func best<Value: Comparable & BitwiseCopyable>(
        _ chunk: UnsafeRawPointer, _ rows: BlockBitmap, _ type: Value.Type,
        _ isBefore: (Value, Value) -> Bool
    ) -> Value? {
        let slots = chunk + ChunkLayout.slots
        var best: Value?
        for index in 0..<Block.wordCount {
            var rest = rows.words[index]
            while rest != 0 {
                let slot = index &* 64 &+ rest.trailingZeroBitCount
                rest &= rest &- 1
                let value = slots.loadUnaligned(fromByteOffset: slot &* 8, as: Value.self)
                guard value == value else { continue }
                if let known = best, !isBefore(value, known) { continue }
                best = value
            }
        }
        return best
    }
}
