// A diary of somebody who learns English by speaking: it keeps recordings, and finds them again.
//
//     SpeechDiary [folder with WAV files]
//
// The diary itself is made in a folder for the occasion; the folder of recordings is only read.
// `ExampleTests` compares what it prints.

import Foundation

let shipped = Bundle.module.bundleURL.appendingPathComponent("Recordings")
let recordings = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) } ?? shipped
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "speech-diary-\(UUID().uuidString)")

do {
    defer { try? FileManager.default.removeItem(at: folder) }
    let launches = Launches(folder: folder)
    try launches.first(recordings: recordings)
    try launches.second()
    try launches.third()
} catch {
    FileHandle.standardError.write(Data("SpeechDiary: \(error.localizedDescription)\n".utf8))
    exit(1)
}
