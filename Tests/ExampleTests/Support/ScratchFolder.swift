import Foundation

/// A folder that goes when its test does.
final class ScratchFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("example-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ data: Data, as name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }
}
