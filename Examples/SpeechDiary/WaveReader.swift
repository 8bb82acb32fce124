import Foundation

/// Reads what a WAV file says of itself. It reads the heads of the chunks and passes the sound over, and
/// believes no length before it has compared it with what is there.
package struct WaveReader {
    private let file: FileHandle
    private var format: WaveFormat?
    private var soundByteCount: Int?
    private var texts: [String: String] = [:]

    // Longer ones are passed over: nobody's comment, and it would be read into memory.
    private static let textLimit = 64 * 1024

    /// - Throws: `WaveFault`, or the error of the file system.
    package static func read(_ url: URL) throws -> WaveRecording {
        // Opening a pipe would wait for somebody who writes into it.
        let file = url.resolvingSymlinksInPath()
        guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
            throw WaveFault.notAFile
        }
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var reader = WaveReader(file: handle)
        try reader.readChunks()
        return try reader.recording()
    }

    private init(file: FileHandle) { self.file = file }

    private mutating func readChunks() throws {
        let fileEnd = Int(try file.seekToEnd())
        guard fileEnd >= 12 else { throw WaveFault.notWave }
        let head = WaveBytes(try bytes(at: 0, count: 12))
        guard head.name(at: 0) == "RIFF", head.name(at: 8) == "WAVE" else { throw WaveFault.notWave }
        let length = head.number(at: 4)
        guard length <= fileEnd - 8 else {
            throw WaveFault.cutShort(part: "RIFF", says: length, has: fileEnd - 8)
        }
        // What follows the RIFF's end is none of its business.
        try forEachChunk(from: 12, to: 8 + length) { try take($0) }
    }

    private struct Chunk {
        var name: String
        var content: Range<Int>
    }

    private func forEachChunk(from start: Int, to end: Int, _ body: (Chunk) throws -> Void) throws {
        var place = start
        // Fewer than eight bytes at the end are no chunk; some recorders leave a byte there.
        while end - place >= 8 {
            let head = WaveBytes(try bytes(at: place, count: 8))
            let (name, length) = (head.name(at: 0), head.number(at: 4))
            guard length <= end - place - 8 else {
                throw WaveFault.cutShort(part: name, says: length, has: end - place - 8)
            }
            try body(Chunk(name: name, content: place + 8..<place + 8 + length))
            place += 8 + length + length % 2
        }
    }

    private mutating func take(_ chunk: Chunk) throws {
        switch chunk.name {
        case "fmt ":
            guard format == nil else { throw WaveFault.twoChunks("fmt") }
            guard chunk.content.count >= WaveFormat.byteCount else {
                throw WaveFault.cutShort(part: "fmt", says: WaveFormat.byteCount, has: chunk.content.count)
            }
            format = try WaveFormat(
                WaveBytes(try bytes(at: chunk.content.lowerBound, count: WaveFormat.byteCount)))
        case "data":
            guard soundByteCount == nil else { throw WaveFault.twoChunks("data") }
            soundByteCount = chunk.content.count
        case "LIST": try takeTexts(chunk.content)
        default: break
        }
    }

    private mutating func takeTexts(_ list: Range<Int>) throws {
        guard list.count >= 4, try bytes(at: list.lowerBound, count: 4) == Data("INFO".utf8) else { return }
        var found = texts
        try forEachChunk(from: list.lowerBound + 4, to: list.upperBound) { chunk in
            guard chunk.content.count <= Self.textLimit else { return }
            let content = try bytes(at: chunk.content.lowerBound, count: chunk.content.count)
            found[chunk.name] = String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
        }
        texts = found
    }

    private func recording() throws -> WaveRecording {
        guard let format else { throw WaveFault.noChunk("fmt") }
        guard let soundByteCount else { throw WaveFault.noChunk("data") }
        return WaveRecording(
            channelCount: format.channelCount, sampleRate: format.sampleRate,
            frameByteCount: format.frameByteCount, soundByteCount: soundByteCount,
            date: texts["ICRD"].flatMap { try? Date($0, strategy: .iso8601) },
            comment: texts["ICMT"])
    }

    private func bytes(at place: Int, count: Int) throws -> Data {
        guard count > 0 else { return Data() }
        try file.seek(toOffset: UInt64(place))
        let data = try file.read(upToCount: count) ?? Data()
        // It was there when the lengths were compared: somebody is cutting the file.
        guard data.count == count else {
            throw WaveFault.cutShort(part: "file", says: count, has: data.count)
        }
        return data
    }
}

/// The first numbers of a chunk 'fmt ', as far as they go together.
struct WaveFormat {
    static let byteCount = 16

    let channelCount: Int
    let sampleRate: Int
    let frameByteCount: Int

    init(_ bytes: WaveBytes) throws {
        // Plain samples, samples as floating-point numbers, and either behind a longer chunk.
        let coding = bytes.shortNumber(at: 0)
        guard [1, 3, 0xFFFE].contains(coding) else { throw WaveFault.unknownCoding(coding) }
        channelCount = bytes.shortNumber(at: 2)
        sampleRate = bytes.number(at: 4)
        frameByteCount = bytes.shortNumber(at: 12)
        let sampleBitCount = bytes.shortNumber(at: 14)
        guard channelCount > 0 else { throw WaveFault.impossibleFormat("no channel") }
        guard sampleRate > 0 else { throw WaveFault.impossibleFormat("no sample a second") }
        guard sampleBitCount > 0, frameByteCount == channelCount * ((sampleBitCount + 7) / 8) else {
            throw WaveFault.impossibleFormat(
                "\(frameByteCount) bytes for \(channelCount) samples of \(sampleBitCount) bits")
        }
        guard bytes.number(at: 8) == sampleRate * frameByteCount else {
            throw WaveFault.impossibleFormat(
                "\(bytes.number(at: 8)) bytes for \(sampleRate) times \(frameByteCount)")
        }
    }
}

/// Bytes that hold names of four letters and little-endian numbers.
struct WaveBytes {
    private let bytes: [UInt8]

    init(_ data: Data) { bytes = Array(data) }

    /// What is no letter of ASCII becomes a question mark: names are shown to people.
    func name(at place: Int) -> String {
        let letters = bytes[place..<place + 4].map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: letters, as: UTF8.self)
    }

    func number(at place: Int) -> Int { shortNumber(at: place) | shortNumber(at: place + 2) << 16 }

    func shortNumber(at place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
}
