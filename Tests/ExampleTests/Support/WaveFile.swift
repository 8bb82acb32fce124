import Foundation

/// A WAV file put together by hand, sound or not.
struct WaveFile {
    var coding = 1
    var channelCount = 1
    var sampleRate = 8_000
    var byteRate: Int?
    var frameByteCount: Int?
    var sampleBitCount = 16
    /// In bytes, all zero.
    var sound = 16_000
    /// Pairs of a name and a text.
    var texts: [(String, String)] = []
    /// Pairs of a name and the bytes of a whole chunk, before the format.
    var others: [(String, Data)] = []

    var format: Data {
        let frame = frameByteCount ?? channelCount * ((sampleBitCount + 7) / 8)
        return Self.number(coding, 2) + Self.number(channelCount, 2) + Self.number(sampleRate, 4)
            + Self.number(byteRate ?? sampleRate * frame, 4) + Self.number(frame, 2)
            + Self.number(sampleBitCount, 2)
    }

    var data: Data {
        var content = Data("WAVE".utf8)
        for (name, bytes) in others { content += Self.chunk(name, bytes) }
        content += Self.chunk("fmt ", format)
        content += Self.chunk("data", Data(count: sound))
        if !texts.isEmpty {
            let list = texts.map { Self.chunk($0, Data($1.utf8)) }.reduce(Data("INFO".utf8), +)
            content += Self.chunk("LIST", list)
        }
        return Self.chunk("RIFF", content)
    }

    static func chunk(_ name: String, _ content: Data) -> Data {
        Data(name.utf8) + number(content.count, 4) + content + Data(count: content.count % 2)
    }

    static func number(_ value: Int, _ byteCount: Int) -> Data {
        Data((0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
