import CairnStorage
import Testing

@Suite struct CatalogueDamageTests {
    private static let damages: [Damage] = [
        Damage("a definition without its checksum", .catalogRecord) { sample, patch in
            try patch.edit(.catalog, Patch.key("T", sample.things.space), isSealed: false) { $0[20] ^= 1 }
        },
        Damage("a definition with an unknown flag", .catalogRecord) { sample, patch in
            try patch.edit(.catalog, Patch.key("T", sample.things.space)) { $0[9] |= 0x80 }
        },
        Damage("a definition that is cut short", .catalogRecord) { sample, patch in
            try patch.edit(.catalog, Patch.key("T", sample.things.space)) { $0.removeLast() }
        },
        Damage("a state with something behind it", .catalogRecord) { sample, patch in
            try patch.edit(.catalog, Patch.key("S", sample.things.space)) { $0.append(0) }
        },
        Damage("a state with counts that cannot be", .catalogRecord) { sample, patch in
            try patch.edit(.catalog, Patch.key("S", sample.things.space)) { $0.store(UInt64.max, at: 16) }
        },
        Damage("an identity without its checksum", .catalogRecord) { _, patch in
            try patch.edit(.catalog, Array("H".utf8), isSealed: false) { $0[40] ^= 1 }
        },
        Damage("counters that cannot be", .catalogRecord) { _, patch in
            try patch.edit(.catalog, Array("C".utf8)) { $0.store(UInt32(0), at: 32) }
        },
        Damage("no state", .catalogMissing) { sample, patch in
            try patch.remove(.catalog, Patch.key("S", sample.things.space))
        },
        Damage("no counters", .catalogMissing) { _, patch in try patch.remove(.catalog, Array("C".utf8)) },
        Damage("an unknown key", .catalogStray) { _, patch in
            try patch.put(.catalog, Array("X".utf8), [1, 2, 3])
        },
        Damage("a table without a number", .catalogStray) { _, patch in
            try patch.put(.catalog, Patch.key("T", SpaceID(0)), [1, 2, 3])
        },
        Damage("a state without a definition", .catalogStray) { sample, patch in
            let state = try patch.bytes(.catalog, Patch.key("S", sample.things.space)) ?? []
            try patch.add(.catalog, Patch.key("S", SpaceID(99)), state)
        },
        Damage("two tables with one name", .schema) { sample, patch in
            try patch.edit(.catalog, Patch.key("T", sample.places.space)) {
                $0.replaceSubrange(14..<19, with: Array("Thing".utf8))
            }
        },
        Damage("a space ahead of its counter", .counter) { _, patch in
            try patch.edit(.catalog, Array("C".utf8)) { $0.store(UInt32(2), at: 32) }
        },
        Damage("a catalogue of a later version", .counter) { _, patch in
            try patch.edit(.catalog, Array("C".utf8)) { $0.store(UInt64(1_000_000), at: 24) }
        },
        Damage("value ids ahead of their counter", .counter) { _, patch in
            try patch.edit(.catalog, Array("C".utf8)) { $0.store(UInt64(1), at: 8) }
        },
    ]

    @Test(arguments: damages)
    func `damage in the catalogue is found`(_ damage: Damage) throws {
        if damage.testDescription.hasPrefix("an identity") {
            // Nothing else can be read then: the seed of the hash indexes is not known.
            #expect(try damage.report().kinds == [.catalogRecord])
        } else {
            try damage.check()
        }
    }

    @Test func `a definition that cannot be read makes no noise about what it owned`() throws {
        let damage = Damage("definition") { sample, patch in
            try patch.edit(.catalog, Patch.key("T", sample.places.space), isSealed: false) { $0[20] ^= 1 }
        }
        #expect(try damage.report().kinds == [.catalogRecord])
    }

    @Test func `a table whose state is missing makes no noise about its indexes`() throws {
        let damage = Damage("state") { sample, patch in
            try patch.remove(.catalog, Patch.key("S", sample.things.space))
        }
        #expect(try damage.report().kinds == [.catalogMissing])
    }
}
