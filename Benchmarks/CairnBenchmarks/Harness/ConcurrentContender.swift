/// An engine that several writers use at a time. The answers are as in `Contender`.
protocol ConcurrentContender: Contender {
    var rowCount: Int { get }

    /// Stores missions `0..<count`, a durable write each, shared out among so many writers, who do not wait for
    /// one another. Ends when all are durable.
    func insertSmall(_ count: Int, writers: Int) throws -> Answer
}

extension Workload {
    /// How many writes the concurrent writers make, and how many writers there are.
    static let concurrentWriteCount = 4_000
    static let writerCount = 8

    /// The public API's and SQLite's alone, like a query.
    static let concurrent = Workload(
        name: "small_tx_async8", engineName: "small_tx_async8", kind: .startsEmpty, bar: 20, isQuery: true,
        isDurable: true, operationCount: { min(concurrentWriteCount, $0.rowCount) },
        run: { contender in
            guard let contender = contender as? any ConcurrentContender else { throw DoesNotTakePart() }
            return try contender.insertSmall(
                min(concurrentWriteCount, contender.rowCount), writers: writerCount)
        }, expect: { $0.insertFirst(min(concurrentWriteCount, $0.data.rowCount)) })
}
