internal import Foundation

// Eight threads with a connection each: SQLite lets one write at a time, and each commit is a sync.
extension SQLiteContender: ConcurrentContender {
    var rowCount: Int { data.rowCount }

    func insertSmall(_ count: Int, writers: Int) throws -> Answer {
        let failure = NSLock()
        nonisolated(unsafe) var first: (any Error)?
        nonisolated(unsafe) let contender = self
        DispatchQueue.concurrentPerform(iterations: writers) { writer in
            do {
                try contender.insert(
                    stride(from: writer, to: count, by: writers), on: contender.connectAgain())
            } catch {
                failure.withLock { first = first ?? error }
            }
        }
        if let first { throw first }
        return Answer(count: count)
    }

    private func insert(_ places: StrideTo<Int>, on connection: SQLiteConnection) throws {
        try connection.run("PRAGMA synchronous = FULL; PRAGMA busy_timeout = 60000")
        let statement = try connection.prepare("INSERT INTO mission VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for place in places { try bind(place, to: statement).run() }
    }
}
