/// Scheme `integers`: base + step × rank + a narrow number (`docs/file-format.md`, section 10.4).
struct IntegerScheme {
    let step: UInt64
    let narrow: NarrowPlan

    /// The narrowest form of at least one value: with the step of a line from the first to the last,
    /// or with none.
    init(_ values: RankedSlots<UInt64>) {
        let flat = NarrowPlan(values, step: 0, stride: 1)
        guard flat.bitCount > 0, values.count > 1 else {
            (step, narrow) = (0, flat)
            return
        }
        let rise = Int64(bitPattern: values[values.count - 1] &- values[0]) / Int64(values.count - 1)
        let step = UInt64(bitPattern: rise)
        // A few values tell nearly always that it does not help.
        guard rise != 0, NarrowPlan(values, step: step, stride: values.count / 8 + 1).bitCount < flat.bitCount
        else {
            (self.step, narrow) = (0, flat)
            return
        }
        let rising = NarrowPlan(values, step: step, stride: 1)
        (self.step, narrow) = rising.bitCount < flat.bitCount ? (step, rising) : (0, flat)
    }

    func byteCount(of valueCount: Int) -> Int { 8 + narrow.byteCount(of: valueCount) }

    func write(_ values: RankedSlots<UInt64>, to writer: inout PackedWriter) {
        writer.store(step)
        narrow.write(count: values.count, to: &writer) {
            values[$0] &- step &* UInt64(truncatingIfNeeded: $0)
        }
    }

    /// Reads `count` values, into the area by rank, each as `convert` makes it.
    @inline(__always)
    static func read(
        _ reader: inout ByteReader, count: Int, into area: SlotArea, convert: (UInt64) -> UInt64
    ) throws(StorageError) {
        let step = try reader.integer(UInt64.self)
        let numbers = try NarrowNumbers(&reader, count: count)
        numbers.forEach { rank, number in
            area.store(convert(number &+ step &* UInt64(truncatingIfNeeded: rank)), at: rank)
        }
    }
}

extension NarrowPlan {
    /// For what values, at least one, are above a line that rises by `step` a rank; `stride` 1 looks at all.
    fileprivate init(_ values: RankedSlots<UInt64>, step: UInt64, stride: Int) {
        var minimum = Int64(bitPattern: values[0])
        var maximum = minimum
        var rank = stride
        while rank < values.count {
            let value = Int64(bitPattern: values[rank] &- step &* UInt64(truncatingIfNeeded: rank))
            minimum = min(minimum, value)
            maximum = max(maximum, value)
            rank &+= stride
        }
        self.init(minimum: minimum, maximum: maximum)
    }
}
