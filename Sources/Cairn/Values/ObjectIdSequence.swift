internal import CRuntime
internal import Synchronization

/// Where the last eight bytes of new identifiers come from: five of random, three of a count.
///
/// Both are one number that starts at random and counts up, so that a count that runs over goes on in
/// the random part: not even 17 million identifiers in one second meet each other again.
enum ObjectIdSequence {
    private static let last = Atomic<UInt64>(.random(in: 0...UInt64.max))

    // The child of a fork has its parent's number, and would make its parent's identifiers.
    private static let generation = Atomic<UInt64>(cairn_fork_generation())

    /// A number that this process has not had from here before. Any thread may ask.
    static func next() -> UInt64 {
        let current = cairn_fork_generation()
        if generation.load(ordering: .acquiring) != current { startAnew(current) }
        return last.wrappingAdd(1, ordering: .relaxed).newValue
    }

    // Two threads that are here at once both draw a number; both are good ones. Who sees the new
    // generation sees a new number too.
    private static func startAnew(_ current: UInt64) {
        last.store(.random(in: 0...UInt64.max), ordering: .relaxed)
        generation.store(current, ordering: .releasing)
    }
}
