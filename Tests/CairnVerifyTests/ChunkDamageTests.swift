import CairnStorage
import Testing

@Suite struct ChunkDamageTests {
    private static let chunks: [Damage] = [
        Damage("a chunk of no table", .chunkStray) { sample, patch in
            let bytes = try patch.bytes(sample.chunk("plain"))
            try patch.add(.chunks, Patch.key(ChunkKey(SpaceID(999), 0, ColumnID(1))), bytes)
        },
        Damage("a chunk of an ordered index", .chunkStray) { sample, patch in
            let bytes = try patch.bytes(sample.chunk("plain"))
            try patch.add(.chunks, Patch.key(ChunkKey(sample.index("oid").space, 0, ColumnID(1))), bytes)
        },
        Damage("a flipped bit", .chunkChecksum) { sample, patch in
            try patch.edit(sample.chunk("money"), isSealed: false) { $0[200] ^= 4 }
        },
        Damage("a flipped bit in a directory", .chunkChecksum) { sample, patch in
            try patch.edit(sample.directory, isSealed: false) { $0[40] ^= 4 }
        },
        Damage("a later version", .chunkVersion) { sample, patch in
            try patch.edit(sample.chunk("money")) { $0.store(UInt64(1_000_000), at: ChunkLayout.version) }
        },
        Damage("another shape", .chunkInvalid) { sample, patch in
            try patch.edit(sample.chunk("money")) { $0[ChunkLayout.shape] = 8 }
        },
        Damage("a chunk cut short", .chunkInvalid) { sample, patch in
            try patch.edit(sample.chunk("plain")) { $0.removeLast() }
        },
        Damage("a chunk of nine bytes", .chunkInvalid) { sample, patch in
            try patch.edit(sample.chunk("plain")) { $0 = Array($0[..<9]) }
        },
        Damage("a text outside of the heap", .chunkInvalid) { sample, patch in
            try patch.edit(sample.chunk("name")) {
                $0.store(UInt32(900), at: SampleStore.slot(5, 16))
                $0.store(UInt32(1 << 30), at: SampleStore.slot(5, 16) + 8)
            }
        },
        Damage("a directory that is none", .chunkInvalid) { sample, patch in
            try patch.edit(sample.directory) { $0.store(UInt16(900), at: ChunkLayout.extra) }
        },
        Damage("a chunk that is not listed", .chunkUnlisted) { sample, patch in
            let bytes = try patch.bytes(sample.chunk("plain"))
            try patch.add(.chunks, Patch.key(ChunkKey(sample.things.space, 0, ColumnID(777))), bytes)
        },
        Damage("a column ahead of its counter", .counter) { sample, patch in
            try patch.edit(sample.directory) {
                let count = $0.load(at: ChunkLayout.extra, as: UInt16.self)
                $0.store(count + 1, at: ChunkLayout.extra)
                $0 += [0xF0, 0x7F]
            }
        },
        Damage("a chunk that is missing", .chunkMissing) { sample, patch in
            try patch.remove(.chunks, Patch.key(sample.chunk("plain")))
        },
        Damage("a directory that is missing", .directoryMissing) { sample, patch in
            try patch.remove(.chunks, Patch.key(sample.directory))
        },
        Damage("a directory without rows", .directoryEmpty) { sample, patch in
            try patch.edit(sample.directory) { bytes in
                for offset in 0..<56 { bytes[ChunkLayout.bitmap + offset] = 0 }
            }
        },
        Damage("too few slots", .slotCount) { sample, patch in
            try patch.edit(sample.chunk("plain")) {
                $0.store(UInt16(10), at: ChunkLayout.slotCount)
                $0 = Array($0[..<SampleStore.slot(10, 8)])
            }
        },
        Damage("a row ahead of its counter", .rowOutside) { sample, patch in
            try patch.edit(.catalog, Patch.key("S", sample.things.space)) { $0.store(UInt64(599), at: 8) }
        },
        Damage("a wrong number of rows", .rowCount) { sample, patch in
            try patch.edit(.catalog, Patch.key("S", sample.things.space)) { $0[16] ^= 1 }
        },
        Damage("a wrong number of blocks", .blockCount, .firstBlock) { sample, patch in
            try patch.edit(.catalog, Patch.key("S", sample.things.space)) {
                $0.store(UInt64(1), at: 24)
                $0.store(UInt32(1), at: 32)
            }
        },
    ]

