import CairnStorage
internal import Glibc
import TestSupport
import Testing

/// What the check promises about one flipped bit, tried on a file whose contents are known.
///
/// Where the check finds nothing, LMDB reads the file (a crash of it would be one of the tests), and:
/// - after a flip in the structure, everything is as it was;
/// - after one in a value or the size of one that has pages of its own, all keys are as they were;
/// - after one in a key, or in the lowest bit of a size, one entry at most reads differently;
/// - in all cases every key that is there is found by a search.
@Suite struct BitFlipTests {
    private static let databases: [String: KeyOrder] = [
        "chunks": .integers, "empty": .bytes, "names": .bytes,
    ]

    #if DEBUG
    private static let flipCount = 300
    #else
    private static let flipCount = 3_000
    #endif

    @Test(arguments: [1, 2, UInt64.random(in: .min ... .max)])
    func `a flipped bit is found, or is one that structure cannot show`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let file = try SampleFile.make()
        let image = try file.image()
        let contents = try read(file)
        let lists = image.pages(image.freeRecord)
        let trees =
            image.pages(image.mainRecord) + SampleFile.databases.flatMap { image.pages(image.record($0)) }
        var silent: [FlippedBit.Place: Int] = [:]
        for _ in 0..<Self.flipCount {
            let page = (lists + trees + [0, 1]).randomElement(using: &chance)!
            let isHead = page < 2
            let flip = FlippedBit(
                of: page, in: image, isFreeList: lists.contains(page) || isHead, using: &chance)
            var damaged = image
            damaged.flip(bit: flip.index)
            try file.replaceByte(at: flip.index / 8, with: damaged.bytes[flip.index / 8])
            if try file.check(databases: Self.databases).findings.isEmpty {
                silent[flip.place, default: 0] += 1
                compare(try read(file), contents, after: flip)
            }
            try file.replaceByte(at: flip.index / 8, with: image.bytes[flip.index / 8])
        }
        #expect(try file.check(databases: Self.databases).findings == [])
        // Most flips in values and in free space are silent, and few others.
        #expect(silent[.lowestSizeBit, default: 0] < 20, "\(silent)")
    }

    private typealias Contents = [String: [StoredEntry]]

    /// All that a reader sees. Keys that a search does not find are left out.
    private func read(_ file: DataFile) throws -> Contents {
        try LMDBEnvironment.reading(file).read { reader in
            var contents: Contents = [:]
            for (name, entries) in try reader.contents() {
                let database = try reader.database(name)
                contents[name] = entries.filter { reader.finds($0.key, in: database) }
            }
            return contents
        }
    }

    private func compare(_ new: Contents, _ old: Contents, after flip: FlippedBit) {
        let (page, offset) = (flip.index / 8 / 4096, flip.index / 8 % 4096)
        let text: Comment = "bit \(flip.index % 8) of byte \(offset) of page \(page), \(flip.place)"
        #expect(new.mapValues(\.count) == old.mapValues(\.count), text)
        // Compared outside `#expect`, which would print all contents.
        let isRight =
            switch flip.place {
            case .structure: new == old
            case .value, .runValueSize:
                new.mapValues { $0.map(\.key) } == old.mapValues { $0.map(\.key) }
            case .key, .lowestSizeBit: true
            }
        #expect(isRight, text)
        let changed = old.map { name, entries in
            zip(entries, new[name] ?? []).count { $0 != $1 }
        }
        #expect(changed.reduce(0, +) <= 1, text)
    }
}

extension DataFile {
    fileprivate func replaceByte(at offset: Int, with byte: UInt8) throws {
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        try #require(withUnsafeBytes(of: byte) { pwrite(descriptor, $0.baseAddress, 1, offset) } == 1)
    }
}
