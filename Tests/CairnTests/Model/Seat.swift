import Cairn
import Foundation

/// A thread with a Realm of its own, which carries out one thing at a time while the others wait.
final class Seat: @unchecked Sendable {
    // @unchecked: whoever gives it something to do waits until it is done.

    private let wanted = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private var job: (() throws -> Void)?
    private var failure: (any Error)?

    /// The Realm of the thread; nil while it is closed.
    var realm: Realm?
    /// What it must show.
    var world = World()
    /// Accessors that are kept, with the numbers of their objects, and lists.
    var heldHubs: [(hub: Hub, number: Int)] = []
    var heldLeaves: [(leaf: Leaf, number: Int)] = []
    var heldLists: [(list: List<Leaf>, number: Int)] = []

    init() {
        let thread = Thread { [wanted, done] in
            while true {
                wanted.wait()
                guard let job = self.job else { break }
                do { try job() } catch { self.failure = error }
                self.job = nil
                done.signal()
            }
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    func run(_ body: @escaping () throws -> Void) throws {
        job = body
        wanted.signal()
        done.wait()
        defer { failure = nil }
        if let failure { throw failure }
    }

    /// Ends the thread.
    func end() {
        job = nil
        wanted.signal()
        done.wait()
    }

    /// Lets go of what it keeps.
    func forget() {
        heldHubs = []
        heldLeaves = []
        heldLists = []
    }
}
