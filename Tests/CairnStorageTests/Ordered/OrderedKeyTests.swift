import CairnStorage
import TestSupport
import Testing

@Suite struct `Keys of ordered entries` {
    /// Corners, and random values.
    static func values(_ kind: ValueKind) -> [StoredValue] {
        var generator = TestSeed.generator(UInt64(kind.rawValue))
        return ValueModel.corners(kind) + (0..<120).map { _ in ValueModel.random(kind, &generator) }
    }

    @Test(arguments: ValueKind.indexable)
    func `compare as their values do`(kind: ValueKind) throws {
        let values = Self.values(kind)
        let keys = values.map { indexKey(kind, $0, RowKey(5)) }
        let areCut = try keys.map { try $0.parts(kind).isCut }
        for (left, leftKey) in keys.enumerated() {
            for (right, rightKey) in keys.enumerated() {
                let expected = ValueModel.compare(values[left], values[right], kind)
                let found = leftKey == rightKey ? 0 : leftKey.isBefore(rightKey) ? -1 : 1
                if expected == found { continue }
                // Cut at the same place: only the values tell.
                let isGroup = found == 0 && areCut[left] && areCut[right]
                let pair = "\(values[left], default: "nil") \(values[right], default: "nil")"
                #expect(isGroup, "\(pair) \(TestSeed.comment)")
            }
        }
    }

    @Test(arguments: ValueKind.indexable)
    func `are read back as they were written`(kind: ValueKind) throws {
        for value in Self.values(kind) {
            let key = indexKey(kind, value, RowKey(1234), space: 0xABCD)
            #expect(key.count <= OrderedKey.maximumByteCount)
            try key.withUnsafeBytes { key in
                let parts = try OrderedKey.parse(key, kind: kind)
                #expect(parts.space == SpaceID(0xABCD))
                #expect(parts.rowKey == RowKey(1234))
                #expect(parts.isNull == (value == nil))
                var decoded: [UInt8] = [9]
                switch try OrderedKey.decode(parts.value, kind: kind, into: &decoded) {
                case .null: #expect(value == nil)
                case .value:
                    #expect(!parts.isCut)
                    #expect(
                        value != nil && ValueModel.compare(value, decoded, kind) == 0, "\(TestSeed.comment)")
                case .prefix:
                    #expect(parts.isCut)
                    #expect(value?.starts(with: decoded) == true && decoded != value, "\(TestSeed.comment)")
                }
            }
        }
    }

    @Test(arguments: ValueKind.indexable)
    func `have values of which none begins another`(kind: ValueKind) {
        let encoded = Set(Self.values(kind).map { indexKey(kind, $0, RowKey(0)).dropLast(8) })
        for left in encoded {
            for right in encoded where left.count > right.count && left.starts(with: right) {
                Issue.record("\(right) begins \(left)")
            }
        }
    }

    @Test func `are cut only where the escaped text passes 477 bytes, and not within a pair`() throws {
        func cut(_ text: [UInt8]) throws -> (Bool, Int) {
            let key = indexKey(.string, text, RowKey(0))
            return (try key.parts(.string).isCut, key.count - 2 - 8)
        }
        let letters = [UInt8](repeating: 0x61, count: 475)
        #expect(try cut(letters + [0x61, 0x61]) == (false, 480))
        #expect(try cut(letters + [0x61, 0x61, 0x61]) == (true, 480))
        #expect(try cut(letters + [0]) == (false, 480))
        #expect(try cut(letters + [0x61, 0]) == (true, 479))
        #expect(try cut(letters + [0, 0]) == (true, 480))
    }

    @Test func `are bytes as the format's page says`() {
        let row: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 2]
        let space: [UInt8] = [0, 7]
        func key(_ kind: ValueKind, _ value: StoredValue) -> [UInt8] { indexKey(kind, value, RowKey(0x102)) }
        #expect(key(.int, nil) == space + [0] + row)
        #expect(key(.bool, [1]) == space + [1, 1] + row)
        #expect(
            key(.int, ValueModel.bytes(Int64(-2))) == space + [1, 0x7F] + Array(repeating: 0xFF, count: 6) + [
                0xFE
            ] + row)
        #expect(
            key(.double, ValueModel.bytes(1.0.bitPattern)) == space + [1, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0] + row)
        #expect(
            key(.float, ValueModel.bytes(Float(-1).bitPattern)) == space + [1, 0x40, 0x0F]
                + Array(repeating: 0xFF, count: 6) + row)
        #expect(
            key(.date, ValueModel.bytes(Double.nan.bitPattern)) == space + [1, 0, 0, 0, 0, 0, 0, 0, 0] + row)
        #expect(key(.string, [0x61, 0, 0x62]) == space + [1, 0x61, 0, 0xFF, 0x62, 0, 1] + row)
        var buffer = OrderedKeyBuffer()
        buffer.setBacklinkKey(SpaceID(0x0102), target: RowKey(3), origin: RowKey(4))
        #expect(Array(buffer.bytes) == [1, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4])
    }

    @Test func `of backlinks are read back as they were written`() throws {
        var buffer = OrderedKeyBuffer()
        buffer.setBacklinkKey(SpaceID(9), target: RowKey(70_000), origin: RowKey(1 << 40))
        let parts = try OrderedKey.parse(buffer.bytes, kind: .backlinks)
        #expect(parts.space == SpaceID(9))
        #expect(parts.target == RowKey(70_000))
        #expect(parts.rowKey == RowKey(1 << 40))
        #expect(!parts.isCut)
    }
}

