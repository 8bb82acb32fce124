import CairnLMDB
import Foundation
import Testing

// Each test runs on a thread of its own: those of the test runner have their signals blocked.
@Suite struct `The file size signal` {
    @Test func `is blocked inside and not outside`() {
        let seen = onThread(blocking: false) {
            [isBlocked(), FileSizeSignal.withBlocked { isBlocked() }, isBlocked()]
        }
        #expect(seen == [false, true, false])
    }

    @Test(arguments: [false, true])
    func `that came inside is taken back`(wasBlocked: Bool) {
        // Delivered, it would have ended the process.
        let seen = onThread(blocking: wasBlocked) {
            let inside = FileSizeSignal.withBlocked {
                pthread_kill(pthread_self(), SIGXFSZ)
                return isPending()
            }
            return [inside, isPending(), isBlocked()]
        }
        #expect(seen == [true, false, wasBlocked])
    }

    @Test func `that was pending before is left alone`() {
        let seen = onThread(blocking: true) {
            pthread_kill(pthread_self(), SIGXFSZ)
            FileSizeSignal.withBlocked {}
            return [isPending()]
        }
        #expect(seen == [true])
    }

    @Test func `is restored when the body throws`() {
        struct Failure: Error {}
        let seen = onThread(blocking: false) {
            let result = Result { try FileSizeSignal.withBlocked { () throws(Failure) in throw Failure() } }
            guard case .failure = result else { return [] }
            return [isBlocked()]
        }
        #expect(seen == [false])
    }
}

/// What `body` returns on a thread made for it, with the signal blocked there or not.
private func onThread(blocking: Bool, _ body: @escaping @Sendable () -> [Bool]) -> [Bool] {
    /// Written by the thread before it ends, read after that.
    final class Answer: @unchecked Sendable {
        var value: [Bool] = []
    }
    let answer = Answer()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, SIGXFSZ)
        pthread_sigmask(blocking ? SIG_BLOCK : SIG_UNBLOCK, &only, nil)
        answer.value = body()
        done.signal()
    }
    thread.start()
    done.wait()
    return answer.value
}

private func isBlocked() -> Bool {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return sigismember(&mask, SIGXFSZ) == 1
}

private func isPending() -> Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGXFSZ) == 1
}
