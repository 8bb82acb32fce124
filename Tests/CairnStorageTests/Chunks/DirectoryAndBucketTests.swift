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

    private func bucket(width: UInt8, capacity: UInt32, count: UInt32, byteCount: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(byteCount, 32))
        bytes[16] = 1
        bytes[17] = 3
        bytes[18] = width
        withUnsafeBytes(of: capacity.littleEndian) { bytes.replaceSubrange(20..<24, with: $0) }
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

    @Test(arguments: [4, 8] as [UInt8], [0, 1, 600] as [UInt32])
    func `a bucket has exactly one size`(width: UInt8, count: UInt32) {
        let byteCount = 32 + Int(count) * (4 + Int(width))
        for size in [byteCount - 1, byteCount, byteCount + 1] {
            let chunk = bucket(width: width, capacity: count, count: count, byteCount: size)
            #expect(isSound(chunk, { try ChunkValidator.validateBucket($0) }) == (size == byteCount))
        }
    }

    @Test func `a bucket may have room to spare, and never less than its entries`() {
        #expect(
            isSound(
                bucket(width: 4, capacity: 3, count: 2, byteCount: 56),
                { try ChunkValidator.validateBucket($0) }))
        #expect(
            !isSound(
                bucket(width: 4, capacity: 3, count: 4, byteCount: 56),
                { try ChunkValidator.validateBucket($0) }))
        #expect(
            !isSound(
                bucket(width: 5, capacity: 3, count: 3, byteCount: 59),
                { try ChunkValidator.validateBucket($0) }))
        let largest = bucket(width: 8, capacity: .max, count: .max, byteCount: 32)
        #expect(!isSound(largest, { try ChunkValidator.validateBucket($0) }))
    }

    @Test func `the encoding of a chunk is told from its first bytes`() throws {
        for (bytes, expected) in [
            (PlainChunk(.text, slotCount: 2).bytes, ChunkEncoding.plain), (directory([7]), .directory),
            (bucket(width: 4, capacity: 0, count: 0, byteCount: 32), .bucket),
        ] {
            #expect(try bytes.withUnsafeBytes { try ChunkHeader.encoding(of: $0) } == expected)
        }
    }
}
