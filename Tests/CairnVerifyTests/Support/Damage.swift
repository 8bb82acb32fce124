import CairnStorage
import Testing

/// One way to damage a sample, and what has to be found then.
struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kinds: [VerifyFinding.Kind]
    private let change: @Sendable (SampleStore, Patch) throws -> Void

    init(
        _ name: String, _ kinds: VerifyFinding.Kind...,
        change: @escaping @Sendable (SampleStore, Patch) throws -> Void
    ) {
        testDescription = name
        self.kinds = kinds
        self.change = change
    }

    /// Chunks are left plain, so that a change is easy to make.
    static let sample = Result {
        var limits = EngineLimits()
        limits.packsChunks = false
        return try SampleStore(limits: limits)
    }

    /// Verifies a copy of the sample with the damage.
    func report() throws -> VerifyReport {
        let sample = try Self.sample.get()
        let folder = try TestFolder()
        try folder.copy(sample.options.path)
        do {
            let patch = try Patch(folder.file)
            try change(sample, patch)
        }
        return try Verify.run(.testing(folder.file))
    }

    /// Expects the findings that belong to the damage.
    func check() throws {
        let report = try report()
        #expect(!report.isSound && report.coversContents)
        let found = report.kinds
        for kind in kinds { #expect(found.contains(kind), "found \(report.findings.prefix(5))") }
        for finding in report.findings { #expect(!finding.description.isEmpty) }
    }
}

extension SampleStore {
    var directory: ChunkKey { ChunkKey(things.space, 0, .directory) }

    /// Where a slot of a plain chunk begins.
    static func slot(_ slot: Int, _ width: Int) -> Int { ChunkLayout.slots + slot * width }

    /// The value id in a slot of texts or lists.
    func valueID(_ name: String, slot: Int, _ patch: Patch) throws -> UInt64 {
        try patch.bytes(chunk(name)).load(at: Self.slot(slot, 16) + 8)
    }

    /// Where the heap bytes of a slot begin in its chunk.
    static func heap(_ slot: Int, _ chunk: [UInt8]) -> Int {
        let slotCount = Int(chunk.load(at: ChunkLayout.slotCount, as: UInt16.self))
        return Self.slot(slotCount, 16) + Int(chunk.load(at: Self.slot(slot, 16) + 8, as: UInt32.self))
    }
}
