import Testing

/// Contents that tests of damage share.
enum SampleFile {
    static let databases = ["chunks", "empty", "names"]

    /// Makes a file with integer keys over three levels and runs of several pages, byte keys, an empty
    /// database, and a free list.
    static func make() throws -> DataFile {
        let file = try DataFile()
        let environment = try LMDBEnvironment(file)
        try environment.write { writer in
            _ = try writer.byteKeys("empty")
            let chunks = try writer.integerKeys("chunks")
            for key in 0..<2_000 as Range<UInt64> { try writer.put(chunks, key * 3, value(key, 7)) }
            for key in 0..<12 as Range<UInt64> {
                try writer.put(chunks, key * 501 + 1, value(key, 3_000 * (Int(key) + 1)))
            }
            let names = try writer.byteKeys("names")
            for key in 0..<1_500 { try writer.put(names, name(key), value(UInt64(key), key % 60)) }
        }
        try environment.write { writer in
            let names = try writer.byteKeys("names")
            for key in 400..<800 { try writer.delete(names, name(key)) }
            let chunks = try writer.integerKeys("chunks")
            for key in 0..<4 as Range<UInt64> { try writer.delete(chunks, (key * 501 + 1).bytes) }
        }
        try environment.write { try $0.put($0.byteKeys("names"), Array("z".utf8), [1]) }
        return file
    }

    /// Keys that grow in steps of many lengths.
    static func name(_ number: Int) -> [UInt8] {
        Array("name \(1_000_000 + number * 7)".utf8) + Array(repeating: 0x2E, count: number % 90)
    }

    static func value(_ number: UInt64, _ byteCount: Int) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: number &* 31), count: byteCount)
    }
}
