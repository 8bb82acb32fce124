import Foundation
import SpeechDiary
import Testing

@Suite struct `The header of a WAV file` {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func read(_ data: Data) throws -> WaveRecording {
        try WaveReader.read(try folder.write(data, as: "recording.wav"))
    }

    @Test func `tells channels, rate, duration, date and comment`() throws {
        let file = WaveFile(
            channelCount: 2, sampleRate: 44_100, sound: 44_100 * 4 * 3 / 2,
            texts: [("ICRD", "2026-03-02T07:15:00Z\0"), ("ICMT", "Good morning!\0")])
        let recording = try read(file.data)
        #expect(recording.channelCount == 2)
        #expect(recording.sampleRate == 44_100)
        #expect(recording.frameByteCount == 4)
        #expect(recording.duration == 1.5)
        #expect(recording.date == Date(timeIntervalSince1970: 1_772_435_700))
        #expect(recording.comment == "Good morning!")
    }

    @Test func `may say nothing of date and comment`() throws {
        let recording = try read(WaveFile().data)
        #expect(recording.date == nil)
        #expect(recording.comment == nil)
        #expect(recording.duration == 1)
        #expect(try read(WaveFile(texts: [("ICRD", "last Monday")]).data).date == nil)
    }

    @Test func `may have other chunks, odd lengths, a longer format and bytes behind it`() throws {
        let list = WaveFile.chunk("ICMT", Data("odd".utf8))
        let file = WaveFile(
            others: [("JUNK", Data(count: 27)), ("LIST", Data("adtl".utf8) + list), ("LIST", Data())])
        #expect(try read(file.data).comment == nil)
        #expect(try read(file.data + Data(count: 3)).duration == 1)
        #expect(try read(WaveFile(sound: 0).data).duration == 0)
        #expect(try read(WaveFile(sampleBitCount: 24, sound: 24_000).data).duration == 1)
        #expect(try read(WaveFile(sampleBitCount: 8, sound: 8_001).data).duration == 8_001.0 / 8_000)
        #expect(try read(WaveFile(coding: 0xFFFE).data).duration == 1)
    }

    @Test(arguments: [
        (WaveFile(coding: 85), WaveFault.unknownCoding(85)),
        (WaveFile(channelCount: 0), .impossibleFormat("no channel")),
        (WaveFile(sampleRate: 0), .impossibleFormat("no sample a second")),
        (WaveFile(frameByteCount: 0), .impossibleFormat("0 bytes for 1 samples of 16 bits")),
        (WaveFile(sampleBitCount: 0), .impossibleFormat("0 bytes for 1 samples of 0 bits")),
        (WaveFile(byteRate: 7), .impossibleFormat("7 bytes for 8000 times 2")),
        (WaveFile(others: [("fmt ", WaveFile().format)]), .twoChunks("fmt")),
        (WaveFile(others: [("data", Data(count: 2))]), .twoChunks("data")),
        (WaveFile(others: [("fmt ", Data(count: 15))]), .cutShort(part: "fmt", says: 16, has: 15)),
    ])
    func `is refused where its numbers cannot be`(file: WaveFile, fault: WaveFault) {
        #expect(throws: fault) { try read(file.data) }
    }

    @Test func `is refused where a chunk is missing or longer than the file`() {
        let format = WaveFile.chunk("fmt ", WaveFile().format)
        let sound = WaveFile.chunk("data", Data(count: 4))
        let wave = Data("WAVE".utf8)
        #expect(throws: WaveFault.noChunk("data")) { try read(WaveFile.chunk("RIFF", wave + format)) }
        #expect(throws: WaveFault.noChunk("fmt")) { try read(WaveFile.chunk("RIFF", wave + sound)) }
        #expect(throws: WaveFault.notWave) { try read(WaveFile.chunk("RIFX", wave + format + sound)) }
        #expect(throws: WaveFault.notWave) { try read(WaveFile.chunk("RIFF", Data("AVI ".utf8) + format)) }
        let tooLong = Data("data".utf8) + WaveFile.number(Int(UInt32.max), 4) + Data(count: 10)
        #expect(throws: WaveFault.cutShort(part: "data", says: Int(UInt32.max), has: 10)) {
            try read(WaveFile.chunk("RIFF", wave + format + tooLong))
        }
        let badText = Data("INFOICMT".utf8) + WaveFile.number(99, 4) + Data("ab".utf8)
        #expect(throws: WaveFault.cutShort(part: "ICMT", says: 99, has: 2)) {
            try read(WaveFile.chunk("RIFF", wave + format + sound + WaveFile.chunk("LIST", badText)))
        }
    }

    @Test func `is refused at whatever byte the file ends`() throws {
        let whole = WaveFile(sound: 20, texts: [("ICMT", "cut")]).data
        for length in 0..<whole.count {
            #expect(throws: WaveFault.self, "\(length) bytes") { try read(whole.prefix(length)) }
        }
        #expect(try read(whole).comment == "cut")
    }

    @Test(arguments: [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8])
    func `is read or refused with any wrong byte`(wrong: UInt8) throws {
        let whole = WaveFile(sound: 6, texts: [("ICRD", "2026"), ("ICMT", "x")]).data
        for place in whole.indices {
            var data = whole
            data[place] = wrong
            do {
                #expect(try read(data).duration >= 0)
            } catch {
                #expect(error is WaveFault, "byte \(place): \(error)")
            }
        }
    }

    @Test func `is not sought in a folder, a pipe or nothing`() throws {
        #expect(throws: WaveFault.notAFile) { try WaveReader.read(folder.url) }
        let pipe = folder.url.appendingPathComponent("pipe.wav")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        #expect(throws: WaveFault.notAFile) { try WaveReader.read(pipe) }
        let link = folder.url.appendingPathComponent("link.wav")
        let file = try folder.write(WaveFile().data, as: "recording.wav")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(try WaveReader.read(link).duration == 1)
        #expect(throws: (any Error).self) {
            try WaveReader.read(folder.url.appendingPathComponent("nothing.wav"))
        }
    }
}
