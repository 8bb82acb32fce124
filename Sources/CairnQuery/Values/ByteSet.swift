internal import CairnStorage

/// A set of byte strings, for membership tests a row and for groups: open addressing, the bytes one after
/// the other in one buffer.
package struct ByteSet: Sendable {
    private struct Entry {
        var hash: UInt64
        var offset: Int
        var count: Int
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// Numbers of entries, -1 for a free place. A power of two of places.
    private var places: [Int32]
    private let seed: UInt64 = 0x5EED

    package init() {
        places = Array(repeating: -1, count: 16)
    }

    init(_ members: some Sequence<[UInt8]>) {
        self.init()
        for member in members { member.withUnsafeBytes { _ = insert($0) } }
    }

    package var count: Int { entries.count }

    /// Adds a member.
    ///
    /// - Returns: its number, by order of adding, and whether it is new.
    package mutating func insert(_ member: UnsafeRawBufferPointer) -> (number: Int, isNew: Bool) {
        let hash = ByteHash.hash(member, seed: seed)
        if let known = find(member, hash) { return (known, false) }
        if (entries.count + 1) * 2 > places.count { grow() }
        entries.append(Entry(hash: hash, offset: bytes.count, count: member.count))
        bytes.append(contentsOf: member)
        place(entries.count - 1)
        return (entries.count - 1, true)
    }

    package func contains(_ member: UnsafeRawBufferPointer) -> Bool {
        find(member, ByteHash.hash(member, seed: seed)) != nil
    }

    /// The bytes of a member, by its number.
    package subscript(number: Int) -> [UInt8] {
        let entry = entries[number]
        return Array(bytes[entry.offset..<(entry.offset + entry.count)])
    }

    var members: [[UInt8]] { entries.indices.map { self[$0] } }

    private func find(_ member: UnsafeRawBufferPointer, _ hash: UInt64) -> Int? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] >= 0 {
            let number = Int(places[place])
            let entry = entries[number]
            if entry.hash == hash, entry.count == member.count {
                let isEqual = bytes.withUnsafeBytes { bytes in
                    ByteOrder.areEqual(
                        UnsafeRawBufferPointer(rebasing: bytes[entry.offset..<(entry.offset + entry.count)]),
                        member)
                }
                if isEqual { return number }
            }
            place = (place + 1) & mask
        }
        return nil
    }

    private mutating func place(_ number: Int) {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: entries[number].hash) & mask
        while places[place] >= 0 { place = (place + 1) & mask }
        places[place] = Int32(number)
    }

    private mutating func grow() {
        places = Array(repeating: -1, count: places.count * 2)
        for number in entries.indices { place(number) }
    }
}
