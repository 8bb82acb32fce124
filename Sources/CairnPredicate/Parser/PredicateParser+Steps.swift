// The steps of a path.
extension PredicateParser {
    /// Reads `.name`, `.@count`, `['k']`, `[0]` and the like as long as they follow the last term.
    mutating func readSteps() throws(ParsingError) {
        var steps: [PropertyPath.Step] = []
        while true {
            if token.kind == .symbol(.dot) {
                try requirePath()
                try advance()
                try readNamedSteps(into: &steps)
            } else if token.kind == .symbol(.openingBracket) {
                try requirePath()
                try advance()
                steps.append(try subscriptStep())
                try take(.closingBracket, expected: .closingBracket)
            } else {
                return finishPath(steps)
            }
        }
    }

    /// Throws unless the last term is a path, which alone can have steps.
    private func requirePath() throws(ParsingError) {
        let term = terms[terms.count - 1]
        guard case .operand(.path) = term.content else {
            throw ParsingError(.notAPath, term.range, expected: .path)
        }
    }

    /// Adds the steps to the last term if it is a path, and notes where that stands.
    private mutating func finishPath(_ steps: [PropertyPath.Step]) {
        guard case .operand(.path(var path)) = terms[terms.count - 1].content else { return }
        if !steps.isEmpty { terms[terms.count - 1].range = terms[terms.count - 1].range.lowerBound..<lastEnd }
        path.steps += steps
        path.place = Place(terms[terms.count - 1].range)
        terms[terms.count - 1].content = .operand(.path(path))
    }

    /// Reads what follows a dot. There every word is a name, keywords included.
    private mutating func readNamedSteps(into steps: inout [PropertyPath.Step]) throws(ParsingError) {
        switch token.kind {
        case .name(let name), .escapedName(let name), .keyword(_, let name):
            steps.append(.property(name))
        case .collectionOperator(let found):
            steps.append(.collection(found))
        case .placeholder(.path):
            steps += try arguments.steps(isRoot: false, at: token.range)
        default:
            throw ParsingError(.unexpected, token.range, expected: .name)
        }
        try advance()
    }

    /// Reads what stands in brackets.
    private mutating func subscriptStep() throws(ParsingError) -> PropertyPath.Step {
        let step: PropertyPath.Step
        switch token.kind {
        case .string(let key):
            step = .key(key)
        case .integer(let index):
            guard let index = Int(exactly: index) else { throw ParsingError(.numberTooLarge, token.range) }
            step = .index(index)
        case .escapedName(let name) where Keyword(word: name.utf8) == .any:
            step = .anyElement
        case .placeholder(let placeholder) where placeholder != .percentSign:
            step = try arguments.subscriptStep(for: placeholder, at: token.range)
        case .name(let name) where Self.unsupportedSubscripts.contains(name.lowercased()):
            throw ParsingError(.unsupportedSubscript, token.range, expected: .subscriptKey)
        default:
            throw ParsingError(.unexpected, token.range, expected: .subscriptKey)
        }
        try advance()
        return step
    }

    /// What NSPredicate reads there, and no query of Realm's does.
    private static let unsupportedSubscripts = ["first", "last", "size"]
}
