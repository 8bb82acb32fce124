import Foundation
import TestSupport
import Testing

/// Case N04: whatever is written, where and in how many writes, what an observer knows and what it is told
/// make what is there.
struct NotificationHistoryTests {
    private static let rounds = ProcessInfo.processInfo.environment["CAIRN_LONG"] == nil ? 6 : 200

    @Test(arguments: 0..<rounds)
    func `the old collection and its change make the new one`(_ round: Int) throws {
        let random = SeededGenerator()
        var history = try NotificationHistory(random)
        try history.observe()
        try history.run(120)
        for follower in history.followers {
            #expect(
                follower.faults.isEmpty,
                "\(follower.name): \(follower.faults.prefix(3)) \(random.reproduction)")
        }
        // By far; one observer or another may have had nothing to be told.
        #expect(history.followers.map(\.updateCount).reduce(0, +) > 50, "\(random.reproduction)")
    }
}
