import CairnStorage
import Testing

private func isSound(_ chunk: [UInt8], _ validate: (UnsafeRawBufferPointer) throws -> Void) -> Bool {
    let error = failure { try chunk.withUnsafeBytes { try validate($0) } }
    #expect(error == nil || error?.code == .damaged)
    return error == nil
}

@Suite struct `Validating directories and buckets` {
    private func directory(_ columns: [UInt16], announced: Int? = nil) -> [UInt8] {
        var chunk = PlainChunk(.bits, slotCount: 448)
        chunk.store(UInt8(2), at: 17)
        chunk.store(UInt16(announced ?? columns.count), at: 22)
        return chunk.bytes[..<104] + columns.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private func bucket(width: UInt8, groupCount: UInt32, count: UInt32, byteCount: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(byteCount, 48))
        bytes[16] = 1
        bytes[17] = 3
        bytes[18] = width
        withUnsafeBytes(of: groupCount.littleEndian) { bytes.replaceSubrange(20..<24, with: $0) }
        withUnsafeBytes(of: count.littleEndian) { bytes.replaceSubrange(24..<28, with: $0) }
        return Array(bytes[..<byteCount])
    }

    @Test(arguments: [[], [1], [1, 2, 3], [1, 300, 65_535], Array(1...20)] as [[UInt16]])
    func `columns that rise are a directory`(columns: [UInt16]) {
        #expect(isSound(directory(columns), { try ChunkValidator.validateDirectory($0) }))
        #expect(
            !isSound(
                directory(columns, announced: columns.count + 1), { try ChunkValidator.validateDirectory($0) }
            ))
        #expect(!isSound(directory(columns) + [9], { try ChunkValidator.validateDirectory($0) }))
    }

    @Test(arguments: [[0], [0, 1], [1, 1], [2, 1], [1, 65_535, 2]] as [[UInt16]])
    func `columns that do not rise from 1 are refused`(columns: [UInt16]) {
        #expect(!isSound(directory(columns), { try ChunkValidator.validateDirectory($0) }))
    }

    @Test func `a directory is no column and a column no directory`() {
        let column = PlainChunk(.bits, slotCount: 448).bytes
        #expect(!isSound(column, { try ChunkValidator.validateDirectory($0) }))
        #expect(
            !isSound(directory([])) { _ = try ChunkValidator.columnEncoding($0, shape: .bits) })
    }

    @Test(arguments: [4, 8] as [UInt8], [1, 2, 63] as [UInt32])
    func `a bucket has exactly one size`(width: UInt8, groupCount: UInt32) {
        let byteCount = 48 + Int(groupCount) * (32 + 8 * Int(width))
        for size in [byteCount - 1, byteCount, byteCount + 1] {
            let chunk = bucket(width: width, groupCount: groupCount, count: 3, byteCount: size)
            #expect(isSound(chunk, { try ChunkValidator.validateBucket($0) }) == (size == byteCount))
        }
    }

    @Test func `a bucket has no more entries than places`() {
        for (count, isAllowed) in [(0, true), (16, true), (17, false)] as [(UInt32, Bool)] {
            let chunk = bucket(width: 4, groupCount: 2, count: count, byteCount: 48 + 2 * 64)
            #expect(isSound(chunk, { try ChunkValidator.validateBucket($0) }) == isAllowed)
        }
    }

    @Test func `a bucket without groups, of another width or with something in unused fields is refused`() {
        let none = bucket(width: 4, groupCount: 0, count: 0, byteCount: 48)
        let width = bucket(width: 5, groupCount: 1, count: 0, byteCount: 48 + 72)
        let largest = bucket(width: 8, groupCount: .max, count: .max, byteCount: 48)
        var filled = bucket(width: 4, groupCount: 1, count: 0, byteCount: 48 + 64)
        filled[47] = 1
        for chunk in [none, width, largest, filled] {
            #expect(!isSound(chunk, { try ChunkValidator.validateBucket($0) }))
        }
    }

    @Test func `a bucket that is cut short is refused`() {
        let whole = bucket(width: 4, groupCount: 1, count: 0, byteCount: 48 + 64)
        for length in 0..<whole.count {
            #expect(!isSound(Array(whole[..<length]), { try ChunkValidator.validateBucket($0) }))
        }
    }

    @Test func `the encoding of a chunk is told from its first bytes`() throws {
        for (bytes, expected) in [
            (PlainChunk(.text, slotCount: 2).bytes, ChunkEncoding.plain), (directory([7]), .directory),
            (bucket(width: 4, groupCount: 1, count: 0, byteCount: 112), .bucket),
        ] {
            #expect(try bytes.withUnsafeBytes { try ChunkHeader.encoding(of: $0) } == expected)
        }
    }
}
