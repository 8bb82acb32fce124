internal import CDecimal
internal import CairnQuery

extension Decimal128: Comparable, Hashable {
    /// Whether both have the same value: 1, 1.0 and 1.00 are equal, so are 0 and −0, and so is NaN to
    /// itself (or a collection could not find it again).
    public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool {
        cairn_decimal_compare(lhs.number, rhs.number) == 0
    }

    /// Orders by value, with NaN before everything else: NaN, −infinity, the numbers, infinity.
    public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool {
        cairn_decimal_compare(lhs.number, rhs.number) < 0
    }

    /// Feeds the value to the hasher, in the one form that equal numbers share.
    public func hash(into hasher: inout Hasher) {
        let canonical = self.canonical
        hasher.combine(canonical.low)
        hasher.combine(canonical.high)
    }

    /// The number that stands for all those that equal it: without zeros at the end of its digits, and
    /// the one zero and the one NaN. Equal numbers have the same words here, so that an index can go by
    /// them.
    package var canonical: Decimal128 {
        let number = DecimalNumber(low: low, high: high).canonical
        return Decimal128(low: number.low, high: number.high)
    }
}
