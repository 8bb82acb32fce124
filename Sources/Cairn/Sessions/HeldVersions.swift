internal import CairnStorage
internal import Foundation

/// Which versions of a store its sessions hold, and since when.
final class HeldVersions: Sendable {
    /// What one session holds.
    final class Holder: Sendable {
        struct State {
            var version: Version?
            var since = Date.distantPast
        }

        // Under a lock: written where the session is, read everywhere.
        private let state = Guarded(State())
        let name: String
        let isFrozen: Bool

        init(_ name: String, isFrozen: Bool) {
            self.name = name
            self.isFrozen = isFrozen
        }

        func hold(_ version: Version?) {
            state.withLock { state in
                guard state.version != version else { return }
                state.version = version
                state.since = Date()
            }
        }

        var held: State { state.withLock { $0 } }
    }

    private let holders = Guarded<[UInt64: Holder]>([:])

    func add(_ holder: Holder, number: UInt64) { holders.withLock { $0[number] = holder } }

    func remove(number: UInt64) { _ = holders.withLock { $0.removeValue(forKey: number) } }

    var all: [Holder] { holders.withLock { Array($0.values) } }
}
