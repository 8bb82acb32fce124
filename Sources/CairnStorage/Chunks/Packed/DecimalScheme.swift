/// Scheme `decimals`: Doubles that are an integer over a power of ten (`docs/file-format.md`,
/// section 10.4). It serves whole numbers, prices, and dates in milliseconds.
enum DecimalScheme {
    /// The powers of ten that are tried.
    private static let powers: InlineArray<7, Double> = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
    /// The values that choose the power.
    private static let sampleCount = 8

    /// Whether every value is such a Double; then `integers` holds what they are over 10^`exponent`.
    ///
    /// - Parameter integers: room for as many integers.
    static func integers(
        of values: RankedSlots<UInt64>, into integers: UnsafeMutablePointer<UInt64>
    ) -> (exponent: UInt8, integers: RankedSlots<UInt64>)? {
        guard let exponent = exponent(for: values) else { return nil }
        let power = powers[exponent]
        for rank in 0..<values.count {
            guard let integer = integer(values[rank], power: power) else { return nil }
            integers[rank] = UInt64(bitPattern: integer)
        }
        return (UInt8(exponent), RankedSlots(start: UnsafeRawPointer(integers), count: values.count))
    }

    /// The smallest exponent that does for a few of the values.
    private static func exponent(for values: RankedSlots<UInt64>) -> Int? {
        var exponent = 0
        for index in 0..<min(sampleCount, values.count) {
            let value = values[index * values.count / min(sampleCount, values.count)]
            while integer(value, power: powers[exponent]) == nil {
                exponent += 1
                guard exponent < powers.count else { return nil }
            }
        }
        return exponent
    }

    /// The integer that gives exactly these bits when divided by the power.
    @inline(__always)
    private static func integer(_ bits: UInt64, power: Double) -> Int64? {
        let scaled = Double(bitPattern: bits) * power
        // 2⁵³ and more, infinities and NaN.
        guard scaled.magnitude < 0x1p53 else { return nil }
        let integer = Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
        return (Double(integer) / power).bitPattern == bits ? integer : nil
    }

    static func read(_ reader: inout ByteReader, count: Int, into area: SlotArea) throws(StorageError) {
        let exponent = Int(try reader.integer(UInt8.self))
        guard exponent < powers.count else {
            throw reader.damage("has decimals with the exponent \(exponent)")
        }
        let power = powers[exponent]
        try IntegerScheme.read(&reader, count: count, into: area) { integer in
            (Double(Int64(bitPattern: integer)) / power).bitPattern
        }
    }
}
