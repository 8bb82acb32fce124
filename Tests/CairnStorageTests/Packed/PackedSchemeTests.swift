import CairnStorage
import TestSupport
import Testing

/// A chunk that ought to be packed in a certain way, or to stay plain.
struct Provocation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let shape: SlotShape
    /// nil: stays plain.
    let scheme: PackedScheme?
    /// The most bytes that the packed chunk may have.
    let limit: Int
    let set: @Sendable (inout PlainChunk, Int) -> Void

    init(
        _ what: String, _ shape: SlotShape, _ scheme: PackedScheme?, _ limit: Int = .max,
        _ set: @escaping @Sendable (inout PlainChunk, Int) -> Void
    ) {
        testDescription = what
        self.shape = shape
        self.scheme = scheme
        self.limit = limit
        self.set = set
    }

    /// All 448 slots live.
    func chunk() -> LiveChunk {
        var chunk = PlainChunk(shape, slotCount: 448)
        for slot in 0..<448 { set(&chunk, slot) }
        return LiveChunk(chunk)
    }
}

/// A number that looks random and is the same each time.
private func scrambled(_ number: Int) -> UInt64 {
    var generator = SeededGenerator(seed: UInt64(number))
    return generator.next()
}

private func bytes(_ count: Int, _ number: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: scrambled(number &* 100 &+ $0)) }
}

