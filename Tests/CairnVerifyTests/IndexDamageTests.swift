import CairnStorage
import Testing

@Suite struct IndexDamageTests {
    private static func bucket(_ sample: SampleStore, _ name: String, _ number: UInt32 = 0) -> ChunkKey {
        ChunkKey(sample.index(name).space, number, .bucket)
    }

    // Places of a bucket with row keys of four bytes.

    private static func hash(_ place: Int) -> Int {
        BucketLayout.groups + (place >> 3) * BucketLayout.groupByteCount(rowKeyByteCount: 4) + (place & 7) * 4
    }

    private static func row(_ place: Int) -> Int { hash(place) + BucketLayout.rowKeys }

    private static func places(in bytes: [UInt8]) -> Range<Int> {
        0..<Int(bytes.load(at: BucketLayout.groupCount, as: UInt32.self)) * BucketLayout.groupEntryCount
    }

    private static func usedPlace(in bytes: [UInt8]) -> Int {
        places(in: bytes).first { bytes.load(at: row($0), as: UInt32.self) != 0 } ?? 0
    }

    private static func freePlace(in bytes: [UInt8]) -> Int {
        places(in: bytes).first { bytes.load(at: row($0), as: UInt32.self) == 0 } ?? 0
    }

    private static let hashes: [Damage] = [
        Damage("a bucket that is missing", .bucketMissing, .entryMissing, .entryCount) { sample, patch in
            try patch.remove(.chunks, Patch.key(bucket(sample, "id", 1)))
        },
        Damage("a bucket too many", .bucketStray) { sample, patch in
            let bytes = try patch.bytes(bucket(sample, "id"))
            try patch.add(.chunks, Patch.key(bucket(sample, "id", 1_000)), bytes)
        },
        Damage("a bucket under another column", .chunkStray) { sample, patch in
            let bytes = try patch.bytes(bucket(sample, "id"))
            try patch.add(.chunks, Patch.key(ChunkKey(sample.index("id").space, 0, ColumnID(2))), bytes)
        },
        Damage("a bucket that is none", .chunkInvalid) { sample, patch in
            try patch.edit(bucket(sample, "id")) { $0[BucketLayout.rowKeyByteCount] = 5 }
        },
        Damage("a bucket with another checksum", .chunkChecksum) { sample, patch in
            try patch.edit(bucket(sample, "id"), isSealed: false) { $0[8] ^= 1 }
        },
        Damage("a bucket with a wrong number of entries", .chunkInvalid) { sample, patch in
            try patch.edit(bucket(sample, "id")) {
                $0.store($0.load(at: BucketLayout.count, as: UInt32.self) - 1, at: BucketLayout.count)
            }
        },
        Damage("something in a free place", .chunkInvalid) { sample, patch in
            try patch.edit(bucket(sample, "id")) { $0[hash(freePlace(in: $0))] = 1 }
        },
        Damage("an entry behind a free place", .chunkInvalid, .entryMissing, .entryCount) { sample, patch in
            try patch.edit(bucket(sample, "id")) { bytes in
                let place = usedPlace(in: bytes)
                let row = bytes.load(at: row(place), as: UInt32.self)
                let bits = bytes.load(at: hash(place), as: UInt32.self)
                for other in places(in: bytes) where other >> 3 == place >> 3 {
                    bytes.store(UInt32(0), at: Self.row(other))
                    bytes.store(UInt32(0), at: hash(other))
                }
                bytes.store(row, at: Self.row(place | 7))
                bytes.store(bits, at: hash(place | 7))
            }
        },
        Damage("another row", .entryMissing, .entryStray) { sample, patch in
            try patch.edit(bucket(sample, "id")) { $0.store(UInt32(5_001), at: row(usedPlace(in: $0))) }
        },
        Damage("other bits of the hash", .entryMissing, .entryStray) { sample, patch in
            try patch.edit(bucket(sample, "id")) { $0[hash(usedPlace(in: $0))] ^= 1 }
        },
        Damage("another key", .entryMissing, .entryStray) { sample, patch in
            try patch.edit(sample.chunk("id")) { $0[SampleStore.slot(6, 8)] ^= 1 }
        },
        Damage("a key over several columns", .entryMissing, .entryStray) { sample, patch in
            try patch.edit(sample.chunk("flag")) { $0[ChunkLayout.slots] ^= 1 }
        },
        Damage("a wrong number of entries", .entryCount) { sample, patch in
            try patch.edit(.catalog, Patch.key("S", sample.things.space)) { $0[48] ^= 1 }
        },
        Damage("two rows with one key", .keyNotUnique) { sample, patch in
            let index = sample.index("late")
            let stored: [UInt8] = [
                UInt8(index.space.value), 0, 1, 0, 1, 0, UInt8(sample.column("late").id.value), 0,
            ]
            try patch.edit(.catalog, Patch.key("T", sample.things.space)) { bytes in
                for start in 0...(bytes.count - 8) where Array(bytes[start..<(start + 8)]) == stored {
                    bytes[start + 3] = 1
                }
            }
        },
    ]