    @Test(arguments: chunks)
    func `damage of a chunk is found`(_ damage: Damage) throws { try damage.check() }

    private static let values: [Damage] = [
        Damage("null in a column without", .nullNotAllowed) { sample, patch in
            try patch.edit(sample.chunk("money")) { $0[ChunkLayout.bitmap] |= 1 }
        },
        Damage("null in a column of lists", .nullNotAllowed) { sample, patch in
            try patch.edit(sample.chunk("numbers")) { $0[ChunkLayout.bitmap] |= 1 }
        },
        Damage("a null that is not zero", .nullNotZero) { sample, patch in
            try patch.edit(sample.chunk("number")) { $0[SampleStore.slot(0, 8)] = 1 }
        },
        Damage("a null element that is not zero", .nullNotZero) { sample, patch in
            try patch.edit(sample.chunk("flags")) { $0[SampleStore.heap(4, $0) + 4] = 1 }
        },
        Damage("an element that is no bool", .listElement) { sample, patch in
            try patch.edit(sample.chunk("flags")) { $0[SampleStore.heap(4, $0) + 1] = 7 }
        },
        Damage("something behind a short text", .textSlot) { sample, patch in
            try patch.edit(sample.chunk("note")) { $0[SampleStore.slot(1, 16) + 15] = 1 }
        },
        Damage("a wrong beginning of a longer text", .textSlot) { sample, patch in
            try patch.edit(sample.chunk("tag")) { $0[SampleStore.slot(1, 16) + 4] ^= 1 }
        },
        Damage("a string that is not UTF-8", .textEncoding, .entryMissing, .entryStray) { sample, patch in
            try patch.edit(sample.chunk("name")) { $0[SampleStore.slot(1, 16) + 5] = 0xFF }
        },
        Damage("an element that is not UTF-8", .textEncoding) { sample, patch in
            try patch.edit(sample.chunk("words")) { $0[SampleStore.heap(1, $0) + 4] = 0xFF }
        },
    ]

    @Test(arguments: values)
    func `a value that cannot be is found`(_ damage: Damage) throws { try damage.check() }

    @Test(arguments: ["plain", "ratio", "weight", "when", "name", "data", "oid", "uuid", "boss", "number"])
    func `a value outside of the zone map is found`(_ column: String) throws {
        let narrowed = Damage("narrowed", .zoneMap) { sample, patch in
            try patch.edit(sample.chunk(column)) {
                $0.replaceSubrange(40..<48, with: $0[32..<40])
            }
        }
        try narrowed.check()
        #expect(try narrowed.report().kinds == [.zoneMap])
        let emptied = Damage("emptied", .zoneMap) { sample, patch in
            try patch.edit(sample.chunk(column)) { $0[ChunkLayout.flags] = ChunkLayout.hasZoneMap }
        }
        #expect(try emptied.report().kinds == [.zoneMap])
        let absent = Damage("absent") { sample, patch in
            try patch.edit(sample.chunk(column)) { $0[ChunkLayout.flags] = 0 }
        }
        expectSound(try absent.report())
    }

    @Test func `a packed chunk is decoded and its values are checked`() throws {
        let sample = try SampleStore(limits: EngineLimits())
        do {
            let patch = try Patch(sample.options.path)
            #expect(
                try patch.bytes(sample.chunk("id"))[ChunkLayout.encoding] == ChunkEncoding.packed.rawValue)
            try patch.edit(sample.chunk("id")) { $0.replaceSubrange(40..<48, with: $0[32..<40]) }
            try patch.edit(sample.chunk("when")) { $0.removeLast() }
        }
        #expect(try Verify.run(sample.options).kinds == [.zoneMap, .chunkInvalid])
    }
}
