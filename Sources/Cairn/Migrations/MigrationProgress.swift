/// How far a migration has come, in rows.
final class MigrationProgress {
    /// - SeeAlso: `Realm.Configuration.migrationProgress`
    typealias Report = @Sendable (_ done: Int, _ total: Int) -> Void

    private let report: Report?
    private(set) var total = 0
    private var done = 0
    private var reported = -1

    init(_ report: Report?) {
        self.report = report
    }

    /// Says how much there is to do.
    func begin(total: Int) {
        self.total = total
        tell()
    }

    /// Notes that rows are done. Told to the program a hundred times at most, and once in the end.
    func advance(by count: Int) {
        done = min(total, done + count)
        if done - reported >= max(1, total / 100) { tell() }
    }

    /// Everything is done, also what the block has left out.
    func end() {
        done = total
        if reported != done { tell() }
    }

    private func tell() {
        reported = done
        report?(done, total)
    }
}
