internal import CairnPredicate
internal import Foundation

/// Turns values of a program into literals of a predicate, and notes the objects among them.
///
/// | value | literal |
/// |---|---|
/// | `Int`, `UInt8` … up to 64 bits | int |
/// | `Bool`, `Float`, `Double`, `String`, `Data`, `Date`, `UUID`, `ObjectId`, `Decimal128`, `Decimal` | the same |
/// | `NSNumber` | of the kind that it was made of |
/// | nil, `NSNull` | null |
/// | an optional | what is in it |
/// | a `PersistableEnum` | its raw value |
/// | an object | `Literal.object`, with a place in ``objects`` |
/// | any other sequence: arrays, sets, `List`, `Results` | an array |
struct PredicateArguments {
    /// The objects among the values, each once.
    private(set) var objects: [ObjectBase] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// - Parameter objects: Those that have places already.
    init(objects: [ObjectBase] = []) {
        for object in objects { _ = number(of: object) }
    }

    /// Arrays within arrays beyond this are refused: no query can use them.
    private static let heightLimit = 8

    /// The literals of the arguments of predicate text.
    ///
    /// - Throws: `invalidValue` for a value that no query can take, with its place and type.
    mutating func literals(of arguments: [Any]) throws(RealmError) -> [Literal] {
        var literals: [Literal] = []
        literals.reserveCapacity(arguments.count)
        for (index, argument) in arguments.enumerated() {
            literals.append(try literal(of: argument, at: Location("Argument \(index + 1)")))
        }
        return literals
    }

    /// The literal of one value.
    ///
    /// - Parameter words: What it is called at the beginning of a sentence.
    /// - Throws: `invalidValue` for a value that no query can take.
    mutating func literal(of value: Any?, called words: String = "The value") throws(RealmError) -> Literal {
        try literal(of: value, at: Location(words))
    }

    /// Where a value is, for errors.
    private struct Location {
        let words: String
        var elements: [Int] = []

        init(_ words: String) { self.words = words }

        func element(_ index: Int) -> Location {
            var location = self
            location.elements.append(index)
            return location
        }

        /// `Argument 2`, or `Element [0] of argument 2`.
        var sentencePart: String {
            guard !elements.isEmpty else { return words }
            let path = elements.map { "[\($0)]" }.joined()
            return "Element \(path) of \(words.prefix(1).lowercased() + words.dropFirst())"
        }
    }

    private mutating func literal(of value: Any?, at location: Location) throws(RealmError) -> Literal {
        switch value {
        case nil: return .null
        case let value as any LiteralConvertible:
            guard let literal = value.literal else { throw Self.tooLarge(value, location) }
            return literal
        case let sequence as any LiteralSequence:
            try Self.requireRoom(at: location)
            let literals = sequence.literals()
            // The one that there is no literal for is looked at again, for the error.
            if literals.count == sequence.elementCount { return .array(literals) }
        case let optional as any AnyOptional: return try literal(of: optional.anyWrapped, at: location)
        case let object as ObjectBase: return .object(number(of: object))
        case let value as any PersistableEnum: return try literal(of: Self.rawValue(value), at: location)
        default: break
        }
        guard let value else { return .null }
        guard let sequence = value as? any Sequence else { throw Self.unsuitable(value, location) }
        return try array(of: sequence, at: location)
    }

    private static func rawValue<Value: PersistableEnum>(_ value: Value) -> Any { value.rawValue }

    private mutating func array<S: Sequence>(
        of sequence: S, at location: Location
    ) throws(RealmError) -> Literal {
        try Self.requireRoom(at: location)
        var literals: [Literal] = []
        literals.reserveCapacity(sequence.underestimatedCount)
        for element in sequence {
            literals.append(try literal(of: element as Any, at: location.element(literals.count)))
        }
        return .array(literals)
    }

    private static func requireRoom(at location: Location) throws(RealmError) {
        guard location.elements.count < heightLimit else {
            throw RealmError(
                .invalidValue, "\(location.words) has arrays in arrays, more than \(heightLimit) levels deep."
            )
        }
    }

    /// The number of an object in literals: its place among the objects, where it gets one.
    mutating func number(of object: ObjectBase) -> UInt64 {
        let id = ObjectIdentifier(object)
        if let place = places[id] { return UInt64(place) }
        places[id] = objects.count
        objects.append(object)
        return UInt64(objects.count - 1)
    }

    private static func unsuitable(_ value: Any, _ location: Location) -> RealmError {
        RealmError(
            .invalidValue,
            """
            \(location.sentencePart) is of type '\(type(of: value))', which no query can take: give a number, a \
            Bool, text, Data, a Date, a UUID, an ObjectId, an object, a PersistableEnum, nil or a sequence of these.
            """)
    }

    private static func tooLarge(_ value: Any, _ location: Location) -> RealmError {
        RealmError(
            .invalidValue,
            """
            \(location.sentencePart) is the '\(type(of: value))' \(value), which is beyond the 64-bit integers \
            that can be stored.
            """)
    }
}
