import Cairn
import Foundation
import TestSupport

/// What random questions are asked of: few different values, nil among them, plain and indexed.
final class RandomRow: Object {
    @Persisted var place: Int
    @Persisted var int: Int?
    @Persisted(indexed: true) var indexedInt: Int?
    @Persisted var double: Double?
    @Persisted var text: String?
    @Persisted(indexed: true) var indexedText: String?
    @Persisted(indexed: true) var date: Date
    @Persisted var decimal: Decimal128?
    @Persisted(indexed: true) var flag: Bool
    @Persisted var link: RandomRow?
    @Persisted var rows: List<RandomRow>
    @Persisted var ints: List<Int>
    @Persisted(originProperty: "link") var linking: LinkingObjects<RandomRow>

    static let texts = [
        "", "a", "A", "ab", "aB", "b", "longer than twelve bytes", "Longer than twelve bytes",
    ]

    func change(among rows: Results<RandomRow>, _ random: inout SeededGenerator) {
        func number() -> Int? { random.oneIn(5) ? nil : Int.random(in: -2...4, using: &random) }
        func word() -> String? { random.oneIn(6) ? nil : Self.texts.randomElement(using: &random) }
        int = number()
        indexedInt = number()
        double = number().map { Double($0) / 2 }
        text = word()
        indexedText = word()
        date = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<4, using: &random)))
        decimal = number().map { Decimal128(value: $0) }
        flag = Bool.random(using: &random)
        link = random.oneIn(3) ? nil : rows.randomElement(using: &random)
        self.rows.removeAll()
        ints.removeAll()
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            if let row = rows.randomElement(using: &random) { self.rows.append(row) }
            ints.append(Int.random(in: -2...4, using: &random))
        }
    }
}
