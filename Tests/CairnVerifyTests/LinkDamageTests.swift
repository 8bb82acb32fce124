import CairnStorage
import Testing

@Suite struct LinkDamageTests {
    /// The chunk of the hidden column that mirrors a link.
    private static func mirror(_ sample: SampleStore, _ name: String) -> ChunkKey {
        ChunkKey(sample.column(name).target ?? sample.things.space, 0, sample.mirror(name).id)
    }

    private static let links: [Damage] = [
        Damage("a link to a deleted row", .linkDangling, .backlinkStray) { sample, patch in
            try patch.edit(sample.chunk("boss")) { $0.store(UInt64(3 + 1), at: SampleStore.slot(2, 8)) }
        },
        Damage("a link far beyond every row", .linkDangling) { sample, patch in
            try patch.edit(sample.chunk("place")) { $0.store(UInt64.max, at: SampleStore.slot(2, 8)) }
        },
        Damage("a link to another row", .backlinkMissing, .backlinkStray) { sample, patch in
            try patch.edit(sample.chunk("boss")) { $0.store(UInt64(4 + 1), at: SampleStore.slot(2, 8)) }
        },
        Damage("a link that is gone", .backlinkStray) { sample, patch in
            try patch.edit(sample.chunk("boss")) { $0.store(UInt64(0), at: SampleStore.slot(2, 8)) }
        },
        Damage("a link in a list to another row", .backlinkMissing, .backlinkStray) { sample, patch in
            try patch.edit(sample.chunk("friends")) {
                let place = SampleStore.heap(4, $0)
                $0.store($0.load(at: place, as: UInt64.self) == 1 ? UInt64(2) : 1, at: place)
            }
        },
        Damage("a link in a long list to another row", .backlinkMissing, .backlinkStray) { sample, patch in
            let id = try sample.valueID("friends", slot: 97, patch)
            let directory = try patch.bytes(.values, Patch.key(id)) ?? []
            try patch.edit(.values, Patch.key(directory.load(at: 16))) {
                $0.store($0.load(at: 16, as: UInt64.self) == 1 ? UInt64(2) : 1, at: 16)
            }
        },
        Damage("backlinks out of order", .backlinkOrder) { sample, patch in
            try patch.edit(mirror(sample, "friends")) { bytes in
                for slot in 0..<400 where bytes.load(at: SampleStore.slot(slot, 16), as: UInt32.self) == 2 {
                    let place = SampleStore.heap(slot, bytes)
                    let origins = (
                        bytes.load(at: place, as: UInt64.self), bytes.load(at: place + 8, as: UInt64.self)
                    )
                    bytes.store(origins.1, at: place)
                    bytes.store(origins.0, at: place + 8)
                    if origins.0 != origins.1 { return }
                }
            }
        },
        Damage("a wrong number of ordered backlinks", .backlinkCount) { sample, patch in
            try patch.edit(mirror(sample, "place")) { $0[SampleStore.slot(0, 16)] ^= 1 }
        },
        Damage("an ordered backlink that is missing", .backlinkCount, .backlinkMissing) { sample, patch in
            try patch.remove(.ordered, backlink(sample, patch))
        },
        Damage("an ordered backlink that counts twice", .backlinkCount, .backlinkStray) { sample, patch in
            try patch.put(.ordered, backlink(sample, patch), [2, 0, 0, 0])
        },
        Damage("an ordered backlink that counts nothing", .orderedInvalid) { sample, patch in
            try patch.put(.ordered, backlink(sample, patch), [0, 0, 0, 0])
        },
        Damage("an ordered backlink without a number", .orderedInvalid) { sample, patch in
            try patch.put(.ordered, backlink(sample, patch), [1, 0])
        },
        Damage("ordered backlinks of a row that has few", .backlinkCount, .backlinkStray) { sample, patch in
            var key = try backlink(sample, patch)
            key[9] = 1
            try patch.put(.ordered, key, [1, 0, 0, 0])
        },
    ]

    /// The key of a backlink of the first place.
    private static func backlink(_ sample: SampleStore, _ patch: Patch) throws -> [UInt8] {
        let space = sample.mirror("place").overflowSpace?.value ?? 0
        let keys = try patch.keys(.ordered)
        return try #require(
            keys.first { $0.count == 18 && $0[0] == UInt8(space >> 8) && $0[1] == UInt8(space & 255) })
    }

    @Test(arguments: links)
    func `damage of a link is found`(_ damage: Damage) throws { try damage.check() }
}
