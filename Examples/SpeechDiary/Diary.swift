import Cairn
import Foundation

/// The recordings of one person: their sound in a folder, and beside it the database of what is known
/// about them.
struct Diary {
    private let realm: Realm
    private let soundFolder: URL

    /// Opens the diary of a folder, or begins it.
    init(folder: URL) throws {
        soundFolder = folder.appendingPathComponent("sound")
        try FileManager.default.createDirectory(at: soundFolder, withIntermediateDirectories: true)
        realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: folder.appendingPathComponent("diary.realm"), objectTypes: [Audio.self]))
    }

    /// A file that was not taken, and why.
    struct Refusal {
        let fileName: String
        let reason: String
    }

    /// Copies the WAV files of a folder into the diary and stores an `Audio` for each, in one write.
    /// Files that cannot be read are left out and returned. One that is there already is replaced.
    func takeRecordings(from folder: URL) throws -> [Refusal] {
        var refusals: [Refusal] = []
        var taken: [Audio] = []
        for source in try Self.waveFiles(in: folder) {
            let name = source.lastPathComponent
            do {
                let recording = try WaveReader.read(source)
                try copy(source)
                taken.append(Audio(fileNamed: name, recording))
            } catch let fault as WaveFault {
                refusals.append(Refusal(fileName: name, reason: fault.description))
            } catch {
                refusals.append(Refusal(fileName: name, reason: "it cannot be read"))
            }
        }
        try realm.write { realm.add(taken, update: .modified) }
        return refusals
    }

    /// The recordings, the newest first; those without a date after all others.
    var newestFirst: [Audio] {
        Array(
            realm.objects(Audio.self).sorted(by: [
                SortDescriptor(keyPath: "recordedDate", ascending: false), "id",
            ]))
    }

    func recording(_ id: String) -> Audio? {
        realm.object(ofType: Audio.self, forPrimaryKey: id)
    }

    /// Takes a recording out of the diary, then its sound: the other way round, a crash in between would
    /// leave a recording that cannot be played.
    func delete(_ audio: Audio) throws {
        let file = soundFile(of: audio)
        try realm.write { realm.delete(audio) }
        try? FileManager.default.removeItem(at: file)
    }

    /// The recordings whose sound has gone.
    var withoutSound: [Audio] {
        newestFirst.filter { !FileManager.default.fileExists(atPath: soundFile(of: $0).path) }
    }

    func soundFile(of audio: Audio) -> URL { soundFolder.appendingPathComponent(audio.url) }

    private static func waveFiles(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension.lowercased() == "wav" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private func copy(_ source: URL) throws {
        let target = soundFolder.appendingPathComponent(source.lastPathComponent)
        try? FileManager.default.removeItem(at: target)
        try FileManager.default.copyItem(at: source, to: target)
    }
}
