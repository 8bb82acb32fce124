/// Writes trees as text, left to right, without recursion: what is still to be written lies on a stack.
struct PredicatePrinter {
    enum Style {
        /// Values that the grammar has no literal for become arguments.
        case parsable
        /// They are described in place.
        case readable
        /// All values become arguments, and parentheses are around everything.
        case templated
    }

    /// Something to be written.
    enum Piece {
        case text(String)
        case condition(Condition)
        /// A condition that needs parentheses where it binds no tighter than its surroundings.
        case part(Condition)
        case operand(Operand)
        /// An operand of arithmetic, which gets parentheses unless it is one word.
        case factor(Operand)
        case path(PropertyPath)
        case literal(Literal)
        /// A name that is handed over as an argument.
        case pathArgument(String)
    }

    let style: Style
    var text = ""
    var arguments: [Literal] = []
    /// The last one is written first.
    private var pieces: [Piece] = []

    init(style: Style) { self.style = style }

    mutating func print(_ condition: Condition) {
        schedule([.condition(condition)])
        while let piece = pieces.popLast() {
            switch piece {
            case .text(let words): text += words
            case .condition(let condition): schedule(pieces(of: condition))
            case .part(let condition): schedule(pieces(ofPart: condition))
            case .operand(let operand): schedule(Self.pieces(of: operand))
            case .factor(let operand): schedule(Self.pieces(ofFactor: operand))
            case .path(let path): schedule(pieces(of: path))
            case .literal(let literal): write(literal)
            case .pathArgument(let name):
                text += "%K"
                arguments.append(.string(name))
            }
        }
    }

    /// Puts pieces before what is still to be written.
    mutating func schedule(_ next: [Piece]) {
        pieces.append(contentsOf: next.reversed())
    }

    private func pieces(of condition: Condition) -> [Piece] {
        switch condition {
        case .constant(true): [.text("TRUEPREDICATE")]
        case .constant(false): [.text("FALSEPREDICATE")]
        case .comparison(let comparison) where style == .templated:
            [.text("(")] + Self.pieces(of: comparison) + [.text(")")]
        case .comparison(let comparison): Self.pieces(of: comparison)
        case .not(let part): [.text("NOT "), .part(part)]
        case .and(let parts) where style == .templated:
            [.text("(")] + Self.separated(parts.map { .condition($0) }, by: " && ") + [.text(")")]
        case .or(let parts) where style == .templated:
            [.text("(")] + Self.separated(parts.map { .condition($0) }, by: " || ") + [.text(")")]
        case .and(let parts): Self.separated(parts.map { .part($0) }, by: " AND ")
        case .or(let parts): Self.separated(parts.map { .part($0) }, by: " OR ")
        }
    }

    private func pieces(ofPart condition: Condition) -> [Piece] {
        switch condition {
        case .and where style == .templated, .or where style == .templated: [.condition(condition)]
        case .and, .or: [.text("("), .condition(condition), .text(")")]
        case .constant, .comparison, .not: [.condition(condition)]
        }
    }

    private static func pieces(of comparison: Comparison) -> [Piece] {
        var pieces: [Piece] = []
        if let quantifier = comparison.quantifier { pieces.append(.text("\(quantifier.rawValue) ")) }
        pieces.append(.operand(comparison.left))
        pieces.append(.text(" \(comparison.relation.rawValue)\(comparison.options.brackets) "))
        if comparison.relation == .between, case .literal(.array(let bounds)) = comparison.right {
            // Two values in either style, not one that is an array.
            pieces += list(bounds.map { .literal($0) }, "{", "}")
        } else {
            pieces.append(.operand(comparison.right))
        }
        return pieces
    }

    private static func pieces(of operand: Operand) -> [Piece] {
        switch operand {
        case .literal(let literal): [.literal(literal)]
        case .path(let path): [.path(path)]
        case .aggregate(let operands): list(operands.map { .operand($0) }, "{", "}")
        // Without parentheses: two for each level would go beyond the limit of the parser.
        case .negation(.negation(let operand)): [.text("-"), .operand(.negation(operand))]
        case .negation(let operand): [.text("-"), .factor(operand)]
        case .arithmetic(let left, let symbol, let right):
            [.factor(left), .text(" \(symbol.rawValue) "), .factor(right)]
        }
    }

    private static func pieces(ofFactor operand: Operand) -> [Piece] {
        switch operand {
        case .path, .aggregate: [.operand(operand)]
        case .literal, .negation, .arithmetic: [.text("("), .operand(operand), .text(")")]
        }
    }

    /// The pieces with brackets around them and commas between them.
    static func list(_ pieces: [Piece], _ opening: String, _ closing: String) -> [Piece] {
        [.text(opening)] + separated(pieces, by: ", ") + [.text(closing)]
    }

    private static func separated(_ pieces: [Piece], by separator: String) -> [Piece] {
        Array(pieces.map { [$0] }.joined(separator: [.text(separator)]))
    }
}

extension Comparison.Options {
    /// As they are written after an operator.
    package var brackets: String {
        let letters = (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}
