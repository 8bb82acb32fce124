import Cairn
import Foundation
import TestSupport
import Testing

/// What went wrong with texts in other databases, asked of this one.
@Suite struct StringCaseTests {
    @Test func `[c] knows letters beyond Latin`() throws {
        try CaseRows<String?>.everywhere(["Éjszakai", "JØSANG", "Лиза", "ΣΟΦΙΑ", nil]) { rows in
            for (place, text) in ["éj", "jøs", "лиз", "σοφ"].enumerated() {
                try rows.expect("§ CONTAINS[c] %@", text, finds: [place])
                try rows.expect("§ BEGINSWITH[c] %@", text, finds: [place])
                try rows.expect("§ LIKE[c] %@", text + "*", finds: [place])
                try rows.expect("§ CONTAINS %@", text, finds: [])
            }
            try rows.expect("§ ==[c] 'josang'", finds: [])
            try rows.expect("§ ==[c] 'jøsang'", finds: [1])
            try rows.expect("§ IN[c] {'ЛИЗА', 'σοφια'}", finds: [2, 3])
            try rows.expect("§ CONTAINS[cd] 'ej'", finds: [0])
        }
    }

    @Test func `emoji are found, whole and by one scalar`() throws {
        let family = "👩‍👩‍👧‍👦"
        try CaseRows<String?>.everywhere(["go 🚀 team", "🇩🇪🇫🇷", family, "👍🏽"]) { rows in
            try rows.expect("§ CONTAINS[c] %@", "🚀 TEAM", finds: [0])
            try rows.expect("§ CONTAINS %@", "🚀", finds: [0])
            try rows.expect("§ BEGINSWITH[c] %@", "🇩🇪", finds: [1])
            try rows.expect("§ ENDSWITH %@", "🇫🇷", finds: [1])
            try rows.expect("§ ==[c] %@", family, finds: [2])
            // By bytes, where Swift goes by characters: one of the family, and the thumb without its skin.
            try rows.expect("§ CONTAINS %@", "👧", finds: [2])
            try rows.expect("§ BEGINSWITH[c] %@", "👍", finds: [3])
            // E and F of two flags are no flag, but bytes that are there.
            try rows.expect("§ CONTAINS[c] %@", "🇪🇫", finds: [1])
            try rows.expect("§ LIKE %@", "??", finds: [3])
            try rows.expect("§ LIKE[c] %@", "????", finds: [1])
            try rows.expect("§ LIKE %@", "*👧*", finds: [2])
        }
    }

