import CairnPredicate
import CairnQuery
import CairnStorage
import Testing

/// The tables of `docs/queries.md`, row by row.
@Suite struct TruthTableTests {
    /// A row of the table: a value, what is asked of it, and the answer.
    struct Row: CustomTestStringConvertible {
        let value: ModelValue
        let text: String
        var arguments: [Literal] = []
        let answer: Bool

        init(_ value: ModelValue, _ text: String, _ arguments: Literal..., is answer: Bool) {
            self.value = value
            self.text = text
            self.arguments = arguments
            self.answer = answer
        }

        var testDescription: String { "\(value): \(text) \(arguments) is \(answer)" }
    }

    /// Asks a row of the table of a property of a kind: one without an index, with either index, of an object
    /// that is linked to, and in a list; and asks its NOT.
    private func check(_ row: Row, _ kind: ValueKind) throws {
        let store = try QueryStore()
        try store.change { session in
            try SingleProperty.make(kind, row.value, in: session)
        }
        try store.read { session in
            for table in try SingleProperty.tables(of: kind, in: session) {
                for (text, answer) in [(row.text, row.answer), ("NOT (\(row.text))", !row.answer)] {
                    let found = try session.rows(text, row.arguments, of: table)
                    #expect(!found.isEmpty == answer, "\(table) where \(text)")
                }
            }
            let linked = row.text.replacing("a ", with: "link.a ")
            #expect(try !session.rows(linked, row.arguments, of: "Linked").isEmpty == row.answer, "\(linked)")
            #expect(try !session.rows("NOT (\(linked))", row.arguments, of: "Linked").isEmpty == !row.answer)
            // A list of this one value: ANY and ALL say the same.
            for quantifier in ["ANY", "ALL"] {
                let text = row.text.replacing("a ", with: "\(quantifier) list ")
                #expect(try !session.rows(text, row.arguments, of: "Listed").isEmpty == row.answer, "\(text)")
            }
            let none = row.text.replacing("a ", with: "NONE list ")
            #expect(try !session.rows(none, row.arguments, of: "Listed").isEmpty == !row.answer, "\(none)")
            // A nil link on the way reads as nil.
            guard row.value == .null else { return }
            #expect(
                try !session.rows(linked, row.arguments, of: "Unlinked").isEmpty == row.answer, "\(linked)")
        }
    }

    // MARK: nil

    static let nilRows: [Row] = [
        Row(.null, "a == nil", is: true), Row(.null, "a != nil", is: false),
        Row(.null, "a == 1", is: false), Row(.null, "a != 1", is: true),
        Row(.null, "a > 1", is: false), Row(.null, "a >= 1", is: false), Row(.null, "a < 1", is: false),
        Row(.null, "a <= 1", is: false), Row(.null, "a > nil", is: false), Row(.null, "a >= nil", is: false),
        Row(.null, "a < nil", is: false), Row(.null, "a <= nil", is: false),
        Row(.null, "a BETWEEN {1, 2}", is: false), Row(.null, "a IN {1, 2}", is: false),
        Row(.null, "a IN {1, nil}", is: true), Row(.null, "a IN {nil}", is: true),
        Row(.null, "a IN {}", is: false), Row(.int(1), "a == nil", is: false),
        Row(.int(1), "a != nil", is: true), Row(.int(1), "a > nil", is: false),
        Row(.int(1), "a >= nil", is: false), Row(.int(1), "a < nil", is: false),
        Row(.int(1), "a <= nil", is: false), Row(.int(1), "a IN {}", is: false),
        Row(.int(1), "a IN {nil}", is: false), Row(.int(1), "a IN {1, nil}", is: true),
        Row(.int(0), "a == nil", is: false), Row(.int(0), "a IN {nil}", is: false),
    ]

    @Test(arguments: nilRows) func `nil of an integer`(_ row: Row) throws { try check(row, .int) }

    static let kinds: [(ValueKind, ModelValue)] = [
        (.bool, .bool(false)), (.int, .int(0)), (.float, .float(0)), (.double, .double(0)),
        (.date, .date(0)), (.string, .text("")), (.binary, .binary([])),
        (.objectId, .objectId(Array(repeating: 0, count: 12))),
        (.uuid, .uuid(Array(repeating: 0, count: 16))), (.decimal, .decimal(ModelDecimal(text: "0"))),
    ]

    @Test(arguments: kinds) func `nil is no value of any kind, and no value is nil`(
        _ kind: ValueKind, _ zero: ModelValue
    ) throws {
        for row in [
            Row(.null, "a == nil", is: true), Row(.null, "a != nil", is: false),
            Row(.null, "a == %@", zero.literal, is: false), Row(.null, "a != %@", zero.literal, is: true),
            Row(.null, "a IN %@", .array([zero.literal]), is: false),
            Row(.null, "a IN %@", .array([zero.literal, .null]), is: true),
            Row(.null, "a IN %@", .array([]), is: false), Row(zero, "a IN %@", .array([]), is: false),
            Row(zero, "a == nil", is: false), Row(zero, "a != nil", is: true),
            Row(zero, "a == %@", zero.literal, is: true), Row(zero, "a != %@", zero.literal, is: false),
            Row(zero, "a IN %@", .array([zero.literal]), is: true),
            Row(zero, "a IN %@", .array([.null]), is: false),
        ] { try check(row, kind) }
        guard RandomConditions.relations(kind).contains(.less) else { return }
        for relation in ["<", "<=", ">", ">="] {
            try check(Row(.null, "a \(relation) nil", is: false), kind)
            try check(Row(zero, "a \(relation) nil", is: false), kind)
            try check(Row(.null, "a \(relation) %@", zero.literal, is: false), kind)
            try check(
                Row(zero, "a \(relation) %@", zero.literal, is: relation.hasSuffix("=")), kind)
        }
    }

    // MARK: Texts

    static let textRows: [Row] = [
        Row(.null, "a BEGINSWITH 'x'", is: false), Row(.null, "a ENDSWITH 'x'", is: false),
        Row(.null, "a CONTAINS 'x'", is: false), Row(.null, "a LIKE '*'", is: false),
        Row(.null, "a BEGINSWITH ''", is: false), Row(.null, "a BEGINSWITH nil", is: false),
        Row(.text("x"), "a BEGINSWITH ''", is: false), Row(.text("x"), "a ENDSWITH ''", is: false),
        Row(.text("x"), "a CONTAINS ''", is: false), Row(.text(""), "a BEGINSWITH ''", is: false),
        Row(.text(""), "a ENDSWITH ''", is: false), Row(.text(""), "a CONTAINS ''", is: false),
        Row(.text("x"), "a BEGINSWITH[c] ''", is: false), Row(.text("x"), "a CONTAINS[cd] ''", is: false),
        Row(.text("x"), "a BEGINSWITH nil", is: false), Row(.text("x"), "a ENDSWITH nil", is: false),
        Row(.text("x"), "a CONTAINS nil", is: false), Row(.text("x"), "a LIKE nil", is: false),
        Row(.text(""), "a LIKE ''", is: true), Row(.text("x"), "a LIKE ''", is: false),
        Row(.text(""), "a LIKE '*'", is: true), Row(.text(""), "a LIKE '?'", is: false),
        Row(.text("🚀"), "a LIKE '?'", is: true), Row(.text("e\u{301}"), "a LIKE '?'", is: false),
        Row(.text("e\u{301}"), "a LIKE '??'", is: true), Row(.text("Rex"), "a LIKE 'r?X'", is: false),
        Row(.text("Rex"), "a LIKE[c] 'r?X'", is: true), Row(.text("aXbXc"), "a LIKE 'a*X?'", is: true),
        Row(.text("aXbXc"), "a LIKE 'a*X'", is: false),
        Row(.text("é"), "a == %@", .string("e\u{301}"), is: false),
        Row(.text("A"), "a == 'a'", is: false), Row(.text("A"), "a ==[c] 'a'", is: true),
        Row(.text("é"), "a ==[d] 'e'", is: true), Row(.text("É"), "a ==[d] 'e'", is: false),
        Row(.text("É"), "a ==[cd] 'e'", is: true), Row(.text("A"), "a !=[c] 'a'", is: false),
        Row(.null, "a !=[c] 'a'", is: true), Row(.null, "a ==[c] 'a'", is: false),
        Row(.text("A"), "a IN[c] {'a', 'b'}", is: true), Row(.text("A"), "a IN {'a', 'b'}", is: false),
        Row(.text("Z"), "a < 'a'", is: true), Row(.text("é"), "a > 'z'", is: true),
        Row(.text("ab"), "a > 'a'", is: true), Row(.text("a"), "a >= 'a'", is: true),
        Row(.text("a"), "a <= 'a'", is: true), Row(.text("a"), "a < 'a'", is: false),
        Row(.text("a\u{0}b"), "a == %@", .string("a"), is: false),
        Row(.text("a\u{0}b"), "a == %@", .string("a\u{0}b"), is: true),
        Row(.text("a\u{0}b"), "a CONTAINS %@", .string("\u{0}b"), is: true),
        Row(.text("go 🚀 team"), "a CONTAINS[c] '🚀 TEAM'", is: true),
        Row(.text("👨‍👩‍👧"), "a CONTAINS '👩'", is: true), Row(.text("👨‍👩‍👧"), "a CONTAINS[c] '👩'", is: true),
    ]

    @Test(arguments: textRows) func `texts`(_ row: Row) throws { try check(row, .string) }

    static let binaryRows: [Row] = [
        Row(.null, "a BEGINSWITH nil", is: false), Row(.null, "a ENDSWITH nil", is: false),
        Row(.null, "a CONTAINS nil", is: false), Row(.binary([]), "a BEGINSWITH nil", is: true),
        Row(.binary([1]), "a ENDSWITH nil", is: true), Row(.binary([1]), "a CONTAINS nil", is: true),
        Row(.binary([1]), "a CONTAINS %@", .bytes([]), is: false),
        Row(.binary([]), "a BEGINSWITH %@", .bytes([]), is: false),
        Row(.binary([]), "a LIKE %@", .bytes([]), is: true),
        Row(.binary([0xFF]), "a > %@", .bytes([0x7F]), is: true),
        Row(.binary([1, 2, 3]), "a CONTAINS %@", .bytes([2]), is: true),
        Row(.binary([1, 2, 3]), "a ENDSWITH %@", .bytes([2, 3]), is: true),
        Row(.binary([0x41]), "a ==[c] %@", .bytes([0x61]), is: true),
        Row(.binary([0xC9]), "a ==[c] %@", .bytes([0xE9]), is: false),
    ]

    @Test(arguments: binaryRows) func `binary`(_ row: Row) throws { try check(row, .binary) }

    // MARK: Folding

    static let foldedPairs: [(String, String, Bool)] = [
        ("STRASSE", "straße", true), ("straße", "STRASSE", true), ("ẞ", "ss", true), ("ΟΔΟΣ", "οδος", true),
        ("ΟΔΟΣ", "οδοσ", true), ("οδος", "ΟΔΟΣ", true), ("İ", "i\u{307}", true), ("İ", "i", false),
        ("ſ", "S", true), ("ﬁ", "FI", true), ("\u{212A}", "k", true), ("Ж", "ж", true),
        ("Éjszakai", "éJSZAKAI", true),
        ("JØSANG", "jøsang", true), ("Лиза", "лИЗА", true), ("ΣΟΦΙΑ", "σοφια", true), ("é", "e", false),
        ("I", "ı", false), ("🚀", "🚀", true), ("漢", "漢", true),
    ]

    @Test(arguments: foldedPairs) func `[c] is Unicode's full folding, whichever operator asks`(
        _ text: String, _ other: String, _ areEqual: Bool
    ) throws {
        for relation in ["==", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"] {
            // İ begins with i, whose dot is a scalar of its own.
            if text == "İ", other == "i", relation != "==", relation != "LIKE" { continue }
            try check(Row(.text(text), "a \(relation)[c] %@", .string(other), is: areEqual), .string)
        }
        try check(Row(.text(text), "a IN[c] %@", .array([.string(other)]), is: areEqual), .string)
    }

    @Test func `a letter with a dot of its own begins with the letter`() throws {
        try check(Row(.text("İstanbul"), "a BEGINSWITH[c] 'i'", is: true), .string)
        try check(Row(.text("x"), "a CONTAINS[c] 'ﬁﬁﬁ'", is: false), .string)
    }

    // MARK: Numbers

    private static let big = Int64(1) << 53 + 1

    static let intRows: [Row] = [
        Row(.int(2), "a > 2.5", is: false), Row(.int(3), "a > 2.5", is: true),
        Row(.int(2), "a < 2.5", is: true),
        Row(.int(-2), "a > -2.5", is: true), Row(.int(-3), "a < -2.5", is: true),
        Row(.int(2), "a == 2.0", is: true),
        Row(.int(2), "a == 2.5", is: false), Row(.int(2), "a != 2.5", is: true),
        Row(.int(2), "a >= 2.0", is: true), Row(.int(2), "a <= 2.0", is: true),
        Row(.int(big), "a == %@", .double(0x1p53), is: false),
        Row(.int(big), "a > %@", .double(0x1p53), is: true),
        Row(.int(.max), "a < %@", .double(0x1p63), is: true),
        Row(.int(.max), "a == %@", .double(0x1p63), is: false),
        Row(.int(.min), "a == %@", .double(-0x1p63), is: true),
        Row(.int(.min), "a < %@", .int(.min), is: false),
        Row(.int(.min), "a <= %@", .int(.min), is: true), Row(.int(.max), "a > %@", .int(.max), is: false),
        Row(.int(.max), "a >= %@", .int(.max), is: true),
        Row(.int(.max), "a < %@", .double(.infinity), is: true),
        Row(.int(.min), "a > %@", .double(-.infinity), is: true),
        Row(.int(0), "a == %@", .double(-0.0), is: true),
        Row(.int(0), "a == %@", .double(.nan), is: false), Row(.int(0), "a != %@", .double(.nan), is: true),
        Row(.int(0), "a < %@", .double(.nan), is: false), Row(.int(0), "a >= %@", .double(.nan), is: false),
        Row(.int(0), "a IN %@", .array([.double(.nan)]), is: false),
        Row(.int(2), "a IN {2.0, 2.5}", is: true), Row(.int(2), "a IN {2.5}", is: false),
        Row(.int(20), "a BETWEEN {20, 60}", is: true), Row(.int(60), "a BETWEEN {20, 60}", is: true),
        Row(.int(19), "a BETWEEN {20, 60}", is: false), Row(.int(61), "a BETWEEN {20, 60}", is: false),
        Row(.int(40), "a BETWEEN {60, 20}", is: false), Row(.int(3), "a BETWEEN {2.5, 3.5}", is: true),
        Row(.int(3), "a BETWEEN %@", .array([.double(.nan), .int(5)]), is: false),
    ]

    @Test(arguments: intRows) func `integers`(_ row: Row) throws { try check(row, .int) }

    static let doubleRows: [Row] = [
        Row(.double(.nan), "a == %@", .double(.nan), is: false),
        Row(.double(.nan), "a != %@", .double(.nan), is: true),
        Row(.double(.nan), "a < 1", is: false), Row(.double(.nan), "a >= 1", is: false),
        Row(.double(.nan), "a != 1", is: true), Row(.double(.nan), "a == nil", is: false),
        Row(.double(.nan), "a IN %@", .array([.double(.nan)]), is: false),
        Row(.double(.nan), "a BETWEEN %@", .array([.double(-.infinity), .double(.infinity)]), is: false),
        Row(.double(1), "a != %@", .double(.nan), is: true), Row(.double(-0.0), "a == 0", is: true),
        Row(.double(0.0), "a == %@", .double(-0.0), is: true), Row(.double(-0.0), "a IN {0}", is: true),
        Row(.double(-0.0), "a < 0", is: false), Row(.double(-0.0), "a BETWEEN {0, 1}", is: true),
        Row(.double(.infinity), "a > 1e308", is: true),
        Row(.double(.infinity), "a == %@", .double(.infinity), is: true),
        Row(.double(0x1p53), "a == %@", .int(big), is: false),
        Row(.double(0x1p53), "a < %@", .int(big), is: true),
        Row(.double(0x1p63), "a > %@", .int(.max), is: true),
        Row(.double(0.1), "a == %@", .float(0.1), is: false),
        Row(.double(2.2), "a < 2.5", is: true), Row(.double(2.7), "a < 2.5", is: false),
        Row(.double(1.5), "a == %@", ModelValue.decimal(ModelDecimal(text: "1.5")).literal, is: true),
        Row(.double(0.1), "a == %@", ModelValue.decimal(ModelDecimal(text: "0.1")).literal, is: true),
        Row(
            .double(0.1), "a == %@", ModelValue.decimal(ModelDecimal(text: "0.10000000000000001")).literal,
            is: false),
        Row(
            .double(.infinity), "a == %@", ModelValue.decimal(ModelDecimal(text: "1e400")).literal, is: false),
        Row(.double(.infinity), "a > %@", ModelValue.decimal(ModelDecimal(text: "1e400")).literal, is: true),
        Row(.double(1e308), "a < %@", ModelValue.decimal(ModelDecimal(text: "1e400")).literal, is: true),
    ]

    @Test(arguments: doubleRows) func `doubles`(_ row: Row) throws { try check(row, .double) }

    static let floatRows: [Row] = [
        Row(.float(0.1), "a == 0.1", is: true), Row(.float(0.1), "a <= 0.1", is: true),
        Row(.float(0.1), "a > 0.1", is: false), Row(.float(0.1), "a IN {0.1}", is: true),
        Row(.float(0.1), "a BETWEEN {0.1, 0.2}", is: true), Row(.float(2.2), "a < 2.5", is: true),
        Row(.float(.nan), "a == %@", .float(.nan), is: false), Row(.float(.nan), "a != 1", is: true),
        Row(.float(.nan), "a <= 1", is: false), Row(.float(-0.0), "a == 0", is: true),
        Row(.float(-0.0), "a IN {0}", is: true),
        Row(.float(0.0), "a IN %@", .array([.double(-0.0)]), is: true),
        Row(.float(16_777_216), "a == 16777217", is: true),
    ]

    @Test(arguments: floatRows) func `floats`(_ row: Row) throws { try check(row, .float) }

    static let dateRows: [Row] = [
        Row(.date(-2e9), "a < %@", .date(0), is: true),
        Row(.date(0), "a BETWEEN %@", .array([.date(0), .date(1)]), is: true),
        Row(.date(1), "a BETWEEN %@", .array([.date(0), .date(1)]), is: true),
        Row(.date(-0.0), "a == %@", .date(0), is: true),
        Row(.date(-0.0), "a IN %@", .array([.date(0)]), is: true),
        Row(.date(0), "a IN %@", .array([.date(-0.0)]), is: true),
        Row(.date(.nan), "a == %@", .date(.nan), is: false),
        Row(.date(.nan), "a != %@", .date(.nan), is: true),
        Row(.date(.nan), "a IN %@", .array([.date(.nan)]), is: false),
    ]

    @Test(arguments: dateRows) func `dates`(_ row: Row) throws { try check(row, .date) }

    private static func decimal(_ text: String) -> ModelValue { .decimal(ModelDecimal(text: text)) }

    static let decimalRows: [Row] = [
        Row(decimal("1.5"), "a == 1.5", is: true),
        Row(decimal("1.50"), "a == %@", decimal("1.5").literal, is: true),
        Row(decimal("1.50"), "a IN {1.5}", is: true), Row(decimal("1.5"), "a > 1", is: true),
        Row(decimal("0.1"), "a == 0.1", is: true), Row(decimal("-0"), "a == 0", is: true),
        Row(.decimal(.nan), "a == %@", ModelValue.decimal(.nan).literal, is: false),
        Row(.decimal(.nan), "a != %@", ModelValue.decimal(.nan).literal, is: true),
        Row(.decimal(.nan), "a != 1", is: true), Row(.decimal(.nan), "a < 1", is: false),
        Row(.decimal(.nan), "a >= 1", is: false),
        Row(.decimal(.nan), "a IN %@", .array([ModelValue.decimal(.nan).literal]), is: false),
        Row(decimal("1"), "a == %@", ModelValue.decimal(.nan).literal, is: false),
        Row(decimal("1"), "a < %@", ModelValue.decimal(.nan).literal, is: false),
        Row(decimal("1"), "a BETWEEN %@", .array([ModelValue.decimal(.nan).literal, .int(2)]), is: false),
        Row(.decimal(.infinity(isNegative: false)), "a > %@", decimal("1e6000").literal, is: true),
        Row(.decimal(.infinity(isNegative: false)), "a == %@", .double(.infinity), is: true),
        Row(decimal("9007199254740993"), "a == 9007199254740993", is: true),
        Row(decimal("9007199254740993"), "a == %@", .double(0x1p53), is: false),
    ]

    @Test(arguments: decimalRows) func `decimals`(_ row: Row) throws { try check(row, .decimal) }

    @Test func `a bool equals the numbers 0 and 1`() throws {
        try check(Row(.bool(true), "a == TRUE", is: true), .bool)
        try check(Row(.bool(true), "a == 1", is: true), .bool)
        try check(Row(.bool(false), "a == 0", is: true), .bool)
        try check(Row(.bool(false), "a IN {TRUE, FALSE}", is: true), .bool)
        try check(Row(.null, "a IN {TRUE, FALSE}", is: false), .bool)
    }
}
