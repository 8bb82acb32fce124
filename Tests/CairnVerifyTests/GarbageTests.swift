import CairnStorage
import Foundation
import TestSupport
import Testing

/// Records that carry the right checksum and say anything at all: no trap, whatever they say.
@Suite struct GarbageTests {
    #if DEBUG
    private static let roundCount = 40
    #else
    private static let roundCount = 250
    #endif

    @Test(arguments: [1, UInt64.random(in: .min ... .max)], SoundFileTests.Limits.allCases)
    func `verify ends whatever sealed records say`(seed: UInt64, limits: SoundFileTests.Limits) throws {
        let sample = try SampleStore(limits: limits.limits, rowCount: 40)
        let image = try [UInt8](reading: sample.options.path)
        let isLong = ProcessInfo.processInfo.environment["CAIRN_LONG"] != nil
        var chance = SeededGenerator(seed: seed)
        let folder = try TestFolder()
        var soundCount = 0
        for _ in 0..<(isLong ? Self.roundCount * 20 : Self.roundCount) {
            try folder.write(image)
            do {
                let patch = try Patch(folder.file)
                for _ in 0..<Int.random(in: 1...3, using: &chance) { try Self.mutate(patch, &chance) }
            }
            do throws(StorageError) {
                if try Verify.run(.testing(folder.file, limits: limits.limits)).isSound { soundCount += 1 }
            } catch {
                // The first bytes of the identity have gone.
                #expect([.notADatabase, .newerFormat].contains(error.code))
            }
        }
        print("garbage of seed \(seed), \(limits): \(soundCount) of the files were sound")
    }

    private static func mutate(_ patch: Patch, _ chance: inout SeededGenerator) throws {
        guard let name = Patch.Name.allCases.randomElement(using: &chance),
            let key = try patch.keys(name).randomElement(using: &chance)
        else { return }
        if Int.random(in: 0..<8, using: &chance) == 0 { return try patch.remove(name, key) }
        var random = chance
        if name == .ordered {
            var key = key
            Mutation.apply(to: &key, using: &random)
            if (1...511).contains(key.count) { try patch.put(.ordered, key, [1, 0, 0, 0]) }
        } else {
            try patch.edit(name, key) { bytes in
                repeat { Mutation.apply(to: &bytes, using: &random) } while bytes.count < 8
            }
        }
        chance = random
    }
}

/// Damage as it comes: bits, bytes, numbers at their limits, cut and repeated pieces.
private enum Mutation {
    static func apply(to bytes: inout [UInt8], using random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return bytes.append(0) }
        // Half of the damage falls on the header and what follows it closely.
        let reach = Bool.random(using: &random) ? min(bytes.count, 120) : bytes.count
        let place = Int.random(in: 0..<reach, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 3: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
        case 4:
            for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
        case 5: bytes.removeSubrange(place..<min(place + Int.random(in: 1...9, using: &random), bytes.count))
        case 6: bytes.insert(contentsOf: bytes[place..<min(place + 4, bytes.count)], at: place)
        default: bytes[place] &+= Bool.random(using: &random) ? 1 : 255
        }
    }
}
