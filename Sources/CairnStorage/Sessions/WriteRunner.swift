/// Runs a body on the thread that a write transaction of LMDB belongs to.
///
/// LMDB ties a write transaction to the thread that began it, and fails the whole store when that
/// thread ends first. A write in closure form runs everything on the caller's thread; all others run
/// what touches LMDB on the store's writer thread.
package protocol WriteRunner: Sendable {
    /// Runs the body there and returns when it has ended.
    func run<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result
}

/// Runs the body where it is called.
package struct CallingThread: WriteRunner {
    package init() {}

    package func run<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        try body()
    }
}
