import DurabilityWorkload
import TestSupport
import Testing

@Suite struct `A store in the child of a fork` {
    /// A read transaction that is ended gives its place in the reader table back, which the child shares with
    /// its parent: the parent's version was no longer held, and its pages were written over.
    @Test func `took the parent's version away when it dropped its session`() throws {
        let folder = try ScratchFolder()
        let child = try ChildProcess("fork-store", [folder.file])
        #expect(
            child.finish() == ["usedAfterFork", "usedAfterFork", "child ended with 0", "readers: 1", "ok"])
        #expect(child.exitStatus == 0)
        #expect(try WholeFile.check(folder.ledger) == 50)
    }
}