@Suite struct `How values are packed` {
    static let provocations: [Provocation] = [
        Provocation("all null", .eight, PackedScheme.none, 48) { $0.setNull($1) },
        Provocation("all true", .bits, .bits, 49) { $0.set($1, true) },
        Provocation("all false", .bits, .bits, 49) { $0.set($1, false) },
        Provocation("a run of true", .bits, .bits, 53) { $0.set($1, $1 > 100 && $1 < 300) },
        Provocation("true here and there", .bits, nil) { $0.set($1, $1 % 3 == 0) },
        Provocation("nothing but zeros", .eight, .integers, 65) { $0.set($1, 0 as Int64) },
        Provocation("small integers", .eight, .integers, 65 + 448) { $0.set($1, Int64($1 % 200) - 100) },
        Provocation("counted integers", .eight, .integers, 65) { $0.set($1, Int64($1) * 17 + 1 << 40) },
        Provocation("rising integers", .eight, .integers, 65 + 448) {
            $0.set($1, Int64($1) * 1_000_000 + Int64(scrambled($1) % 200))
        },
        Provocation("falling integers", .eight, .integers, 65) { $0.set($1, Int64($1) * -5) },
        Provocation("integers of three bytes", .eight, .integers, 65 + 1344) {
            $0.set($1, Int64(scrambled($1) % 16_000_000))
        },
        Provocation("integers of four bytes", .eight, nil) {
            $0.set($1, Int64(scrambled($1) % 16_000_000) * 200)
        },
        Provocation("any integers", .eight, nil) { $0.set($1, Int64(bitPattern: scrambled($1))) },
        Provocation("few large integers", .eight, .dictionary, 59 + 3 * 8 + 112) {
            $0.set($1, Int64(bitPattern: scrambled(Int(scrambled($1) % 3))))
        },
        Provocation("integers with empty middle bytes", .eight, .bytes) {
            $0.set($1, Int64(bitPattern: scrambled($1) & 0xFF00_0000_0000_00FF))
        },
        Provocation("whole doubles", .eight, .decimals, 66 + 896) {
            $0.set($1, Double(scrambled($1) % 10_000))
        },
        Provocation("prices", .eight, .decimals, 66 + 896) {
            $0.set($1, Double(scrambled($1) % 10_000) / 100)
        },
        Provocation("tenths, one after the other", .eight, .decimals, 66) { $0.set($1, Double($1) / 10) },
        Provocation("dates each half second", .eight, .integers, 65) {
            $0.set($1, 700_000_000 + Double($1) / 2)
        },
        Provocation("any doubles", .eight, nil) { $0.set($1, Double(scrambled($1)) / 7) },
        Provocation("four-wide, few different", .four, .dictionary) {
            $0.set($1, bytes(4, Int(scrambled($1) % 5)))
        },
        Provocation("four-wide, two bytes the same", .four, .bytes) { $0.set($1, [0, 0] + bytes(2, $1)) },
        Provocation("four-wide, any", .four, nil) { $0.set($1, bytes(4, $1)) },
        Provocation("object ids of one process", .twelve, .bytes, 48 + 2 + 9 + 448 * 3) {
            $0.set($1, [0x65, 1, 2, UInt8($1 / 100), 1, 2, 3, 4, 5, 6, UInt8($1 / 256), UInt8($1 % 256)])
        },
        Provocation("object ids, any", .twelve, nil) { $0.set($1, bytes(12, $1)) },
        Provocation("object ids, constant", .twelve, .bytes, 48 + 2 + 12) { $0.set($1, bytes(12, 1)) },
        Provocation("few uuids", .sixteen, .dictionary) { $0.set($1, bytes(16, $1 % 20)) },
        Provocation("uuids with a common start", .sixteen, .bytes) {
            $0.set($1, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] + bytes(6, $1))
        },
        Provocation("uuids, any", .sixteen, nil) { $0.set($1, bytes(16, $1)) },
        Provocation("empty texts", .text, .texts, 57) { $0.set($1, text: []) },
        Provocation("short texts", .text, .texts, 57 + 224 + 448 * 5) {
            $0.set($1, text: Array("\($1)".utf8))
        },
        Provocation("few long texts", .text, .textDictionary) { $0.set($1, text: bytes(200, $1 % 7)) },
        Provocation("few short texts", .text, .textDictionary) { $0.set($1, text: bytes(11, $1 % 7)) },
        Provocation("long texts", .text, nil) { $0.set($1, text: bytes(40, $1)) },
        Provocation("large texts", .text, nil) {
            $0.set($1, textByteCount: 5000, prefix: 7, valueID: UInt64($1 + 1))
        },
        Provocation("empty lists", .list, PackedScheme.none, 48) { chunk, _ in chunk.set(0, backlinks: []) },
        Provocation("few lists", .list, .lists) {
            if $1 % 10 == 0 { $0.set($1, listOf: 2, payload: bytes(16, $1)) }
        },
        Provocation("long lists", .list, nil) { $0.set($1, listOf: 20, payload: bytes(160, $1)) },
        Provocation("one link each", .backlinks, .backlinks, 48 + 18 + 896) {
            $0.set($1, backlinks: [scrambled($1) % 60_000])
        },
        Provocation("links in heap and elsewhere", .backlinks, .backlinks) {
            if $1 % 9 == 0 {
                $0.set($1, backlinksInOrdered: 100 + $1)
            } else {
                $0.set($1, backlinks: (0...($1 % 64)).map { UInt64($0) + 1 << 50 })
            }
        },
        Provocation("all links elsewhere", .backlinks, .backlinks) { $0.set($1, backlinksInOrdered: 65) },
    ]

    @Test(arguments: provocations)
    func `each kind of values has its scheme`(provocation: Provocation) throws {
        let packed = try PackedRoundTrip.check(provocation.chunk())
        guard let expected = provocation.scheme else {
            #expect(packed == nil)
            return
        }
        let bytes = try #require(packed)
        #expect(try PackedRoundTrip.scheme(bytes, provocation.shape) == expected)
        #expect(bytes.count <= provocation.limit)
    }

    @Test func `every scheme is among them`() {
        #expect(Set(Self.provocations.compactMap(\.scheme)) == Set(PackedScheme.allCases))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 255, 256, 257])
    func `a dictionary of texts has up to 256 entries`(different: Int) throws {
        var chunk = PlainChunk(.text, slotCount: 448)
        for slot in 0..<448 { chunk.set(slot, text: Array("a text of \(slot % different)".utf8)) }
        try PackedRoundTrip.check(LiveChunk(chunk))
    }

    @Test func `lists are checked against their elements when those are known`() throws {
        var chunk = PlainChunk(.list, slotCount: 448)
        chunk.set(7, listOf: 2, payload: bytes(16, 1))
        let packed = try #require(PackedRoundTrip.pack(LiveChunk(chunk)))
        let int = ListElement(kind: .int, isNullable: false)
        #expect(failure { _ = try PackedRoundTrip.unpack(packed, .list, int) } == nil)
        let float = ListElement(kind: .float, isNullable: false)
        #expect(failure { _ = try PackedRoundTrip.unpack(packed, .list, float) }?.code == .damaged)
    }

    @Test func `what dead rows left in the heap is dropped`() throws {
        var chunk = PlainChunk(.text, slotCount: 448)
        for slot in 0..<448 { chunk.set(slot, text: bytes(100, slot)) }
        let live = LiveChunk.words((0..<448).map { $0 % 10 == 0 })
        let packed = try #require(try PackedRoundTrip.check(LiveChunk(chunk, live: live)))
        #expect(try PackedRoundTrip.unpack(packed, .text).count == 104 + 448 * 16 + 45 * 100)
    }

    /// All but one, all but the first, every second.
    @Test(arguments: [1, 2, 3])
    func `packing takes live rows alone`(manner: Int) throws {
        let live = (0..<448).map { (slot: Int) -> Bool in
            manner == 1 ? slot != 5 : manner == 2 ? slot > 5 : slot % 2 == 0
        }
        for provocation in Self.provocations {
            var chunk = provocation.chunk()
            chunk.live = LiveChunk.words(live)
            try PackedRoundTrip.check(chunk)
            for slot in 0..<448 where slot % 7 == 0 { chunk.chunk.setNull(slot) }
            if provocation.shape != .list, provocation.shape != .backlinks {
                try PackedRoundTrip.check(chunk)
            }
        }
    }
}
