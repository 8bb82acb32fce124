import CairnStorage
import Testing

/// A look at a file whose newest version is visible.
private func level(_ version: UInt64) -> CommitLook {
    CommitLook(publishedID: version, visibleID: version)
}

/// A look between the two steps of the commit of a version.
private func behind(_ version: UInt64) -> CommitLook {
    CommitLook(publishedID: version, visibleID: version - 1)
}

/// A schedule, the time, and what a test does with them.
private struct Bench {
    var now = Duration.seconds(1_000)
    var schedule: LookSchedule
    var reports: [UInt64] = []

    init(after version: UInt64 = 10, isPolled: Bool = false) {
        schedule = LookSchedule(after: version, isPolled: isPolled, at: now)
    }

    /// A bench whose first look is done, at rest.
    static var atRest: Bench {
        var bench = Bench()
        bench.look(level(10))
        return bench
    }

    mutating func event(after wait: Duration = .zero) {
        now += wait
        schedule.noteEvent(at: now)
    }

    /// Looks when it is due; false when it is not. Returns how long it was waited for.
    @discardableResult
    mutating func look(_ look: CommitLook?) -> Duration? {
        guard let due = schedule.dueTime else { return nil }
        let wait = max(.zero, due - now)
        now += wait
        if let report = schedule.noteLook(look, at: now) { reports.append(report) }
        return wait
    }

    /// The waits of looks that all see the same, up to a number or to rest.
    mutating func waits(_ look: CommitLook?, atMost count: Int) -> [Duration] {
        var waits: [Duration] = []
        while waits.count < count, let wait = self.look(look) { waits.append(wait) }
        return waits
    }
}

@Suite struct LookScheduleTests {
    @Test func `the first look is at once, and a file without news is then at rest`() {
        var bench = Bench()
        #expect(bench.look(level(10)) == .zero)
        #expect(bench.schedule.dueTime == nil && bench.reports.isEmpty)
    }

    @Test func `a commit before the watch is reported by the first look`() {
        var bench = Bench()
        bench.look(level(12))
        #expect(bench.reports == [12] && bench.schedule.dueTime == nil)
    }

    @Test func `an event is looked after at once, and its commit ends the looking`() {
        var bench = Bench.atRest
        bench.event(after: .seconds(9))
        #expect(bench.look(level(11)) == .zero)
        #expect(bench.reports == [11] && bench.schedule.dueTime == nil)
    }

    @Test func `a commit that is published and not visible is looked after faster and faster`() {
        var bench = Bench.atRest
        bench.event(after: .seconds(9))
        let waits = bench.waits(behind(11), atMost: 12)
        let expected = [0, 50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000]
        #expect(waits == expected.map { .microseconds($0) })
        bench.look(level(11))
        #expect(bench.reports == [11] && bench.schedule.dueTime == nil)
    }

    @Test(arguments: [behind(11), nil])
    func `a file that stays behind is looked at once a second without end`(look: CommitLook?) {
        var bench = Bench.atRest
        bench.event(after: .seconds(9))
        let start = bench.now
        var fast = 0
        while bench.now - start < .seconds(1) {
            bench.look(look)
            fast += 1
        }
        #expect(fast < 120)
        #expect(bench.waits(look, atMost: 10_000) == Array(repeating: .seconds(1), count: 10_000))
        bench.look(level(11))
        #expect(bench.reports == [11] && bench.schedule.dueTime == nil)
    }

    @Test func `an event that nothing explains is looked after for a while, and then no more`() {
        var bench = Bench.atRest
        bench.event(after: .seconds(9))
        let waits = bench.waits(level(10), atMost: 1_000)
        #expect(waits.count < 125 && bench.schedule.dueTime == nil && bench.reports.isEmpty)
        #expect(waits.dropFirst().allSatisfy { $0 >= .milliseconds(2) && $0 <= .seconds(1) })
        #expect(waits.filter { $0 == .seconds(1) }.count == 5)
        // And the next commit is noticed like any other.
        bench.event(after: .seconds(3))
        #expect(bench.look(level(11)) == .zero && bench.reports == [11])
    }

    @Test func `events come as they like, looks no closer than two milliseconds`() {
        var bench = Bench.atRest
        let start = bench.now
        var looks = 0
        while bench.now - start < .seconds(1) {
            bench.event(after: .microseconds(10))
            if let due = bench.schedule.dueTime, due <= bench.now {
                bench.look(level(10))
                looks += 1
            }
        }
        #expect(looks > 400 && looks <= 501)
    }

    @Test func `an event while a look is due does not put it off`() {
        var bench = Bench.atRest
        bench.event(after: .seconds(9))
        bench.look(behind(11))
        let due = bench.schedule.dueTime
        bench.event(after: .microseconds(10))
        #expect(bench.schedule.dueTime == due)
    }

    @Test func `own commits are no news, and explain their events`() {
        var bench = Bench.atRest
        bench.event(after: .seconds(9))  // a data page
        bench.look(level(10))
        bench.event()  // the meta page
        bench.schedule.noteOwnCommit(11)
        bench.look(level(11))
        #expect(bench.reports.isEmpty && bench.schedule.dueTime == nil)
    }

    @Test func `a commit of others before an own one is reported`() {
        var bench = Bench.atRest
        bench.schedule.noteOwnCommit(12)
        bench.event(after: .seconds(9))
        bench.look(level(12))
        #expect(bench.reports == [12])
    }

    @Test func `own commits may be noted out of order, twice and late`() {
        var bench = Bench.atRest
        for commit in [13, 12, 12, 9, 11] as [UInt64] { bench.schedule.noteOwnCommit(commit) }
        bench.event(after: .seconds(9))
        bench.look(level(13))
        #expect(bench.reports.isEmpty)
        bench.event(after: .seconds(9))
        bench.look(level(14))
        #expect(bench.reports == [14])
    }

    @Test func `own commits beyond a gap are kept in bounded number`() {
        var bench = Bench.atRest
        for commit in (12...500 as ClosedRange<UInt64>).reversed() { bench.schedule.noteOwnCommit(commit) }
        bench.event(after: .seconds(9))
        bench.look(level(500))
        #expect(bench.reports == [500])
    }

    @Test func `without events the file is looked at ten times a second`() {
        var bench = Bench(isPolled: true)
        bench.event()
        #expect(bench.waits(level(10), atMost: 4) == [.zero] + Array(repeating: .milliseconds(100), count: 3))
        #expect(bench.waits(behind(11), atMost: 3) == Array(repeating: .milliseconds(100), count: 3))
        bench.look(level(11))
        #expect(bench.reports == [11] && bench.schedule.dueTime == bench.now + .milliseconds(100))
    }

    @Test func `when the events are lost the file is looked at regularly from then on`() {
        var bench = Bench.atRest
        bench.schedule.startPolling(at: bench.now)
        #expect(bench.look(level(11)) == .zero && bench.look(level(11)) == .milliseconds(100))
        #expect(bench.reports == [11])
    }
}
