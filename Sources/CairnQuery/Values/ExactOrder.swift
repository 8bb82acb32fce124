/// Numbers of two kinds compared without rounding either.
enum ExactOrder {
    /// -1, 0 or 1 as the integer is less than the double, equal to it or greater; nil for NaN.
    static func compare(_ left: Int64, _ right: Double) -> Int? {
        if right.isNaN { return nil }
        if right >= 0x1p63 { return -1 }
        if right < -0x1p63 { return 1 }
        let whole = right.rounded(.down)
        let integer = Int64(whole)
        if left != integer { return left < integer ? -1 : 1 }
        return whole == right ? 0 : -1
    }
}
