// A week of an app that gets people out of bed: each morning has missions, and each mission its day.
// `ExampleTests` compares what it prints.

import Foundation

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "morning-glory-\(UUID().uuidString)")

do {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Morning(folder: folder).run()
} catch {
    FileHandle.standardError.write(Data("MorningGlory: \(error.localizedDescription)\n".utf8))
    exit(1)
}
