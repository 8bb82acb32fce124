import Cairn
import Foundation
import TestSupport
import Testing

/// Sorting, telling apart and limiting in the order in which they are written.
@Suite struct PipelineCaseTests {
    /// Rows of a key and a number: (a,1) (b,2) (a,3) (b,1).
    private func rows(_ scratch: Scratch) throws -> Realm {
        let realm = try scratch.realm()
        try realm.write {
            for (place, (key, number)) in [("a", 1), ("b", 2), ("a", 3), ("b", 1)].enumerated() {
                let row = realm.create(CaseRow.self, value: ["place": place])
                (row.plain, row.indexed) = (key, key)
                (row.number, row.indexedNumber) = (number, number)
            }
        }
        return realm
    }

    private func texts(_ rows: Results<CaseRow>) -> [String] {
        rows.map { ($0.plain ?? "") + String($0.number ?? 0) }
    }

    @Test(arguments: [("plain", "number"), ("indexed", "indexedNumber")])
    func `the order written is the order done`(_ key: String, _ number: String) throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try rows(scratch)
        let all = realm.objects(CaseRow.self)
        let newest = all.sorted(byKeyPath: number, ascending: false)
        #expect(texts(newest) == ["a3", "b2", "a1", "b1"])
        #expect(texts(newest.distinct(by: [key])) == ["a3", "b2"])
        #expect(texts(all.distinct(by: [key]).sorted(byKeyPath: number, ascending: false)) == ["b2", "a1"])
        #expect(texts(newest.distinct(by: [key]).limit(1)) == ["a3"])
        #expect(texts(newest.limit(3).distinct(by: [key])) == ["a3", "b2"])
        #expect(texts(newest.offset(2).distinct(by: [key])) == ["a1", "b1"])
        #expect(texts(newest.limit(2).sorted(byKeyPath: number)) == ["b2", "a3"])
        #expect(texts(newest.limit(3).filter("\(number) < 3")) == ["b2", "a1"])
        #expect(texts(newest.limit(3).filter("\(number) < 3").limit(1)) == ["b2"])
        #expect(newest.distinct(by: [key]).count == 2)
        #expect(all.distinct(by: [key, number]).count == 4)
        #expect(all.distinct(by: [number]).count == 3)
        // The later sort counts first.
        #expect(texts(newest.sorted(byKeyPath: key)) == ["a3", "a1", "b2", "b1"])
        // A condition is asked of the rows before they are told apart, as in Realm.
        #expect(texts(all.distinct(by: [key]).filter("\(number) > 1")) == ["b2", "a3"])
        #expect(newest.first?.number == 3)
        #expect(newest.last?.number == 1)
        #expect(newest.distinct(by: [key]).first?.plain == "a")
        #expect(newest.distinct(by: [key]).max(ofProperty: number) == 3)
        #expect(all.distinct(by: [key]).sum(ofProperty: number) == 3)
    }

    @Test func `deleting a distinct result deletes exactly its rows`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try rows(scratch)
        let all = realm.objects(CaseRow.self)
        let newest = all.sorted(byKeyPath: "number", ascending: false).distinct(by: ["plain"])
        try realm.write {
            realm.delete(newest)
            #expect(texts(all) == ["a1", "b1"])
            // What is left is told apart anew.
            #expect(texts(newest) == ["a1", "b1"])
        }
        try realm.write { realm.delete(all.sorted(byKeyPath: "plain", ascending: false).limit(1)) }
        #expect(texts(all) == ["a1"])
        try scratch.verify()
    }

    @Test func `a place among sorted and limited elements is that of what is shown`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try rows(scratch)
        let all = realm.objects(CaseRow.self)
        let newest = all.sorted(by: ["plain", SortDescriptor(keyPath: "number", ascending: false)])
        #expect(texts(newest) == ["a3", "a1", "b2", "b1"])
        for (place, row) in newest.enumerated() { #expect(newest.index(of: row) == place) }
        #expect(newest.index(matching: "number == 1") == 1)
        #expect(newest.index(matching: "number == 7") == nil)
        #expect(newest.limit(1).index(matching: "number == 1") == nil)
        #expect(newest.offset(1).index(matching: "number == 1") == 0)
        #expect(newest.offset(2).index(of: newest[3]) == 1)
        #expect(newest.limit(2).index(of: newest[3]) == nil)
        #expect(newest.distinct(by: ["plain"]).index(matching: "number == 2") == 1)
        #expect(newest.distinct(by: ["plain"]).index(matching: "number == 1") == nil)
        #expect(newest.index(of: CaseRow()) == nil)
        #expect(newest.freeze().index(matching: "number == 1") == 1)
    }

    @Test func `values of a list go through the same`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        let row = CaseRow()
        row.numbers.append(objectsIn: [3, 1, nil, 3, 2, nil])
        try realm.write { realm.add(row) }
        #expect(Array(row.numbers.sorted()) == [nil, nil, 1, 2, 3, 3])
        #expect(Array(row.numbers.sorted(ascending: false)) == [3, 3, 2, 1, nil, nil])
        #expect(Array(row.numbers.distinct()) == [3, 1, nil, 2])
        #expect(Array(row.numbers.sorted(ascending: false).distinct().limit(2)) == [3, 2])
        #expect(Array(row.numbers.limit(2).sorted()) == [1, 3])
        #expect(row.numbers.sorted().index(of: 3) == 4)
        #expect(row.numbers.sorted().index(matching: "SELF > 1") == 3)
        #expect(row.numbers.sorted(ascending: false).limit(2).index(matching: "SELF == 1") == nil)
        #expect(row.numbers.index(of: nil) == 2)
    }

    /// The condition was asked of the values before the limit, as if that were a sort.
    @Test func `values beyond a limit were found by a later filter`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        let row = CaseRow()
        row.numbers.append(objectsIn: [1, 2, 3, 4, 5])
        try realm.write { realm.add(row) }
        #expect(Array(row.numbers.limit(3).filter("SELF > 1")) == [2, 3])
        #expect(Array(row.numbers.limit(4).filter("SELF > 1").limit(2).filter("SELF > 2")) == [3])
        #expect(Array(row.numbers.offset(3).where { $0 > 1 }) == [4, 5])
        #expect(row.numbers.limit(2).index(matching: "SELF == 4") == nil)
        #expect(row.numbers.offset(2).index(matching: "SELF > 3") == 1)
        #expect(row.numbers.limit(3).filter("SELF > 1").sum() == 5)
    }

    /// The values that fit were looked up among all of them by Swift's equality, to which é of two scalars is é of one.
    @Test func `a value that only looks like the one looked for was taken for it`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        let row = CaseRow()
        row.texts.append(objectsIn: ["x", "e\u{301}", "é"])
        try realm.write { realm.add(row) }
        #expect(row.texts.index(matching: "SELF == %@", "é") == 2)
        #expect(row.texts.index(matching: "SELF == %@", "e\u{301}") == 1)
        #expect(row.texts.index(matching: { $0 == "é" }) == 2)
        #expect(row.texts.sorted(ascending: false).index(matching: "SELF == %@", "e\u{301}") == 2)
    }

    /// Groups that the engine tells apart by bytes, and Swift does not, overwrote each other.
    @Test func `of texts that look alike only one was counted as a group`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        try realm.write {
            for (place, text) in ["é", "x", "e\u{301}", "é", "x", "e\u{301}", "e\u{301}"].enumerated() {
                let row = realm.create(CaseRow.self, value: ["place": place])
                (row.plain, row.number) = (text, 1)
            }
        }
        let groups = realm.objects(CaseRow.self).grouped(by: \.plain)
        #expect(groups.count() == ["é": 5, "x": 2])
        #expect(groups.sum(of: \.number) == ["é": 5, "x": 2])
        #expect(groups.average(of: \.number) == ["é": 1, "x": 1])
        #expect(groups.max(of: \.place) == ["é": 6, "x": 4])
        #expect(groups.keys == ["é", "x"])
    }

    /// The type of what was calculated came of the properties of the objects themselves.
    @Test func `the earliest date of a group was none when it lay behind a link`() throws {
        let scratch = try Scratch([AllOptionals.self])
        let realm = try scratch.realm()
        try realm.write {
            for (place, date) in [Date(timeIntervalSince1970: 5), nil, Date(timeIntervalSince1970: 3)]
                .enumerated()
            {
                let row = realm.create(AllOptionals.self, value: ["key": "\(place)", "string": "g"])
                row.link = realm.create(AllOptionals.self, value: ["key": "link \(place)", "int": place])
                row.link?.date = date
            }
        }
        let groups = realm.objects(AllOptionals.self).filter("link != nil").grouped(by: \.string)
        #expect(groups.min(of: \.link?.date) == ["g": Date(timeIntervalSince1970: 3)])
        #expect(groups.sum(of: \.link?.int) == ["g": 3])
        let byLink = realm.objects(AllOptionals.self).grouped(by: \.link?.int)
        #expect(byLink.count() == [nil: 3, 0: 1, 1: 1, 2: 1])
    }

    /// The condition was asked before `distinct`, and the rows which that left stood in front of the one that was
    /// looked for.
    @Test func `an element that a predicate fits was not found behind distinct, sort and distinct`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        try realm.write {
            // A key, a number to sort by, and whether it is wanted.
            for (place, (key, number, text)) in [("a", 1, "s"), ("a", 0, "t"), ("b", 2, "t")].enumerated() {
                let row = realm.create(CaseRow.self, value: ["place": place])
                (row.plain, row.number, row.indexed) = (key, number, text)
            }
        }
        let shown = realm.objects(CaseRow.self).distinct(by: ["plain"]).sorted(byKeyPath: "number")
            .distinct(by: ["indexed"])
        #expect(shown.map(\.place) == [0, 2])
        #expect(shown.index(matching: "indexed == 't'") == 1)
        #expect(shown.index(matching: { $0.indexed == "t" }) == 1)
        #expect(shown.index(matching: NSPredicate(format: "number == 0")) == nil)
    }
}
