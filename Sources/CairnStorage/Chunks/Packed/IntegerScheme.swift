/// Scheme `integers`: base + step × rank + a narrow number (`docs/file-format.md`, section 10.4).
struct IntegerScheme {
    let step: UInt64
    let narrow: NarrowPlan

    /// The narrowest form of at least one value: with the step of a line from the first to the last,
    /// or with none.
    init(_ values: RankedSlots<UInt64>) {
        let flat = NarrowPlan(values, step: 0)
        guard flat.bitCount > 0, values.count > 1 else {
            (step, narrow) = (0, flat)
            return
        }
        let rise = Int64(bitPattern: values[values.count - 1] &- values[0]) / Int64(values.count - 1)
        let rising = rise == 0 ? flat : NarrowPlan(values, step: UInt64(bitPattern: rise))
        let isBetter = rising.bitCount < flat.bitCount
        (step, narrow) = isBetter ? (UInt64(bitPattern: rise), rising) : (0, flat)
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
    /// For what values, at least one, are above a line that rises by `step` a rank.
    fileprivate init(_ values: RankedSlots<UInt64>, step: UInt64) {
        var minimum = Int64(bitPattern: values[0])
        var maximum = minimum
        for rank in 1..<max(values.count, 1) {
            let value = Int64(bitPattern: values[rank] &- step &* UInt64(truncatingIfNeeded: rank))
            minimum = min(minimum, value)
            maximum = max(maximum, value)
        }
        self.init(minimum: minimum, maximum: maximum)
    }
}
