import Cairn
import Foundation
import TestSupport

/// A condition in three forms that should say the same.
struct RandomQuestion {
    let text: String
    let arguments: [Any]
    /// nil for what only text can say.
    let query: ((Query<RandomRow>) -> Query<Bool>)?
    let holds: (RandomRow) -> Bool

    init(
        _ text: String, _ arguments: [Any] = [], _ query: ((Query<RandomRow>) -> Query<Bool>)? = nil,
        holds: @escaping (RandomRow) -> Bool
    ) {
        self.text = text
        self.arguments = arguments
        self.query = query
        self.holds = holds
    }

    /// For messages.
    var words: String {
        "\(text) \(arguments.map { ($0 as? RandomRow).map { "row \($0.place)" } ?? "\($0)" })"
    }

    var predicate: NSPredicate { NSPredicate(format: text, argumentArray: arguments) }

    enum Relation: String, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// Two-valued: nil is in no order, and unequal to everything else.
        func holds<Value: Comparable>(_ left: Value?, _ right: Value?) -> Bool {
            switch self {
            case .equal: return left == right
            case .notEqual: return left != right
            default:
                guard let left, let right else { return false }
                switch self {
                case .less: return left < right
                case .lessOrEqual: return left <= right
                case .greater: return left > right
                default: return left >= right
                }
            }
        }

