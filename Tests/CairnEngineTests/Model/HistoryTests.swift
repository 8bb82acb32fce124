import CairnStorage
import Foundation
import Testing

/// Long random histories against plain dictionaries.
///
/// The seeds are fixed, so that a change is tested by the same histories each time. `CAIRN_LONG=n` makes
/// them n × 10 times as long and takes new seeds; `CAIRN_SEED` runs one seed everywhere, as a failure
/// prints it.
@Suite struct HistoryTests {
    static let configurations: [StoreConfiguration] = {
        var result: [StoreConfiguration] = []
        for spill in [0, 16 << 10, 128 << 20] {
            result.append(StoreConfiguration(spillByteCount: spill))
        }
        var plain = StoreConfiguration()
        plain.limits.packsChunks = false
        plain.window = ChangeWindow(versionLimit: 0)
        result.append(plain)
        var standard = StoreConfiguration.standard
        standard.window = ChangeWindow(versionLimit: 1)
        result.append(standard)
        standard.spillByteCount = 64 << 10
        result.append(standard)
        return result
    }()

    private static let environment = ProcessInfo.processInfo.environment
    private static let length = environment["CAIRN_LONG"].map { (Int($0) ?? 1) * 10 } ?? 1

    private static func seeds(_ count: Int) -> [UInt64] {
        if let given = environment["CAIRN_SEED"].flatMap(UInt64.init) { return [given] }
        return (0..<count).map { length > 1 ? UInt64.random(in: 0..<UInt64.max) : UInt64($0) }
    }

    @Test(arguments: configurations) func `a history ends as its model does`(
        _ configuration: StoreConfiguration
    ) throws {
        for seed in Self.seeds(2) {
            print("history with \(configuration): CAIRN_SEED=\(seed)")
            fflush(nil)
            do {
                try StoreFixture.run(configuration) { fixture in
                    let history = try History(fixture, seed: seed, comparisonInterval: 40)
                    try history.run(400 * Self.length)
                }
            } catch {
                Issue.record("with \(configuration), CAIRN_SEED=\(seed): \(error)")
            }
        }
    }

    /// The records of the window and the comparison of two versions find the same rows.
    @Test func `changes are the same whatever the window`() throws {
        for seed in Self.seeds(1) {
            print("history with three windows: CAIRN_SEED=\(seed)")
            fflush(nil)
            do {
                let wide = try toldChanges(seed, window: 1_000)
                let narrow = try toldChanges(seed, window: 1)
                let none = try toldChanges(seed, window: 0)
                try require(wide.count == narrow.count && wide.count == none.count, "the histories differ")
                for index in wide.indices {
                    try compare(wide[index], narrow[index])
                    try compare(wide[index], none[index])
                }
            } catch {
                Issue.record("CAIRN_SEED=\(seed): \(error)")
            }
        }
    }

    private func toldChanges(_ seed: UInt64, window: Int) throws -> [ChangeSet] {
        var configuration = StoreConfiguration()
        configuration.window.versionLimit = window
        var told: [ChangeSet] = []
        try StoreFixture.run(configuration) { fixture in
            let history = try History(fixture, seed: seed, comparisonInterval: 1_000, commitsOften: true)
            try history.run(500 * Self.length)
            told = history.toldChanges
        }
        return told
    }

    /// What is recorded is told, but for rows that were set to what they had.
    private func compare(_ recorded: ChangeSet, _ other: ChangeSet) throws {
        let versions = "from \(recorded.versionBefore) to \(recorded.version)"
        try require(
            recorded.versionBefore == other.versionBefore && recorded.version == other.version
                && recorded.catalogueChanged == other.catalogueChanged, "\(versions): other versions")
        for space in Set(recorded.tables.keys).union(other.tables.keys) {
            let left = recorded.changes(of: space)
            let right = other.changes(of: space)
            try require(left.inserted == right.inserted, "\(versions), \(space): other inserted rows")
            try require(left.deleted == right.deleted, "\(versions), \(space): other deleted rows")
        }
    }
}