    @Test func `quotes and format characters are text`() throws {
        let texts = ["a\"b'c\\ %@ $0 {1}", "%@", "'; TRUEPREDICATE", "\\", "\n\t\r", "%%d%K", "'", "\0"]
        try CaseRows<String?>.everywhere(texts) { rows in
            for (place, text) in texts.enumerated() {
                try rows.expect("§ == %@", text, finds: [place])
                try rows.expect("§ ==[c] %@", text, finds: [place])
                try rows.expect("§ IN %@", [text], finds: [place])
                let found = rows.realm.objects(CaseRow.self).where { $0.indexed == text }
                #expect(found.map(\.place) == [place])
                // As text the argument is a literal with signs of escape, and gives the same.
                let predicate = NSPredicate(format: "plain == %@", text)
                let parts = NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, predicate])
                #expect(rows.realm.objects(CaseRow.self).filter(parts).map(\.place) == [place])
            }
            try rows.expect("§ CONTAINS %@", "%@", finds: [0, 1])
        }
        let (format, arguments) = Query<CaseRow>._constructForTesting().plain.equals(texts[0])
            ._constructPredicate()
        #expect(format.contains("%@"))
        #expect(arguments.first as? String == texts[0])
    }

    @Test func `texts sort by their bytes everywhere`() throws {
        let texts = ["b", "A", "a", "B", "é", "z", "Z", "~"]
        let sorted = ["A", "B", "Z", "a", "b", "z", "~", "é"]
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        let list = CaseRow()
        list.place = -1
        list.texts.append(objectsIn: texts.map { $0 })
        try realm.write {
            realm.add(list)
            for text in texts + texts {
                let row = realm.create(CaseRow.self)
                (row.plain, row.indexed) = (text, text)
            }
        }
        let rows = realm.objects(CaseRow.self).filter("place == 0")
        for property in ["plain", "indexed"] {
            let once = rows.distinct(by: [property])
            #expect(once.sorted(byKeyPath: property).map { $0.plain ?? "" } == sorted)
            #expect(
                once.sorted(byKeyPath: property, ascending: false).map { $0.plain ?? "" }
                    == sorted.reversed())
            #expect(
                rows.sorted(byKeyPath: property).distinct(by: [property]).map { $0.plain ?? "" } == sorted)
            #expect(
                rows.filter("\(property) > 'z'").distinct(by: [property]).map { $0.plain ?? "" } == [
                    "é", "~",
                ])
        }
        #expect(Array(list.texts.sorted()) == sorted)
        #expect(Array(list.texts.filter("SELF > 'z'")) == ["é", "~"])
    }

    @Test func `bytes that are no text are stored as what they were repaired to`() throws {
        let repaired = String(decoding: [0x61, 0xFF, 0xED, 0xA0, 0x80, 0x62] as [UInt8], as: UTF8.self)
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        try realm.write {
            let row = realm.create(CaseRow.self)
            (row.plain, row.indexed) = (repaired, repaired)
            row.texts.append(repaired)
        }
        let rows = realm.objects(CaseRow.self)
        #expect(rows.first?.plain?.unicodeScalars.contains("\u{FFFD}") == true)
        for property in ["plain", "indexed"] {
            #expect(rows.filter("\(property) == %@", repaired).count == 1)
            #expect(rows.filter("\(property) CONTAINS[c] %@", "\u{FFFD}").count == 1)
            #expect(rows.filter("\(property) BEGINSWITH %@", "a\u{FFFD}").count == 1)
        }
        #expect(rows.filter("ANY texts == %@", repaired).count == 1)
    }

    @Test func `keys that differ only behind a long beginning are told apart`() throws {
        let scratch = try Scratch([LongKey.self])
        let realm = try scratch.realm()
        let beginning = String(repeating: "x", count: 300)
        let scalars = (0..<250).flatMap { place -> [UInt32] in
            let place = UInt32(place)
            return [0x21 + place % 90 + place / 90 * 0x1000, 0xC0 + place, 0x6F00 + place, 0x1F300 + place]
        }
        let keys = Array(
            Set(scalars.compactMap(Unicode.Scalar.init).map { beginning + String($0) }.map(Bytes.init))
        )
        .map(\.text)
        #expect(keys.count > 900)
        try realm.write {
            for key in keys { realm.create(LongKey.self, value: ["key": key, "text": key]) }
        }
        let kept = Set(keys.enumerated().filter { $0.offset.isMultiple(of: 2) }.map { Bytes($0.element) })
        func check(_ isHalf: Bool) {
            let rows = realm.objects(LongKey.self)
            for key in keys {
                let isThere = !isHalf || kept.contains(Bytes(key))
                #expect((realm.object(ofType: LongKey.self, forPrimaryKey: key) != nil) == isThere)
                #expect(rows.filter("text == %@", key).count == (isThere ? 1 : 0))
            }
            #expect(rows.filter("text == %@", beginning).isEmpty)
            #expect(rows.filter("text BEGINSWITH %@", beginning).count == (isHalf ? kept.count : keys.count))
        }
        check(false)
        try realm.write {
            realm.delete(Array(realm.objects(LongKey.self)).filter { !kept.contains(Bytes($0.key)) })
            check(true)
        }
        check(true)
        try scratch.verify()
    }

    @Test func `folding that changes the length answers the same everywhere`() throws {
        let texts = [
            "STRASSE", "straße", "STRAẞE", "İstanbul", "istanbul", "ΟΔΟΣ", "οδος", "οδοσ", "ﬁn", "FIN", "ſ",
            "s",
        ]
        try CaseRows<String?>.everywhere(texts) { rows in
            for word in ["strasse", "straße", "STRAẞE"] {
                try rows.expect("§ ==[c] %@", word, finds: [0, 1, 2])
                try rows.expect("§ BEGINSWITH[c] %@", word, finds: [0, 1, 2])
                try rows.expect("§ CONTAINS[c] %@", word, finds: [0, 1, 2])
                try rows.expect("§ LIKE[c] %@", word, finds: [0, 1, 2])
                try rows.expect("§ IN[c] %@", [word], finds: [0, 1, 2])
            }
            try rows.expect("§ BEGINSWITH[c] 'i'", finds: [3, 4])
            try rows.expect("§ ==[c] 'istanbul'", finds: [4])
            try rows.expect("§ ==[c] %@", "οδος", finds: [5, 6, 7])
            try rows.expect("§ ENDSWITH[c] %@", "ς", finds: [5, 6, 7])
            try rows.expect("§ BEGINSWITH[c] 'FI'", finds: [8, 9])
            try rows.expect("§ CONTAINS[c] %@", "ﬁ", finds: [8, 9])
            try rows.expect("§ ==[c] 'S'", finds: [10, 11])
            // Folded it is longer than what it is looked for in.
            try rows.expect("§ CONTAINS[c] %@", "ßß", finds: [])
            try rows.expect("§ ENDSWITH[c] %@", String(repeating: "ß", count: 40), finds: [])
        }
    }

    @Test func `an index is only speed`() throws {
        var random = SeededGenerator()
        let reproduction = random.reproduction
        let letters = ["a", "A", "b", "B", "é", "É", "e\u{301}", "🚀", "ß"]
        func text() -> String {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in letters.randomElement(using: &random) ?? ""
            }
            .joined()
        }
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        var texts: [String?] = []
        try realm.write {
            for place in 0..<2_000 {
                let value = random.oneIn(20) ? nil : text()
                texts.append(value)
                let row = realm.create(CaseRow.self, value: ["place": place])
                (row.plain, row.indexed) = (value, value)
            }
        }
        let rows = realm.objects(CaseRow.self)
        for _ in 0..<60 {
            let wanted = [text(), text(), text()]
            let bytes = wanted.map { Array($0.utf8) }
            func compare(_ format: String, _ argument: Any, _ fits: ((String) -> Bool)?) {
                let plain = rows.filter(format.replacingOccurrences(of: "§", with: "plain"), argument).map(
                    \.place)
                let indexed = rows.filter(format.replacingOccurrences(of: "§", with: "indexed"), argument)
                #expect(Array(plain) == indexed.map(\.place), "\(format) \(argument) \(reproduction)")
                #expect(indexed.count == plain.count, "\(format) \(argument) \(reproduction)")
                guard let fits else { return }
                let naive = texts.indices.filter { texts[$0].map(fits) ?? false }
                #expect(Array(plain) == naive, "\(format) \(argument) \(reproduction)")
            }
            compare("§ == %@", wanted[0]) { Array($0.utf8) == bytes[0] }
            compare("§ IN %@", wanted) { bytes.contains(Array($0.utf8)) }
            compare("§ BEGINSWITH %@", wanted[0]) { !bytes[0].isEmpty && $0.utf8.starts(with: bytes[0]) }
            compare("§ ==[c] %@", wanted[0], nil)
            compare("§ BEGINSWITH[c] %@", wanted[0], nil)
            compare("§ IN[cd] %@", wanted, nil)
            compare("§ > %@", wanted[0]) { bytes[0].lexicographicallyPrecedes($0.utf8) }
        }
        try scratch.verify()
    }
}

final class LongKey: Object {
    @Persisted(primaryKey: true) var key: String
    @Persisted(indexed: true) var text: String
}

/// A text that only its own bytes equal.
private struct Bytes: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Bytes, right: Bytes) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
