import CairnStorage
import DurabilityWorkload
import Foundation

/// A folder of its own for a test, removed at the end.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        // Resolved, as the paths of open files are.
        path =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
            .appendingPathComponent("cairn-durability-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o777)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var file: String { path + "/data" }
    var ledger: LedgerStore { LedgerStore(path: file) }

    func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
