/// Hands out the arguments in the order in which the text asks for them.
struct ArgumentReader {
    private let values: [Literal]
    private var usedCount = 0

    init(_ values: [Literal]) { self.values = values }

    /// The next argument as a value: for `%@` of any kind, for `%d` and its like a number.
    mutating func value(
        for placeholder: Token.Placeholder, at range: Range<Int>
    ) throws(ParsingError) -> Literal {
        let value = try next(at: range)
        guard placeholder == .number else { return value }
        switch value.kind {
        case .bool, .int, .float, .double, .decimal: return value
        default: throw wrong(value, range, expected: .number)
        }
    }

    /// The next argument as what stands in the brackets of a subscript.
    mutating func subscriptStep(
        for placeholder: Token.Placeholder, at range: Range<Int>
    ) throws(ParsingError) -> PropertyPath.Step {
        let value = try next(at: range)
        switch value {
        case .string("#any") where placeholder == .path: return .anyElement
        case .string(let key) where placeholder != .number: return .key(key)
        case .int(let index) where placeholder != .path && index >= 0: return .index(Int(index))
        default:
            let expected: ParsingError.Expectation =
                switch placeholder {
                case .number: .index
                case .path: .key
                case .value, .percentSign: .subscriptKey
                }
            throw wrong(value, range, expected: expected)
        }
    }

    /// The next argument as a path: steps with dots between them. `isRoot` says that it begins a path,
    /// where a leading SELF is the object itself.
    mutating func steps(isRoot: Bool, at range: Range<Int>) throws(ParsingError) -> [PropertyPath.Step] {
        let value = try next(at: range)
        guard case .string(let text) = value else { throw wrong(value, range, expected: .path) }
        var steps: [PropertyPath.Step] = []
        let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for (position, name) in names.enumerated() {
            if isRoot, position == 0, Keyword(word: name) == .itself { continue }
            guard let first = name.first else {
                throw ParsingError(.malformedPath(number: usedCount), range, expected: .path)
            }
            if first == UInt8(ascii: "@") {
                steps.append(.collection(try collectionOperator(name.dropFirst(), range)))
            } else {
                steps.append(.property(String(decoding: name, as: UTF8.self)))
            }
        }
        return steps
    }

    /// Throws unless every argument was asked for.
    func requireAllUsed(at end: Int) throws(ParsingError) {
        guard usedCount == values.count else {
            throw ParsingError(.unusedArguments(given: values.count, used: usedCount), end..<end)
        }
    }

    private mutating func next(at range: Range<Int>) throws(ParsingError) -> Literal {
        guard usedCount < values.count else {
            throw ParsingError(.missingArgument(number: usedCount + 1), range)
        }
        defer { usedCount += 1 }
        return values[usedCount]
    }

    private func collectionOperator(
        _ name: Substring.UTF8View, _ range: Range<Int>
    ) throws(ParsingError) -> PropertyPath.CollectionOperator {
        guard let found = PropertyPath.CollectionOperator(rawValue: String(decoding: name, as: UTF8.self))
        else { throw ParsingError(.malformedPath(number: usedCount), range, expected: .collectionOperator) }
        return found
    }

    /// The error of the argument just handed out.
    private func wrong(
        _ value: Literal, _ range: Range<Int>, expected: ParsingError.Expectation
    ) -> ParsingError {
        ParsingError(.wrongArgument(number: usedCount, kind: value.kind), range, expected: expected)
    }
}
