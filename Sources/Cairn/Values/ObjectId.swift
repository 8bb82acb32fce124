public import Foundation

/// A value of 12 bytes that is unique without anybody who hands it out: the seconds of its creation,
/// then five bytes that were drawn at random for the process, then a count of three bytes.
///
///     bytes   0       4               9           12
///             | seconds | random        | count     |   all big-endian
///
/// Values of one process sort in the order of their creation, to the second also values of several.
/// Unlike RealmSwift's class of this name it is a struct: making one allocates nothing.
///
/// In memory it is its twelve bytes in their order, which is how they are stored.
@frozen
public struct ObjectId: Sendable, BitwiseCopyable {
    // Three words and not twelve bytes: a value then goes through registers. Their bytes lie as the
    // identifier's do, so each reads as a big-endian number.
    @usableFromInline let first: UInt32
    @usableFromInline let second: UInt32
    @usableFromInline let third: UInt32

    /// The identifier of twelve zero bytes. Use ``generate()`` for one that is unique.
    @inlinable
    public init() {
        self.init(0, 0, 0)
    }

    @inlinable
    init(_ first: UInt32, _ second: UInt32, _ third: UInt32) {
        self.first = first
        self.second = second
        self.third = third
    }

    /// A new identifier: never one that this process has made before, and not one of another process
    /// either, as far as five random bytes can promise it. Any thread may call it.
    public static func generate() -> ObjectId {
        ObjectId(seconds: UInt32(truncatingIfNeeded: time(nil)), rest: ObjectIdSequence.next())
    }

    /// The identifier that 24 hexadecimal digits name, in either case.
    ///
    /// - Throws: `Realm.Error` with the code `.invalidInput` for any other text.
    public init(string: String) throws {
        var text = string
        guard let parsed = text.withUTF8({ ObjectId(hexadecimal: $0) }) else {
            throw RealmError(
                .invalidInput,
                "'\(string)' is not an object identifier: that takes 24 digits of 0-9, a-f or A-F.")
        }
        self = parsed
    }

    /// The identifier that a literal of 24 hexadecimal digits names. Any other literal is a mistake of
    /// the program and traps; use ``init(string:)`` for text that comes from outside.
    public init(_ str: StaticString) {
        guard let parsed = str.withUTF8Buffer({ ObjectId(hexadecimal: $0) }) else {
            preconditionFailure(
                "'\(str)' is not an object identifier: that takes 24 digits of 0-9, a-f or A-F.")
        }
        self = parsed
    }

    /// An identifier that says when and where it was made: the seconds, the low three bytes of
    /// `machineId`, the low two of `processId`, and the count of this process.
    ///
    /// Moments that 32 bits of seconds since 1970 cannot say (before 1970, after 2106) become the
    /// nearest that they can.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        let seconds = timestamp.timeIntervalSince1970
        // Written so that a date of NaN seconds is 0 too.
        let clamped = seconds >= 0 ? UInt32(min(seconds, Double(UInt32.max))) : 0
        let machine = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
        let process = UInt64(truncatingIfNeeded: processId) & 0xFFFF
        self.init(
            seconds: clamped, rest: machine << 40 | process << 24 | (ObjectIdSequence.next() & 0xFF_FFFF))
    }

    private init(seconds: UInt32, rest: UInt64) {
        self.init(
            seconds.bigEndian, UInt32(truncatingIfNeeded: rest >> 32).bigEndian,
            UInt32(truncatingIfNeeded: rest).bigEndian)
    }

    /// When it was made, to the second.
    public var timestamp: Date { Date(timeIntervalSince1970: Double(first.bigEndian)) }

    /// Its 24 hexadecimal digits, in lower case.
    public var stringValue: String {
        withBytes { bytes in
            String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
                for (index, byte) in bytes.enumerated() {
                    text[2 * index] = Self.digit(byte >> 4)
                    text[2 * index + 1] = Self.digit(byte & 15)
                }
                return text.count
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension ObjectId {
    /// The identifier of 12 bytes, which may lie at any address.
    @inlinable
    package init(bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 12, "an object identifier has 12 bytes")
        self = bytes.loadUnaligned(as: ObjectId.self)
    }

    /// Calls `body` with the 12 bytes, which are valid for as long as it runs.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeBytes(of: self, body)
    }

    private init?(hexadecimal text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 24 else { return nil }
        var words = (UInt32(0), UInt32(0), UInt32(0))
        for (index, character) in text.enumerated() {
            guard let value = Self.value(ofDigit: character) else { return nil }
            switch index / 8 {
            case 0: words.0 = words.0 << 4 | value
            case 1: words.1 = words.1 << 4 | value
            default: words.2 = words.2 << 4 | value
            }
        }
        self.init(words.0.bigEndian, words.1.bigEndian, words.2.bigEndian)
    }

    private static func value(ofDigit character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(character - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(character - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension ObjectId: Comparable, Hashable {
    // The first eight bytes as the number that orders as they do.
    @inlinable var leading: UInt64 { UInt64(first.bigEndian) << 32 | UInt64(second.bigEndian) }

    /// Whether both have the same bytes.
    @inlinable
    public static func == (lhs: ObjectId, rhs: ObjectId) -> Bool {
        lhs.first == rhs.first && lhs.second == rhs.second && lhs.third == rhs.third
    }

    /// Orders by the bytes, and so by the time of creation first.
    @inlinable
    public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool {
        let (left, right) = (lhs.leading, rhs.leading)
        return left != right ? left < right : lhs.third.bigEndian < rhs.third.bigEndian
    }

    /// Feeds the bytes to the hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(UInt64(first) | UInt64(second) << 32)
        hasher.combine(third)
    }
}

extension ObjectId: Codable, CustomStringConvertible {
    /// Decodes the 24 hexadecimal digits.
    ///
    /// - Throws: as ``init(string:)`` does, and what the decoder throws where there is no text.
    public init(from decoder: any Decoder) throws {
        try self.init(string: decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the 24 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }

    /// The same as ``stringValue``.
    public var description: String { stringValue }
}
