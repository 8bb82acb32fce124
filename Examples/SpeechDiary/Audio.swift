import Cairn
import Foundation

/// A recording: what the list shows of it, and where its sound is.
final class Audio: Object {
    /// The name of the recording, which is also that of its file without the extension.
    @Persisted var id: String
    /// The name of its file in the diary's folder. Not a path: folders move.
    @Persisted var url: String
    /// When it was recorded, where the file says so.
    @Persisted var recordedDate: Date?
    /// In seconds.
    @Persisted var duration: Double
    /// What was said, where the file says so.
    @Persisted var transcript: String

    override class func primaryKey() -> String? { "id" }
}

extension Audio {
    convenience init(fileNamed name: String, _ recording: WaveRecording) {
        self.init()
        id = (name as NSString).deletingPathExtension
        url = name
        recordedDate = recording.date
        duration = recording.duration
        transcript = recording.comment ?? ""
    }
}
