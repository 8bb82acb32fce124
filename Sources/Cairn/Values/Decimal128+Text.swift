internal import CDecimal

extension Decimal128 {
    /// The number that a text says, rounded to 34 digits; NaN where it says none.
    ///
    /// Text is digits with an optional sign, an optional point and an optional exponent (`-12.50`, `.5`,
    /// `1E3`, `2.5e-7`), or `inf`, `infinity`, `nan`, in upper or lower case. No spaces, no grouping.
    ///
    /// It is marked as throwing because RealmSwift's is; like that one, it never does.
    public init(string: String) throws {
        self = Decimal128(parsing: string) ?? .notANumber
    }

    /// The number that a text says, or nil where it says none. `nan` says one.
    package init?(parsing text: String) {
        guard let text = DecimalText(text) else { return nil }
        switch text.kind {
        case .notANumber: self = .notANumber
        case .infinity: self.init(low: 0, high: 0x7800_0000_0000_0000)
        case .digits where text.digits <= Self.greatestDigits && Self.exponents.contains(text.exponent):
            self.init(isNegative: false, digits: text.digits, exponent: text.exponent)
        case .digits: self.init(cairn_decimal_from_text(text.textForLibrary))
        }
        if text.isNegative && !isNaN { high |= Self.signBit }
    }

    /// The number in digits: `12.50`, `1.5E20`, `NaN`, `Inf`, `-Inf`. It says all digits, zeros at the
    /// end too, so that the text gives the same number back.
    ///
    /// There is an exponent where the digits do not reach down to the point, and for numbers below
    /// 0.000001: the form that the standard calls a scientific string, but for the plus sign of the
    /// exponent, which Realm leaves out.
    public var stringValue: String {
        if isNaN { return "NaN" }
        let sign = isNegative ? "-" : ""
        if isInfinite { return sign + "Inf" }
        let (number, exponent) = parts
        let digits = String(number)
        let leading = exponent + digits.utf8.count - 1
        if exponent > 0 || leading < -6 {
            let point = digits.utf8.count > 1 ? "." : ""
            return "\(sign)\(digits.prefix(1))\(point)\(digits.dropFirst())E\(leading)"
        }
        if exponent == 0 { return sign + digits }
        if leading < 0 { return sign + "0." + String(repeating: "0", count: -leading - 1) + digits }
        return "\(sign)\(digits.dropLast(-exponent)).\(digits.suffix(-exponent))"
    }
}

extension Decimal128: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The number that a literal says; NaN where it says none.
    public init(stringLiteral value: String) {
        self = Decimal128(parsing: value) ?? .notANumber
    }

    /// The same as ``stringValue``.
    public var description: String { stringValue }
}

extension Decimal128: Codable {
    /// Decodes a text, an integer, or a number with a fraction, which goes through `Double`.
    ///
    /// - Throws: `DecodingError.dataCorrupted` where there is none of these, or a text that does not say
    ///   a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard let parsed = Decimal128(parsing: text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "'\(text)' is not a decimal number.")
            }
            self = parsed
        } else if let integer = try? container.decode(Int64.self) {
            self.init(integerLiteral: integer)
        } else if let double = try? container.decode(Double.self) {
            self.init(floatLiteral: double)
        } else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A decimal number is a text or a number.")
        }
    }

    /// Encodes ``stringValue``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}
