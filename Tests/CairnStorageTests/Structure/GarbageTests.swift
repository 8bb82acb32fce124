import CairnStorage
import TestSupport
import Testing

/// Whatever the bytes are, the check ends, and tells.
@Suite struct GarbageTests {
    @Test(arguments: [0, 1, 15, 16, 151, 152, 4_096, 4_247, 4_248, 8_191, 8_192, 100_000])
    func `zeros and random bytes are no database`(byteCount: Int) throws {
        var chance = SeededGenerator(seed: UInt64(byteCount))
        let file = try DataFile()
        for isRandom in [false, true] {
            var image = FileImage(bytes: Array(repeating: 0, count: byteCount))
            if isRandom { image.randomize(0..<byteCount, using: &chance) }
            try file.replace(with: image)
            let report = try file.check()
            #expect(!report.isSound)
            #expect(report.version == nil)
        }
    }

    @Test(arguments: [1, UInt64.random(in: .min ... .max)])
    func `pages of random bytes are survived`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let file = try SampleFile.make()
        let sample = try file.image()
        for _ in 0..<200 {
            var image = sample
            for page in 2..<image.pageCount where Int.random(in: 0..<8, using: &chance) == 0 {
                let start = page * FileImage.pageByteCount
                // Mostly behind a head that is believed, so that the walk goes on inside.
                let head = [0, 12, FileImage.headByteCount].randomElement(using: &chance)!
                image.randomize(start + head..<start + FileImage.pageByteCount, using: &chance)
            }
            try file.replace(with: image)
            _ = try file.check()
        }
    }

    @Test(arguments: [1, UInt64.random(in: .min ... .max)])
    func `many changed fields at once are survived`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let file = try SampleFile.make()
        let sample = try file.image()
        let numbers: [UInt16] = [0, 1, 2, 4, 15, 16, 17, 18, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 4094, 4096]
        for _ in 0..<400 {
            var image = sample
            for _ in 0..<Int.random(in: 1...40, using: &chance) {
                let page = Int.random(in: 0..<image.pageCount, using: &chance)
                let limit = [16, 152, 4_094].randomElement(using: &chance)!
                let number = Bool.random(using: &chance) ? numbers.randomElement(using: &chance)! : nil
                image.set(
                    page, Int.random(in: 0..<limit, using: &chance),
                    number ?? UInt16.random(in: .min ... .max, using: &chance))
            }
            try file.replace(with: image)
            _ = try file.check(version: Bool.random(using: &chance) ? nil : sample.transaction - 1)
        }
    }

    @Test(arguments: [4_096, 8_192, 16_384, 32_768] as [UInt32])
    func `meta pages in front of garbage are survived with any page size`(pageByteCount: UInt32) throws {
        var chance = SeededGenerator(seed: UInt64(pageByteCount))
        let sample = try SampleFile.make().image()
        let file = try DataFile()
        for round in 0..<40 {
            var image = FileImage(bytes: Array(repeating: 0, count: 40 * Int(pageByteCount)))
            image.randomize(image.bytes.indices, using: &chance)
            for index in 0..<2 {
                let start = index * Int(pageByteCount)
                image.bytes.replaceSubrange(start..<start + 4_096, with: sample.bytes(index, 0, 4_096))
                image.set(0, start + 40, pageByteCount)
            }
            if round % 2 == 0 { image.set(0, 88 + 40, UInt64(round % 40)) }
            try file.replace(with: image)
            #expect(try !file.check().isSound)
        }
    }
}

extension FileImage {
    fileprivate mutating func randomize(_ range: Range<Int>, using chance: inout SeededGenerator) {
        var index = range.lowerBound
        while index < range.upperBound {
            let number = chance.next().bytes.prefix(range.upperBound - index)
            bytes.replaceSubrange(index..<index + number.count, with: number)
            index += number.count
        }
    }
}
