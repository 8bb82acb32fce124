import CairnStorage
import Foundation

/// Runs bodies on threads of their own, which all begin at the same time.
enum Threads {
    private struct State {
        var waitingCount = 0
        var endedCount = 0
        var failures: [any Error] = []
    }

    /// - Parameter body: gets the number of its thread.
    /// - Throws: what the first of the bodies has thrown.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let state = Monitor(State())
        for number in 0..<count {
            let thread = Thread {
                state.withLock { $0.waitingCount += 1 }
                state.notifyAll()
                state.wait { $0.waitingCount == count ? () : nil }
                let result = Result { try body(number) }
                state.withLock { state in
                    if case .failure(let error) = result { state.failures.append(error) }
                    state.endedCount += 1
                }
                state.notifyAll()
            }
            thread.stackSize = 4 << 20
            thread.start()
        }
        state.wait { $0.endedCount == count ? () : nil }
        if let failure = state.withLock({ $0.failures.first }) { throw failure }
    }
}

/// Moves a value that is used by one thread at a time to another.
struct Handed<Value>: @unchecked Sendable {
    // @unchecked: the tests hand it over by waiting for the other thread, which the compiler cannot see.
    let value: Value
}
