import Cairn
import Foundation
import TestSupport
import Testing

/// A text and a number, each plain and indexed, and lists of such.
final class CaseRow: Object {
    @Persisted var place: Int
    @Persisted var plain: String?
    @Persisted(indexed: true) var indexed: String?
    @Persisted var number: Int?
    @Persisted(indexed: true) var indexedNumber: Int?
    @Persisted var texts: List<String?>
    @Persisted var numbers: List<Int?>
    @Persisted(originProperty: "row") var holders: LinkingObjects<CaseHolder>
}

/// Leads to one row.
final class CaseHolder: Object {
    @Persisted var place: Int
    @Persisted var row: CaseRow?
    @Persisted var rows: List<CaseRow>
}

/// A few values as rows with a plain and an indexed property, as rows behind a link, and as elements of a list.
struct CaseRows<Element: RealmCollectionValue> {
    let realm: Realm
    let values: [Element]
    /// The properties that hold the values, the second of them indexed.
    let properties: [String]
    let list: (CaseRow) -> List<Element>

    fileprivate static func everywhere(
        _ values: [Element], _ properties: [String], _ list: @escaping (CaseRow) -> List<Element>,
        _ store: (CaseRow, Element) -> Void, _ check: (CaseRows) throws -> Void
    ) throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        let rows = CaseRows(realm: realm, values: values, properties: properties, list: list)
        try realm.write {
            for (place, value) in values.enumerated() {
                let row = CaseRow()
                row.place = place
                store(row, value)
                let holder = CaseHolder()
                holder.place = place
                holder.row = row
                realm.add(holder)
            }
            if let first = realm.objects(CaseRow.self).first { list(first).append(objectsIn: values) }
            try check(rows)
        }
        try check(rows)
        try check(
            CaseRows(realm: realm.freeze(), values: values, properties: properties, list: list))
        realm.beginWrite()
        for row in realm.objects(CaseRow.self) { row.texts = row.texts }
        try check(rows)
        realm.cancelWrite()
        try scratch.verify()
    }

    /// Expects a predicate, in which § stands for the property, to find the values at some places: of rows,
    /// through a link, and among the elements of a list.
    func expect(
        _ format: String, _ arguments: Any?..., finds places: [Int],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let arguments = arguments.map { $0 ?? NSNull() }
        for property in properties {
            let asked = format.replacingOccurrences(of: "§", with: property)
            let found = realm.objects(CaseRow.self).filter(
                NSPredicate(format: asked, argumentArray: arguments))
            #expect(Set(found.map(\.place)) == Set(places), "\(asked)", sourceLocation: sourceLocation)
            #expect(found.count == places.count, "\(asked)", sourceLocation: sourceLocation)
            let through = format.replacingOccurrences(of: "§", with: "row.\(property)")
            let holders = realm.objects(CaseHolder.self)
                .filter(NSPredicate(format: through, argumentArray: arguments))
            #expect(Set(holders.map(\.place)) == Set(places), "\(through)", sourceLocation: sourceLocation)
        }
        let first = try #require(realm.objects(CaseRow.self).first)
        let own = format.replacingOccurrences(of: "§", with: "SELF")
        let elements = list(first).filter(NSPredicate(format: own, argumentArray: arguments))
        #expect(Array(elements) == places.map { values[$0] }, "\(own)", sourceLocation: sourceLocation)
    }
}

extension CaseRows where Element == String? {
    /// Asks in the write that stores the values, after it, frozen, and in a later write.
    static func everywhere(_ values: [String?], _ check: (Self) throws -> Void) throws {
        try everywhere(
            values, ["plain", "indexed"], { $0.texts },
            { row, value in (row.plain, row.indexed) = (value, value) }, check)
    }
}

extension CaseRows where Element == Int? {
    /// As with texts.
    static func everywhere(_ values: [Int?], _ check: (Self) throws -> Void) throws {
        try everywhere(
            values, ["number", "indexedNumber"], { $0.numbers },
            { row, value in (row.number, row.indexedNumber) = (value, value) }, check)
    }
}
