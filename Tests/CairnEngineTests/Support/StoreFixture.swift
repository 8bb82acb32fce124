import CairnStorage
import Foundation

/// A store in a folder of its own, whose file is checked when the test has ended.
final class StoreFixture {
    let options: StoreOptions
    private let folder: String
    /// Nil between the ends of `close` and `open`.
    private(set) var openStore: Store?

    var store: Store {
        guard let openStore else { preconditionFailure("a test used its store after it was closed") }
        return openStore
    }

    private init(_ configuration: StoreConfiguration) throws {
        folder =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
            .appendingPathComponent("cairn-engine-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        options = configuration.options(path: folder + "/data")
        try open()
    }

    deinit {
        openStore = nil
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs a body with a new store, then closes everything and checks the file.
    ///
    /// Sessions and snapshots must end with the body: it returns nothing that holds one.
    static func run(
        _ configuration: StoreConfiguration = StoreConfiguration(), _ body: (StoreFixture) throws -> Void
    ) throws {
        let fixture = try StoreFixture(configuration)
        try body(fixture)
        fixture.close()
        try fixture.check()
    }

    func open() throws {
        openStore = try Store.open(options)
    }

    /// Sessions and snapshots must have ended.
    func close() {
        openStore = nil
    }

    /// Checks the closed file: with `verify`, and by another way.
    func check() throws {
        let report = try Verify.run(options)
        guard report.isSound, report.coversContents, report.findings.isEmpty else {
            throw ModelFailure("verify: \(report.findings.map(\.description))")
        }
        try ContentAudit(options).run()
    }
}

/// What a test varies about its store.
struct StoreConfiguration: CustomStringConvertible {
    var limits = EngineLimits.tiny
    var spillByteCount = 16 << 10
    var window = ChangeWindow()
    /// Tiny, so that decoded chunks are dropped and decoded again.
    var cacheByteCount = 64 << 10

    /// The limits of a program.
    static let standard = StoreConfiguration(
        limits: EngineLimits(), spillByteCount: 128 << 20, cacheByteCount: 64 << 20)

    var description: String {
        let size = limits.hashGrowth == EngineLimits.tiny.hashGrowth ? "tiny" : "standard"
        let chunks = limits.packsChunks ? "packed" : "plain"
        return
            "\(size) limits, \(chunks) chunks, spill at \(spillByteCount), window of \(window.versionLimit)"
    }

    func options(path: String) -> StoreOptions {
        var options = StoreOptions(
            path: path, durability: .none, verifyChecksums: true, cacheByteCount: cacheByteCount,
            spillByteCount: spillByteCount, changeWindow: window)
        options.limits = limits
        return options
    }
}

/// What a comparison of the engine with a model, or with itself, has found.
struct ModelFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws what is found where the claim does not hold.
func require(_ claim: Bool, _ found: @autoclosure () -> String) throws {
    if !claim { throw ModelFailure(found()) }
}

extension Store {
    /// Runs a body as one write of a new session.
    func change(_ body: (Session) throws -> Void) throws {
        let session = try makeSession()
        try write(session) { try body(session) }
    }

    /// Runs a body with a new session, which its tables do not keep alive.
    func read(_ body: (Session) throws -> Void) throws {
        let session = try makeSession()
        try withExtendedLifetime(session) { try body(session) }
        try session.throwDamage()
    }
}
