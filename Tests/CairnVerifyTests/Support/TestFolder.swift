import CairnStorage
import Foundation

/// A folder of its own for a test, removed at the end.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
            .appendingPathComponent("cairn-verify-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var file: String { path + "/data" }

    /// Puts a data file here, without side files.
    func copy(_ file: String) throws {
        try FileManager.default.copyItem(atPath: file, toPath: self.file)
    }

    /// The same from memory, in place of what is here.
    func write(_ bytes: [UInt8]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }
}

extension StoreOptions {
    /// Options for tests: commits that need not survive a power loss, and a small map.
    static func testing(_ path: String, limits: EngineLimits = EngineLimits()) -> StoreOptions {
        var options = StoreOptions(path: path, maximumFileByteCount: 1 << 28, durability: .lastCommitAtRisk)
        options.limits = limits
        return options
    }
}

extension [UInt8] {
    init(reading path: String) throws {
        self = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Overwrites an integer, little-endian.
    mutating func store<T: FixedWidthInteger>(_ value: T, at offset: Int) {
        withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self) }
    }

    func load<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
        withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
    }
}