    @Test(arguments: hashes)
    func `damage of a hash index is found`(_ damage: Damage) throws { try damage.check() }

    /// The first key of an ordered index that is not nil.
    private static func key(_ sample: SampleStore, _ name: String, _ patch: Patch) throws -> [UInt8] {
        let space = sample.index(name).space.value
        let keys = try patch.keys(.ordered).filter {
            $0[0] == UInt8(space >> 8) && $0[1] == UInt8(space & 255)
        }
        return keys.first { $0[2] == 1 } ?? keys[0]
    }

    private static let ordered: [Damage] = [
        Damage("an entry that is missing", .entryMissing, .entryCount) { sample, patch in
            try patch.remove(.ordered, key(sample, "number", patch))
        },
        Damage("an entry of no row", .entryStray, .entryCount) { sample, patch in
            var key = try key(sample, "number", patch)
            key[key.count - 1] ^= 0x80
            key[key.count - 3] = 0x40
            try patch.put(.ordered, key, [])
        },
        Damage("another value", .entryMissing, .entryStray) { sample, patch in
            try patch.edit(sample.chunk("oid")) { $0[SampleStore.slot(1, 12) + 11] ^= 1 }
        },
        Damage("another text", .entryMissing, .entryStray) { sample, patch in
            try patch.edit(sample.chunk("note")) { $0[SampleStore.heap(2, $0) + 9] ^= 1 }
        },
        Damage("something in an entry", .orderedInvalid) { sample, patch in
            try patch.put(.ordered, key(sample, "weight", patch), [1])
        },
        Damage("a key without a marker", .orderedInvalid) { sample, patch in
            let space = sample.index("number").space.value
            try patch.put(
                .ordered, [UInt8(space >> 8), UInt8(space & 255), 5] + Array(repeating: 0, count: 16), [])
        },
        Damage("a key that is too short", .orderedInvalid) { sample, patch in
            let space = sample.index("number").space.value
            try patch.put(.ordered, [UInt8(space >> 8), UInt8(space & 255)], [])
        },
        Damage("a key of no index", .orderedStray) { _, patch in
            try patch.put(.ordered, Array(repeating: 0xF0, count: 20), [])
        },
        Damage("a key of one byte", .orderedStray) { _, patch in try patch.put(.ordered, [1], []) },
        Damage("a key of a table", .orderedStray) { sample, patch in
            try patch.put(
                .ordered, [0, UInt8(sample.things.space.value)] + Array(repeating: 0, count: 16), [])
        },
    ]

    @Test(arguments: ordered)
    func `damage of an ordered index is found`(_ damage: Damage) throws { try damage.check() }

    @Test func `an index whose column cannot be read makes no noise`() throws {
        let damage = Damage("column") { sample, patch in
            try patch.edit(sample.chunk("number")) { $0.removeLast() }
        }
        #expect(try damage.report().kinds == [.chunkInvalid])
    }

    @Test func `an index of the primary key that has lost everything is told row by row up to a limit`()
        throws
    {
        let damage = Damage("bucket") { sample, patch in
            for number in 0..<UInt32(3) where try !patch.bytes(Self.bucket(sample, "id", number)).isEmpty {
                try patch.edit(Self.bucket(sample, "id", number)) { bytes in
                    bytes.store(UInt32(0), at: BucketLayout.count)
                    for index in BucketLayout.groups..<bytes.count { bytes[index] = 0 }
                }
            }
        }
        let report = try damage.report()
        let lost = report.findings.count { $0.kind == .entryMissing }
        #expect(UInt64(lost) + 5 == report.rowCount)
    }
}
