import Foundation
import Testing

@Suite struct `The speech diary` {
    @Test func `keeps the recordings that come with it`() throws {
        let output = try Example.run("SpeechDiary")
        #expect(
            output == """
                First launch: recordings from Recordings
                  2026-03-04 21:40:30Z, 2.7 s: weather, "The weather will be rather pleasant on Thursday."
                  2026-03-03 12:05:10Z, 3.0 s: question, "Could you tell me the way to the station, please?"
                  2026-03-02 07:15:00Z, 3.2 s: introduction, "Hello, my name is Mina, and I am learning English."
                Second launch: 3 recordings found
                  deleted: introduction
                  2026-03-04 21:40:30Z, 2.7 s: weather, "The weather will be rather pleasant on Thursday."
                  2026-03-03 12:05:10Z, 3.0 s: question, "Could you tell me the way to the station, please?"
                Third launch: 2 recordings found
                  missing: weather.wav, "The weather will be rather pleasant on Thursday."

                """)
    }

    @Test func `reports files that are no recordings, and takes the others`() throws {
        let folder = try ScratchFolder()
        let good = WaveFile(texts: [("ICRD", "2026-03-01T08:00:00Z"), ("ICMT", "Hello")]).data
        _ = try folder.write(good, as: "good.wav")
        _ = try folder.write(WaveFile(sound: 4_000).data, as: "undated.WAV")
        _ = try folder.write(good.prefix(1_000), as: "cut.wav")
        _ = try folder.write(Data(), as: "empty.wav")
        _ = try folder.write(Data("Dear diary".utf8), as: "letter.wav")
        _ = try folder.write(WaveFile(coding: 2).data, as: "packed.wav")
        _ = try folder.write(Data("not even called one".utf8), as: "notes.txt")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("folder.wav"), withIntermediateDirectories: true)
        let output = try Example.run("SpeechDiary", folder.url.path)
        #expect(
            output == """
                First launch: recordings from \(folder.url.lastPathComponent)
                  not taken: cut.wav, it is cut short: RIFF says 16090 bytes, and 992 are left
                  not taken: empty.wav, it is not a WAV file
                  not taken: folder.wav, it is not a file
                  not taken: letter.wav, it is not a WAV file
                  not taken: packed.wav, its sound is coded in a way (number 2) that is not known here
                  2026-03-01 08:00:00Z, 1.0 s: good, "Hello"
                  at an unknown time, 0.3 s: undated, ""
                Second launch: 2 recordings found
                  deleted: undated
                  2026-03-01 08:00:00Z, 1.0 s: good, "Hello"
                Third launch: 1 recording found
                  missing: good.wav, "Hello"

                """)
        // The folder of recordings is only read.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 8)
    }

    @Test func `is content with an empty folder`() throws {
        let folder = try ScratchFolder()
        let output = try Example.run("SpeechDiary", folder.url.path)
        #expect(
            output == """
                First launch: recordings from \(folder.url.lastPathComponent)
                Second launch: 0 recordings found
                Third launch: 0 recordings found

                """)
    }

    @Test func `says that there is no such folder`() throws {
        let failure = #expect(throws: Example.Failure.self) { try Example.run("SpeechDiary", "/nowhere") }
        #expect(failure?.status == 1)
        #expect(failure?.complaint.hasPrefix("SpeechDiary: ") == true)
    }
}
