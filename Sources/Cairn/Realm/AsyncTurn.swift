internal import CairnStorage

/// A signal that one task waits for, as often as it comes.
final class Turn: Sendable {
    private struct State {
        var hasCome = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Guarded(State())

    func come() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting == nil { state.hasCome = true }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    func wait(_isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state in
                defer { state.hasCome = false }
                if !state.hasCome { state.waiting = continuation }
                return state.hasCome
            }
            if hasCome { continuation.resume() }
        }
    }
}

/// How a commit has ended, for the one task that waits for that.
final class AsyncCommit: Sendable {
    private let result = Guarded<Result<Snapshot, StorageError>?>(nil)
    private let turn = Turn()

    func come(_ result: Result<Snapshot, StorageError>) {
        self.result.withLock { $0 = result }
        turn.come()
    }

    /// Why there was no commit, if that is known by now.
    var failure: StorageError? {
        guard case .failure(let error) = result.withLock({ $0 }) else { return nil }
        return error
    }

    func outcome(_isolation: isolated (any Actor)? = #isolation) async -> Result<Snapshot, StorageError> {
        while true {
            if let result = result.withLock({ $0 }) { return result }
            await turn.wait()
        }
    }
}
