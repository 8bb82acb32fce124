import CairnPredicate
import CairnQuery
import CairnStorage
import Foundation

/// A text file of queries, each with its plan and the number of rows that it finds, or with why it is refused.
///
///     table Dog 1000
///     name string? ordered mod 50
///     owner link Person
///
///     # A comment, which is kept.
///     in Dog
///     > name BEGINSWITH 'text 1'
///     sort name, -owner.age
///     limit 0 10
///     find rows of Dog by the index of …
///     = 10 rows
///
/// A block that begins with `table` makes a class with so many rows: a value of row i comes of i modulo the
/// number behind `mod`; a list has as many elements, from the i-th on. Then come the steps of a query, a line
/// each: `in`, `list`, `>`, `sort`, `distinct`, `limit`. What is left of the block is what must come of it. With
/// `CAIRN_UPDATE_SCRIPTS=1` it is written anew.
struct QueryScript {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scripts")
    static let isUpdating = ProcessInfo.processInfo.environment["CAIRN_UPDATE_SCRIPTS"] != nil

    static var names: [String] {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (files ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }

    let url: URL
    var blocks: [Block]

    init(named name: String) throws {
        url = Self.folder.appending(path: name)
        blocks = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n\n").map(Block.init)
    }

    func save() throws {
        let text = blocks.map(\.description).joined(separator: "\n\n") + "\n"
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    /// The tables, as a model.
    var model: Model {
        var model = Model(tables: [])
        let tables = blocks.filter(\.isTable)
        let names = tables.map { $0.lines[0].split(separator: " ").map(String.init)[1] }
        for (number, block) in tables.enumerated() {
            let columns = block.lines.dropFirst().map { ScriptColumn($0, names) }
            let count = Int(block.lines[0].split(separator: " ")[2]) ?? 0
            let counts = tables.map { Int($0.lines[0].split(separator: " ")[2]) ?? 0 }
            let rows = (0..<count).map { row in
                ModelRow(key: UInt64(row), cells: columns.map { $0.cell(row, counts) })
            }
            model.tables.append(
                ModelTable(name: names[number], properties: columns.map(\.property), rows: rows))
        }
        return model
    }

    struct Block: CustomStringConvertible {
        var lines: [String]
        private static let steps = ["in ", "list ", "> ", "sort ", "distinct ", "limit "]

        init(_ text: String) { lines = text.split(separator: "\n").map(String.init) }

        var isTable: Bool { lines.first?.hasPrefix("table ") == true }
        var isQuery: Bool { lines.contains { $0.hasPrefix("in ") } }

        private var inputCount: Int {
            lines.firstIndex { line in
                !line.hasPrefix("#") && !Self.steps.contains { line.hasPrefix($0) }
            } ?? lines.count
        }

        var steps: [String] { lines.prefix(inputCount).filter { !$0.hasPrefix("#") } }

        var expected: String {
            get { lines.dropFirst(inputCount).joined(separator: "\n") }
            set { lines = lines.prefix(inputCount) + newValue.components(separatedBy: "\n") }
        }

        var description: String { lines.joined(separator: "\n") }
    }
}

/// A line of a script that makes a column.
struct ScriptColumn {
    let property: ModelProperty
    private let modulus: Int

    init(_ line: String, _ tables: [String]) {
        let words = line.split(separator: " ").map(String.init)
        var kindName = words[1]
        let isNullable = kindName.hasSuffix("?")
        if isNullable { kindName.removeLast() }
        guard let kind = ValueKind.allCases.first(where: { "\($0)" == kindName }) else {
            preconditionFailure("there is no kind of values \(kindName)")
        }
        var target: Int?
        for word in words where tables.contains(word) { target = tables.firstIndex(of: word) }
        property = ModelProperty(
            name: words[0], kind: kind, isList: words.contains("list"), isNullable: isNullable,
            target: target,
            index: words.contains("hash") ? .hash : words.contains("ordered") ? .ordered : nil)
        modulus = words.firstIndex(of: "mod").flatMap { Int(words[$0 + 1]) } ?? .max
    }

    func cell(_ row: Int, _ counts: [Int]) -> ModelRow.Cell {
        guard property.isList else { return .value(value(row % modulus, counts)) }
        return .list((0..<(row % min(modulus, 3))).map { value(row + $0, counts) })
    }

    private func value(_ number: Int, _ counts: [Int]) -> ModelValue {
        if property.isNullable, number == 0 { return .null }
        switch property.kind {
        case .bool: return .bool(number % 2 == 1)
        case .int: return .int(Int64(number))
        case .float: return .float(Float(number))
        case .double: return .double(Double(number))
        case .date: return .date(Double(number))
        case .string: return .text("text \(number)")
        case .binary: return .binary(Array("\(number)".utf8))
        case .objectId: return .objectId(Array(repeating: UInt8(number % 256), count: 12))
        case .uuid: return .uuid(Array(repeating: UInt8(number % 256), count: 16))
        case .decimal: return .decimal(ModelDecimal(text: "\(number)"))
        case .link:
            let count = property.target.map { counts[$0] } ?? 0
            return count == 0 || (number == 0 && !property.isList) ? .null : .object(UInt64(number % count))
        case .backlinks: preconditionFailure("backlinks come of links")
        }
    }
}
