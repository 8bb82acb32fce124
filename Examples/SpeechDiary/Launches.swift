import Foundation

/// Three launches of the app, one after the other, on one folder. Each opens the diary anew.
struct Launches {
    let folder: URL

    /// Takes the recordings of a folder and lists them.
    func first(recordings: URL) throws {
        print("First launch: recordings from \(recordings.lastPathComponent)")
        let diary = try Diary(folder: folder)
        for refusal in try diary.takeRecordings(from: recordings) {
            print("  not taken: \(refusal.fileName), \(refusal.reason)")
        }
        list(diary)
    }

    /// Finds them again, and deletes the oldest.
    func second() throws {
        let diary = try Diary(folder: folder)
        print("Second launch: \(Self.count(diary.newestFirst.count)) found")
        guard let oldest = diary.newestFirst.last else { return }
        print("  deleted: \(oldest.id)")
        try diary.delete(oldest)
        list(diary)
    }

    /// Notices that somebody has thrown a file away.
    func third() throws {
        let diary = try Diary(folder: folder)
        if let newest = diary.newestFirst.first {
            try FileManager.default.removeItem(at: diary.soundFile(of: newest))
        }
        print("Third launch: \(Self.count(diary.newestFirst.count)) found")
        for audio in diary.withoutSound { print("  missing: \(audio.url), \"\(audio.transcript)\"") }
    }

    private func list(_ diary: Diary) {
        for audio in diary.newestFirst {
            let date = audio.recordedDate?.formatted(Self.dates) ?? "at an unknown time"
            let duration = (audio.duration * 10).rounded() / 10
            print("  \(date), \(duration) s: \(audio.id), \"\(audio.transcript)\"")
        }
    }

    private static func count(_ count: Int) -> String { count == 1 ? "1 recording" : "\(count) recordings" }

    private static let dates = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
}