@Suite struct `A damaged key of ordered entries` {
    /// What a key says must be what the buffer writes for it: then nothing damaged was let through.
    private func reencode(_ key: [UInt8], _ kind: ValueKind) throws(StorageError) -> [UInt8] {
        try key.withUnsafeBufferPointer { bytes throws(StorageError) in
            let parts = try OrderedKey.parse(UnsafeRawBufferPointer(bytes), kind: kind)
            guard kind != .backlinks else {
                var buffer = OrderedKeyBuffer()
                buffer.setBacklinkKey(parts.space, target: parts.target, origin: parts.rowKey)
                return Array(buffer.bytes)
            }
            var value: [UInt8] = []
            let decoded = try OrderedKey.decode(parts.value, kind: kind, into: &value)
            // What was cut off behind 477 bytes began with an escape pair.
            if decoded == .prefix { value += parts.value.count == 479 ? [0, 0] : [0x61, 0x61, 0x61] }
            return indexKey(kind, decoded == .null ? nil : value, parts.rowKey, space: parts.space.value)
        }
    }

    @Test(arguments: ValueKind.indexable + [.backlinks])
    func `is refused, or says what it says`(kind: ValueKind) {
        var generator = TestSeed.generator(100 + UInt64(kind.rawValue))
        var refusedCount = 0
        for _ in 0..<4000 {
            var key =
                kind == .backlinks
                ? [0, 7] + [UInt8](repeating: 0, count: 16)
                : indexKey(kind, ValueModel.random(kind, &generator), RowKey(generator.next() % 100_000))
            for _ in 0..<Int.random(in: 0...2, using: &generator) where !key.isEmpty {
                let place = Int.random(in: 0..<key.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: key[place] = [0, 1, 2, 0xFF].randomElement(using: &generator)!
                case 1: key.remove(at: place)
                case 2: key.insert([0, 1, 0xFF].randomElement(using: &generator)!, at: place)
                default: key.removeSubrange(place...)
                }
            }
            do throws(StorageError) {
                #expect(try reencode(key, kind) == key, "\(TestSeed.comment)")
            } catch {
                refusedCount += 1
                #expect(error.code == .damaged)
            }
        }
        #expect(refusedCount > 100)
    }

    @Test(arguments: ValueKind.indexable + [.backlinks])
    func `is refused when it is only noise`(kind: ValueKind) {
        var generator = TestSeed.generator(200 + UInt64(kind.rawValue))
        for count in 0..<600 {
            let key = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() & 0x0F) }
            #expect(throws: StorageError.self) { try key.parts(kind) }
        }
    }
}
