import CairnPredicate
import Testing

@Suite struct ExcerptTests {
    @Test func `the mark is under the part`() {
        let excerpt = Excerpt(4..<6, of: "age => 3")
        #expect(excerpt.description == "    age => 3\n        ^^")
    }

    @Test func `characters of several bytes take one place`() {
        let excerpt = Excerpt(11..<12, of: "größe 🚀 x")
        #expect(excerpt.mark == "       ^")
        #expect(Excerpt(13..<14, of: "größe 🚀 x").mark == "        ^")
    }

    @Test func `only the line of the part is shown`() {
        let excerpt = Excerpt(14..<16, of: "a == 1 AND\nb >> 2 AND\nc == 3")
        #expect(excerpt.line == "b >> 2 AND")
        #expect(excerpt.mark == "   ^^")
    }

    @Test func `a long line is cut on both sides`() {
        let text = String(repeating: "a", count: 200) + "X" + String(repeating: "b", count: 200)
        let excerpt = Excerpt(200..<201, of: text)
        let (before, after) = (String(repeating: "a", count: 40), String(repeating: "b", count: 40))
        #expect(excerpt.line == "…\(before)X\(after)…")
        #expect(excerpt.mark == String(repeating: " ", count: 41) + "^")
    }

    @Test func `tabs and control characters are shown as a space`() {
        #expect(Excerpt(2..<3, of: "a\t\u{7}b").line == "a  b")
    }

    @Test func `a range that does not fit the text is shown as well as may be`() {
        for text in ["", "a", "é", "a\nb", "\r\n", "👨‍👩‍👧"] {
            var isWell = true
            for lower in -1...30 {
                for upper in lower...31 {
                    let excerpt = Excerpt(lower..<upper, of: text)
                    let quoted = Excerpt.quoted(lower..<upper, of: text)
                    isWell = isWell && excerpt.mark.hasSuffix("^") && quoted.utf8.starts(with: "“".utf8)
                }
            }
            #expect(isWell, "\(text.debugDescription)")
        }
    }
}
