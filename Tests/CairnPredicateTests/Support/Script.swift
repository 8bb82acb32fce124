import CairnPredicate
import Foundation

/// A text file of predicates, each with what comes of it.
///
///     # A comment, which is kept.
///     > name == %@ AND
///     > age > 3
///     with 'Rex'
///     (and (equal self.name "Rex") (greater self.age 3))
///
/// What is parsed follows `> `; `with` lists the arguments, where `date(5)`, `float(1.5)` and the like
/// make the kinds that have no literal. The rest up to an empty line is what must come of it: the tree's
/// outline, or the error's message. With `CAIRN_UPDATE_SCRIPTS=1` it is written anew.
struct Script {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scripts")
    static let isUpdating = ProcessInfo.processInfo.environment["CAIRN_UPDATE_SCRIPTS"] != nil

    static var names: [String] {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (files ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }

    let url: URL
    var entries: [Entry]

    init(named name: String) throws {
        url = Self.folder.appending(path: name)
        let text = try String(contentsOf: url, encoding: .utf8)
        entries = text.components(separatedBy: "\n\n").map(Entry.init)
    }

    static func all() throws -> [Script] { try names.map(Script.init(named:)) }

    func save() throws {
        let text = entries.map(\.description).joined(separator: "\n\n") + "\n"
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    /// One predicate, or nothing but a comment.
    struct Entry: CustomStringConvertible {
        var comments: [String] = []
        var input: [String] = []
        var arguments: String?
        var expected: [String] = []

        init(_ block: String) {
            for line in block.split(separator: "\n").map(String.init) {
                if line.hasPrefix("#") {
                    comments.append(line)
                } else if line.hasPrefix(">") {
                    input.append(String(line.dropFirst(2)))
                } else if line.hasPrefix("with ") {
                    arguments = String(line.dropFirst(5))
                } else {
                    expected.append(line)
                }
            }
        }

        var text: String { input.joined(separator: "\n") }
        var isPredicate: Bool { !input.isEmpty }

        var description: String {
            let inputLines = input.map { $0.isEmpty ? ">" : "> \($0)" }
            return (comments + inputLines + (arguments.map { ["with \($0)"] } ?? []) + expected)
                .joined(separator: "\n")
        }

        /// What the `with` line says.
        func literals() throws -> [Literal] {
            guard let arguments else { return [] }
            let holder = try PredicateParser.parse("SELF IN {\(arguments)}")
            guard case .comparison(let comparison) = holder else { throw ScriptFault.arguments(arguments) }
            switch comparison.right {
            case .literal(.array(let literals)): return literals
            case .aggregate(let operands): return try operands.map(Self.literal)
            default: throw ScriptFault.arguments(arguments)
            }
        }

        private static func literal(_ operand: Operand) throws -> Literal {
            if case .literal(let literal) = operand { return literal }
            guard case .path(let path) = operand, case .call(let call) = path.root else {
                throw ScriptFault.arguments("\(operand)")
            }
            let values = call.arguments.compactMap(\.literal)
            switch (call.name, values.first, values.dropFirst().first) {
            case ("float", .double(let value), nil): return .float(Float(value))
            case ("date", .double(let value), nil): return .date(value)
            case ("object", .int(let value), nil): return .object(UInt64(value))
            case ("bytes", .string(let value), nil): return .bytes(Array(value.utf8))
            case ("objectID", .int(let high), .int(let low)):
                return .objectID(high: UInt64(high), low: UInt32(low))
            case ("uuid", .int(let high), .int(let low)):
                return .uuid(high: UInt64(high), low: UInt64(low))
            case ("decimal", .int(let high), .int(let low)):
                return .decimal(high: UInt64(high), low: UInt64(low))
            default: throw ScriptFault.arguments(call.name)
            }
        }

        /// What comes of it.
        func outcome() throws -> String {
            do {
                return TreeOutline.of(try PredicateParser.parse(text, try literals()))
            } catch let error as ParsingError {
                return ErrorSentence(error, in: text).description
            }
        }
    }

    enum ScriptFault: Error {
        case arguments(String)
    }
}
