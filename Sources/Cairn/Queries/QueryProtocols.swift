public import Foundation

/// An optional, as a protocol.
public protocol OptionalProtocol {
    associatedtype Wrapped
}

extension Optional: OptionalProtocol {}

/// A stored type that queries compare by size. Not for programs to conform to.
public protocol _QueryNumeric {}

/// A stored type that queries look for bytes in. Not for programs to conform to.
public protocol _QueryBinary {}

/// A stored type that queries look for text in. Not for programs to conform to.
public protocol _QueryString: _QueryBinary {}

extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension String: _QueryString {}
extension Data: _QueryBinary {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}

/// What texts are told apart by in a query.
public struct StringOptions: OptionSet, Sendable {
    public let rawValue: Int8

    public init(rawValue: Int8) {
        self.rawValue = rawValue
    }

    /// Capitals and small letters are the same: `[c]` in predicate text.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// Letters with and without diacritical marks are the same: `[d]` in predicate text.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)
}
