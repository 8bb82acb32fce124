import Cairn
import Foundation
import Testing

/// Long random histories through the public API, against plain values in memory.
///
/// The seeds are fixed, so that a change is tested by the same histories each time. `CAIRN_LONG=n` makes
/// them n × 10 times as long and takes new seeds; `CAIRN_SEED` runs one seed, as a failure prints it, and
/// `CAIRN_TRACE` prints each step.
struct RealmHistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let length = environment["CAIRN_LONG"].map { (Int($0) ?? 1) * 10 } ?? 1

    static let seeds: [UInt64] = {
        if let given = environment["CAIRN_SEED"].flatMap(UInt64.init) { return [given] }
        return (0..<6).map { length > 1 ? UInt64.random(in: 0..<UInt64.max) : UInt64($0) }
    }()

    @Test(arguments: seeds) func `Realms that take turns show what the model says`(seed: UInt64) throws {
        print("history of Realms: CAIRN_SEED=\(seed)")
        fflush(nil)
        let scratch = try Scratch([Hub.self, Leaf.self])
        do {
            try RealmHistory(scratch.configuration(), seed: seed).run(60 * Self.length)
        } catch {
            Issue.record("CAIRN_SEED=\(seed): \(error)")
        }
        try scratch.verify()
    }
}
