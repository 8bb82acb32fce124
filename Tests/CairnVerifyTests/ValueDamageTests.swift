import CairnStorage
import Testing

@Suite struct ValueDamageTests {
    private static let values: [Damage] = [
        Damage("a text that is missing", .valueMissing) { sample, patch in
            try patch.remove(.values, Patch.key(sample.valueID("data", slot: 0, patch)))
        },
        Damage("a directory that is missing", .valueMissing) { sample, patch in
            try patch.remove(.values, Patch.key(sample.valueID("numbers", slot: 0, patch)))
        },
        Damage("a value that nobody uses", .valueUnused, .counter) { sample, patch in
            let bytes = try patch.bytes(.values, Patch.key(sample.valueID("data", slot: 0, patch))) ?? []
            try patch.add(.values, Patch.key(9_999_999), bytes)
        },
        Damage("a value that two rows use", .valueShared, .valueUnused) { sample, patch in
            let id = try sample.valueID("data", slot: 0, patch)
            try patch.edit(sample.chunk("data")) {
                $0.replaceSubrange(
                    SampleStore.slot(50, 16)..<SampleStore.slot(51, 16),
                    with: $0[SampleStore.slot(0, 16)..<SampleStore.slot(1, 16)])
                $0.store(id, at: SampleStore.slot(50, 16) + 8)
            }
        },
        Damage("a text of another length", .valueMismatch) { sample, patch in
            try patch.edit(.values, Patch.key(sample.valueID("data", slot: 0, patch))) { $0.removeLast() }
        },
        Damage("a text where a list belongs", .valueMismatch) { sample, patch in
            let text = try patch.bytes(.values, Patch.key(sample.valueID("data", slot: 0, patch))) ?? []
            try patch.add(.values, Patch.key(sample.valueID("numbers", slot: 0, patch)), text)
        },
        Damage("a flipped bit", .valueChecksum) { sample, patch in
            try patch.edit(.values, Patch.key(sample.valueID("data", slot: 0, patch)), isSealed: false) {
                $0[100] ^= 1
            }
        },
        Damage("an unknown kind", .valueInvalid) { sample, patch in
            try patch.edit(.values, Patch.key(sample.valueID("data", slot: 0, patch))) { $0[9] = 9 }
        },
        Damage("a value of nine bytes", .valueInvalid) { sample, patch in
            try patch.edit(.values, Patch.key(sample.valueID("data", slot: 0, patch))) {
                $0 = Array($0[..<9])
            }
        },
        Damage("something in a field that is zero", .valueInvalid) { sample, patch in
            try patch.edit(.values, Patch.key(sample.valueID("data", slot: 0, patch))) { $0[10] = 1 }
        },
        Damage("a directory whose counts do not add up", .valueInvalid) { sample, patch in
            try patch.edit(.values, Patch.key(sample.valueID("numbers", slot: 0, patch))) { $0[24] ^= 1 }
        },
        Damage("a piece whose texts do not rise", .valueInvalid) { sample, patch in
            let directory = try patch.bytes(.values, Patch.key(sample.valueID("words", slot: 0, patch))) ?? []
            try patch.edit(.values, Patch.key(directory.load(at: 16))) { $0.store(UInt32(1 << 20), at: 16) }
        },
        Damage("a piece that is not UTF-8", .textEncoding) { sample, patch in
            let directory = try patch.bytes(.values, Patch.key(sample.valueID("words", slot: 0, patch))) ?? []
            try patch.edit(.values, Patch.key(directory.load(at: 16))) { $0[$0.count - 3] = 0xFF }
        },
        Damage("a list that every row shares", .valueExcess) { sample, patch in
            try patch.edit(sample.chunk("numbers")) { bytes in
                let list = Array(bytes[SampleStore.slot(0, 16)..<SampleStore.slot(1, 16)])
                for slot in 0..<440 {
                    bytes.replaceSubrange(
                        SampleStore.slot(slot, 16)..<SampleStore.slot(slot + 1, 16), with: list)
                }
            }
        },
    ]

    @Test(arguments: values)
    func `damage of a large value is found`(_ damage: Damage) throws { try damage.check() }

    private static let changes: [Damage] = [
        Damage("a later version", .changeVersion) { _, patch in
            let key = try patch.keys(.changes)[0]
            try patch.add(.changes, Patch.key(1_000_000), patch.bytes(.changes, key) ?? [])
        },
        Damage("a flipped bit", .changeInvalid) { _, patch in
            try patch.edit(.changes, patch.keys(.changes)[0], isSealed: false) { $0[20] ^= 1 }
        },
        Damage("a record cut short", .changeInvalid) { _, patch in
            try patch.edit(.changes, patch.keys(.changes)[1]) { $0.removeLast() }
        },
    ]

    @Test(arguments: changes)
    func `damage of a record of changes is found`(_ damage: Damage) throws { try damage.check() }
}
