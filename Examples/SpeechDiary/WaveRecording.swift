import Foundation

/// What the chunks of a WAV file say of it, without the sound itself.
///
///     RIFF length WAVE
///         fmt  length  kind, channels, samples a second, bytes a second, bytes a frame, bits a sample
///         data length  the sound
///         LIST length  INFO, then texts: ICRD the date of recording, ICMT a comment …
package struct WaveRecording: Equatable, Sendable {
    /// 1 for mono, 2 for stereo.
    package var channelCount: Int
    /// How many samples a second each channel has.
    package var sampleRate: Int
    /// How many bytes the samples of all channels at one moment take.
    package var frameByteCount: Int
    /// How many bytes the sound takes.
    package var soundByteCount: Int
    /// When it was recorded.
    package var date: Date?
    /// What somebody noted: here, what was said.
    package var comment: String?

    /// In seconds.
    package var duration: Double { Double(soundByteCount / frameByteCount) / Double(sampleRate) }
}

/// Why a file is not a recording that can be played.
package enum WaveFault: Error, Equatable, CustomStringConvertible {
    /// A folder, or a pipe.
    case notAFile
    case notWave
    /// A part says it has more bytes than there are.
    case cutShort(part: String, says: Int, has: Int)
    case noChunk(String)
    case twoChunks(String)
    /// The kind of coding: 1 would be plain samples.
    case unknownCoding(Int)
    /// Numbers of the format that cannot be, or do not go together.
    case impossibleFormat(String)

    package var description: String {
        switch self {
        case .notAFile: "it is not a file"
        case .notWave: "it is not a WAV file"
        case .cutShort(let part, let says, let has):
            "it is cut short: \(part) says \(says) bytes, and \(has) are left"
        case .noChunk(let name): "it has no chunk '\(name)'"
        case .twoChunks(let name): "it has two chunks '\(name)'"
        case .unknownCoding(let number):
            "its sound is coded in a way (number \(number)) that is not known here"
        case .impossibleFormat(let what): "its format cannot be: \(what)"
        }
    }
}
