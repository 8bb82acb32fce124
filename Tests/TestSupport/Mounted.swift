internal import Foundation

/// A small file system of its own for a test, unmounted at the end.
package final class Mounted {
    package enum Kind: String, CaseIterable, Sendable {
        case tmpfs, ext4
    }

    package struct Failure: Error {
        package let what: String
    }

    package let path: String
    private let image: String?

    package init(_ kind: Kind = .tmpfs, byteCount: Int) throws {
        path = NSTemporaryDirectory() + "cairn-mount-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        switch kind {
        case .tmpfs:
            image = nil
            try Self.check(mount("tmpfs", path, "tmpfs", 0, "size=\(byteCount)"), "mount")
        case .ext4:
            let image = path + ".image"
            self.image = image
            _ = FileManager.default.createFile(atPath: image, contents: nil)
            truncate(image, off_t(byteCount))
            try Self.run("mkfs.ext4", "-q", "-F", "-O", "^has_journal", "-m", "0", image)
            try Self.run("mount", "-o", "loop", image, path)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
        if let image { unlink(image) }
    }

    package func makeReadOnly() throws {
        try Self.check(mount(nil, path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil), "remount")
    }

    /// Whether this process may mount a file system, found by doing so.
    package static let isPossible = geteuid() == 0 && (try? Mounted(.tmpfs, byteCount: 1 << 20)) != nil
    /// Whether an image in a file can be mounted too.
    package static let isLoopPossible = isPossible && (try? Mounted(.ext4, byteCount: 4 << 20)) != nil

    private static func check(_ result: Int32, _ what: String) throws {
        if result != 0 { throw Failure(what: what + ": " + String(cString: strerror(errno))) }
    }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(what: arguments[0]) }
    }

    /// Fills the file system, but for so many bytes.
    package func fill(leaving byteCount: Int) throws {
        let path = path + "/fill"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let piece = [UInt8](repeating: 1, count: 4096)
        while write(handle.fileDescriptor, piece, piece.count) == piece.count {}
        fsync(handle.fileDescriptor)
        ftruncate(handle.fileDescriptor, lseek(handle.fileDescriptor, 0, SEEK_END) - off_t(byteCount))
        fsync(handle.fileDescriptor)
        try handle.close()
    }

    package func empty() {
        unlink(path + "/fill")
    }
}
