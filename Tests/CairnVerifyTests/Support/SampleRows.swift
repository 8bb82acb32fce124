import CairnStorage
import TestSupport

/// Writes the rows of a sample.
struct SampleRows {
    let things: SessionTable
    let places: SessionTable
    private let session: Session

    init(_ session: Session) throws {
        guard let things = try session.table(named: "Thing"), let places = try session.table(named: "Place")
        else {
            throw StorageError(.notFound, "The sample has no tables.")
        }
        self.session = session
        self.things = things
        self.places = places
    }

    func position(_ name: String) -> Int {
        guard let position = things.definition.position(named: name) else {
            preconditionFailure("no \(name)")
        }
        return position
    }

    func add(_ number: Int) throws {
        var chance = SeededGenerator(seed: UInt64(number))
        let row = try things.insert(key: Int64(number * 3))
        try setNumbers(row, number, &chance)
        try setTexts(row, number, &chance)
        try setLists(row, number, &chance)
        try setLinks(row, number, &chance)
    }

    private func setNumbers(_ row: RowKey, _ number: Int, _ chance: inout SeededGenerator) throws {
        try things.setBool(row, position("flag"), number % 3 == 0)
        if number % 5 != 0 { try things.set(row, position("number"), Int64(number % 40 - 20)) }
        if number % 5 == 0 { try things.setNull(row, position("number")) }
        try things.set(row, position("ratio"), number % 17 == 0 ? Float.nan : Float(number) / 3)
        switch number % 6 {
        case 0: try things.setNull(row, position("weight"))
        case 1: try things.set(row, position("weight"), -0.0)
        default: try things.set(row, position("weight"), Double.random(in: -9...9, using: &chance))
        }
        try things.set(row, position("when"), Double(number) * 86_400)
        try things.set(row, position("plain"), Int64.random(in: .min ... .max, using: &chance))
        try bytes(12, &chance).withUnsafeBytes { try things.setBytes(row, position("oid"), $0) }
        try bytes(16, &chance).withUnsafeBytes { try things.setBytes(row, position("uuid"), $0) }
        try bytes(16, &chance).withUnsafeBytes { try things.setBytes(row, position("money"), $0) }
    }

    private func setTexts(_ row: RowKey, _ number: Int, _ chance: inout SeededGenerator) throws {
        try things.setText(
            row, position("name"), "name \(number % 100)" + String(repeating: "é", count: number % 30))
        switch number % 4 {
        case 0: try things.setNull(row, position("note"))
        case 1: try things.setText(row, position("note"), "")
        case 2: try things.setText(row, position("note"), "a longer note \(number)\u{0} with a zero")
        default:
            try things.setText(
                row, position("note"), String(repeating: "ü\(number % 3)", count: 150 + number))
        }
        let size = number % 50 == 0 ? 5_000 : number % 40
        try bytes(size, &chance).withUnsafeBytes { try things.setText(row, position("data"), $0) }
        if number % 9 == 0 { try things.setText(row, position("tag"), "tag \(number)") }
        if let dropped = things.definition.position(named: "dropped") {
            try things.setText(row, dropped, String(repeating: "d", count: number % 60 * 30))
        }
    }

    private func setLists(_ row: RowKey, _ number: Int, _ chance: inout SeededGenerator) throws {
        let numbers = (0..<(number % 70 == 0 ? 2_000 : number % 6)).map { index -> [UInt8]? in
            index % 4 == 1 ? nil : bytes(8, &chance)
        }
        try replace(row, "numbers", numbers)
        let words = (0..<(number % 60 == 0 ? 900 : number % 4)).map { Array("wörd \($0)".utf8) }
        try replace(row, "words", words)
        try replace(row, "flags", (0..<(number % 5)).map { $0 == 3 ? nil : [UInt8($0 % 2)] })
    }

    private func replace(_ row: RowKey, _ name: String, _ elements: [[UInt8]?]) throws {
        let kept = elements.map { element in
            element.map { bytes -> UnsafeRawBufferPointer in
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
                copy.copyBytes(from: bytes)
                return UnsafeRawBufferPointer(copy)
            }
        }
        defer { for element in kept { element?.deallocate() } }
        let position = position(name)
        try things.replaceElements(row, position, 0..<things.listCount(row, position), with: kept)
    }

    private func setLinks(_ row: RowKey, _ number: Int, _ chance: inout SeededGenerator) throws {
        if number > 0, number % 4 != 0 {
            try things.setLink(row, position("boss"), RowKey(row.value / UInt64(number % 4 + 1)))
        }
        if places.rowCount < 5 {
            let place = try places.insert()
            try places.setText(place, 0, "place \(number)")
        }
        let isCrowded = number < SampleStore.crowdCount
        try things.setLink(
            row, position("place"), RowKey(isCrowded ? 0 : UInt64(number) % UInt64(places.rowCount)))
        let friends = (0..<(number % 90 == 7 ? 400 : number % 5)).map { _ in
            RowKey(UInt64.random(in: 0...row.value, using: &chance))
        }
        try things.appendLinks(row, position("friends"), friends)
    }

    private func bytes(_ count: Int, _ chance: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
    }
}
