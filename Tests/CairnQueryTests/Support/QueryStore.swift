import CairnQuery
import CairnStorage
import Foundation

/// A store in a folder of its own.
final class QueryStore {
    private let folder: String
    private let options: StoreOptions
    private var openStore: Store?

    var store: Store {
        guard let openStore else { preconditionFailure("a test used its store after it was closed") }
        return openStore
    }

    /// The data file.
    var path: String { options.path }

    init(limits: EngineLimits = EngineLimits(), verifyChecksums: Bool = false) throws {
        folder =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
            .appendingPathComponent("cairn-query-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var options = StoreOptions(
            path: folder + "/data", durability: .none, verifyChecksums: verifyChecksums)
        options.limits = limits
        self.options = options
        openStore = try Store.open(options)
    }

    deinit {
        openStore = nil
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a body as one write of a new session.
    func change(_ body: (Session) throws -> Void) throws {
        let session = try store.makeSession()
        try store.write(session) { try body(session) }
    }

    /// Runs a body with a new session. Nothing may keep the session.
    @discardableResult
    func read<Result>(_ body: (Session) throws -> Result) throws -> Result {
        let session = try store.makeSession()
        return try withExtendedLifetime(session) { try body(session) }
    }

    /// Sessions must have ended.
    func close() { openStore = nil }

    func open() throws { openStore = try Store.open(options) }
}