        func query(_ property: Query<Int?>, _ value: Int?) -> Query<Bool> {
            switch self {
            case .equal: property == value
            case .notEqual: property != value
            case .less: property < (value ?? 0)
            case .lessOrEqual: property <= (value ?? 0)
            case .greater: property > (value ?? 0)
            case .greaterOrEqual: property >= (value ?? 0)
            }
        }
    }

    static func make(_ random: inout SeededGenerator, among rows: Results<RandomRow>, depth: Int) -> Self {
        guard depth > 0, !random.oneIn(3) else { return part(&random, among: rows) }
        let left = make(&random, among: rows, depth: depth - 1)
        let right = make(&random, among: rows, depth: depth - 1)
        let arguments = left.arguments + right.arguments
        func joined(_ join: @escaping (Query<Bool>, Query<Bool>) -> Query<Bool>) -> (
            (Query<RandomRow>) -> Query<Bool>
        )? {
            guard let first = left.query, let second = right.query else { return nil }
            return { join(first($0), second($0)) }
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return RandomQuestion("(\(left.text)) AND (\(right.text))", arguments, joined { $0 && $1 }) {
                left.holds($0) && right.holds($0)
            }
        case 1:
            return RandomQuestion("(\(left.text)) OR (\(right.text))", arguments, joined { $0 || $1 }) {
                left.holds($0) || right.holds($0)
            }
        default:
            let query = left.query.map { query in { (row: Query<RandomRow>) in !query(row) } }
            return RandomQuestion("NOT (\(left.text))", left.arguments, query) { !left.holds($0) }
        }
    }

    private static func part(_ random: inout SeededGenerator, among rows: Results<RandomRow>) -> Self {
        let relation = Relation.allCases.randomElement(using: &random) ?? .equal
        let sign = relation.rawValue
        let number = Int.random(in: -2...4, using: &random)
        let isOrdering = relation != .equal && relation != .notEqual
        let value = !isOrdering && random.oneIn(4) ? nil : number
        let argument: Any = value ?? NSNull()
        let word = RandomRow.texts.randomElement(using: &random) ?? ""
        let other = Int.random(in: -2...4, using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0:
            return RandomQuestion("int \(sign) %@", [argument], { relation.query($0.int, value) }) {
                relation.holds($0.int, value)
            }
        case 1:
            return RandomQuestion(
                "indexedInt \(sign) %@", [argument], { relation.query($0.indexedInt, value) }
            ) { relation.holds($0.indexedInt, value) }
        case 2:
            return RandomQuestion("link.int \(sign) %@", [argument], { relation.query($0.link.int, value) }) {
                relation.holds($0.link?.int, value)
            }
        case 3:
            return RandomQuestion(
                "link.link.indexedInt \(sign) %@", [argument],
                { relation.query($0.link.link.indexedInt, value) }
            ) { relation.holds($0.link?.link?.indexedInt, value) }
        case 4:
            return RandomQuestion("double \(sign) %@", [Double(number) / 2]) {
                relation.holds($0.double, Double(number) / 2)
            }
        case 5:
            return RandomQuestion("indexedInt \(sign) %@", [Double(number) + 0.5]) {
                relation.holds($0.indexedInt.map(Double.init), Double(number) + 0.5)
            }
        case 6: return text("text", { $0.text }, { $0.text }, word, &random)
        case 7: return text("indexedText", { $0.indexedText }, { $0.indexedText }, word, &random)
        case 8:
            return text("link.indexedText", { $0.link.indexedText }, { $0.link?.indexedText }, word, &random)
        case 9:
            return RandomQuestion(
                "indexedInt IN %@", [[number, other]], { $0.indexedInt.in([number, other]) }
            ) { row in row.indexedInt.map { $0 == number || $0 == other } ?? false }
        case 10:
            return RandomQuestion("text IN %@", [[word, "b", nil] as [String?]]) {
                $0.text == nil || $0.text == word || $0.text == "b"
            }
        case 11:
            return RandomQuestion("indexedInt BETWEEN {%@, %@}", [number, other]) { row in
                row.indexedInt.map { number <= $0 && $0 <= other } ?? false
            }
        case 12:
            return RandomQuestion("ANY ints \(sign) %@", [number]) { row in
                row.ints.contains { relation.holds($0, number) }
            }
        case 13:
            return RandomQuestion("ALL rows.int \(sign) %@", [argument]) { row in
                row.rows.allSatisfy { relation.holds($0.int, value) }
            }
        case 14:
            return RandomQuestion("ANY rows.link.indexedInt \(sign) %@", [argument]) { row in
                row.rows.contains { relation.holds($0.link?.indexedInt, value) }
            }
        case 15:
            return RandomQuestion("NONE rows.indexedText == %@", [word]) { row in
                !row.rows.contains { $0.indexedText == word }
            }
        case 16:
            return RandomQuestion("rows.@count \(sign) %@", [number]) {
                relation.holds($0.rows.count, number)
            }
        case 17:
            return RandomQuestion("ints.@sum \(sign) %@ AND rows.@max.int != nil", [number]) {
                relation.holds($0.ints.reduce(0, +), number) && $0.rows.compactMap(\.int).max() != nil
            }
        case 18:
            return RandomQuestion(
                "SUBQUERY(rows, $r, $r.int \(sign) %@ AND $r.indexedText != %@).@count == 1",
                [argument, word]
            ) { row in row.rows.filter { relation.holds($0.int, value) && $0.indexedText != word }.count == 1
            }
        case 19: return RandomQuestion("int \(sign) indexedInt") { relation.holds($0.int, $0.indexedInt) }
        case 20: return RandomQuestion("int \(sign) link.int") { relation.holds($0.int, $0.link?.int) }
        case 21:
            let row = random.oneIn(3) ? nil : rows.randomElement(using: &random)
            let place = row?.place
            return RandomQuestion("link == %@", [row ?? NSNull()], { $0.link == row }) {
                $0.link?.place == place
            }
        case 22:
            return RandomQuestion("ANY linking.indexedInt \(sign) %@", [argument]) { row in
                row.linking.contains { relation.holds($0.indexedInt, value) }
            }
        default:
            let date = Date(timeIntervalSinceReferenceDate: Double(number))
            return RandomQuestion("date \(sign) %@ OR flag == TRUE", [date]) {
                relation.holds($0.date, date) || $0.flag
            }
        }
    }

    private static func text(
        _ name: String, _ property: @escaping (Query<RandomRow>) -> Query<String?>,
        _ value: @escaping (RandomRow) -> String?, _ word: String, _ random: inout SeededGenerator
    ) -> Self {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            return RandomQuestion("\(name) BEGINSWITH %@", [word], { property($0).starts(with: word) }) {
                !word.isEmpty && value($0)?.hasPrefix(word) == true
            }
        case 1:
            return RandomQuestion(
                "\(name) CONTAINS[c] %@", [word], { property($0).contains(word, options: .caseInsensitive) }
            ) { !word.isEmpty && value($0)?.lowercased().contains(word.lowercased()) == true }
        case 2:
            return RandomQuestion(
                "\(name) ==[c] %@", [word], { property($0).equals(word, options: .caseInsensitive) }
            ) { value($0)?.lowercased() == word.lowercased() }
        case 3:
            return RandomQuestion("\(name) > %@", [word]) { Relation.greater.holds(value($0), word) }
        case 4: return RandomQuestion("\(name) != %@", [word], { property($0) != word }) { value($0) != word }
        default:
            return RandomQuestion("\(name) == %@", [word], { property($0) == word }) { value($0) == word }
        }
    }
}
