// Paths and names.
extension PredicatePrinter {
    func pieces(of path: PropertyPath) -> [Piece] {
        var pieces: [Piece] = []
        switch path.root {
        case .object: if path.steps.isEmpty || path.steps[0].isSubscript { pieces.append(.text("SELF")) }
        case .variable(let name): pieces.append(.text("$\(name)"))
        case .subquery(let subquery):
            pieces += [.text("SUBQUERY("), .path(subquery.collection), .text(", $\(subquery.variable), ")]
            pieces += [.condition(subquery.condition), .text(")")]
        case .call(let call):
            pieces += Self.list(call.arguments.map { .operand($0) }, "\(call.name)(", ")")
        }
        for step in path.steps {
            if !step.isSubscript, !pieces.isEmpty { pieces.append(.text(".")) }
            pieces += self.pieces(of: step)
        }
        return pieces
    }

    private func pieces(of step: PropertyPath.Step) -> [Piece] {
        switch step {
        case .property(let name): return [self.name(name)]
        case .collection(let collectionOperator): return [.text("@\(collectionOperator.rawValue)")]
        case .key(let key): return [.text("["), .literal(.string(key)), .text("]")]
        case .index(let index): return [.text("[\(index)]")]
        case .anyElement: return [.text("[#any]")]
        }
    }

    /// A name, with `#` if it is a keyword, or as an argument if it is no identifier.
    private func name(_ name: String) -> Piece {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first),
            name.utf8.allSatisfy(TokenReader.isNamePart)
        else { return style == .readable ? .text("`\(name)`") : .pathArgument(name) }
        return .text(Keyword(word: name.utf8) == nil ? name : "#\(name)")
    }
}

extension PropertyPath.Step {
    /// Whether it stands in brackets, so that no dot goes before it.
    fileprivate var isSubscript: Bool {
        switch self {
        case .key, .index, .anyElement: true
        case .property, .collection: false
        }
    }
}
