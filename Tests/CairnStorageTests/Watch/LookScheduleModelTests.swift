import CairnStorage
import TestSupport
import Testing

/// A file, its writers and one watcher, in the steps that can come between one another:
///
///     writers, one after the other:   data page  →  meta page  →  visible
///                                     (event)       (published,
///                                                   then event)
///     own writer, any time after:     note
///     the watcher:                    drain the queue, look
private struct World {
    enum WriterStep { case dataPage, metaPage, visible }

    var schedule: LookSchedule
    var now = Duration.zero
    /// Who makes each of the commits that are left: the store itself or another process.
    var commits: ArraySlice<Bool>
    var step = WriterStep.dataPage
    var published: UInt64 = 0
    var visible: UInt64 = 0
    /// Whether the queue holds an event. More than one is merged into one.
    var hasEvent = false
    var notesLeft: [UInt64] = []
    var lastOfOthers: UInt64 = 0
    var reports: [UInt64] = []
    var isSound = true

    /// - Parameter commits: true for an own one.
    init(commits: [Bool]) {
        self.commits = commits[...]
        schedule = LookSchedule(after: 0, isPolled: false, at: now)
        look()
    }

    var writersAreDone: Bool { commits.isEmpty }

    mutating func write() {
        switch step {
        case .dataPage:
            hasEvent = true
            step = .metaPage
        case .metaPage:
            published += 1
            hasEvent = true
            step = .visible
        case .visible:
            visible = published
            if commits.removeFirst() { notesLeft.append(visible) } else { lastOfOthers = visible }
            step = .dataPage
        }
    }

    mutating func drain() {
        guard hasEvent else { return }
        hasEvent = false
        schedule.noteEvent(at: now)
    }

    /// Looks when it is due, at that time or now.
    mutating func look() {
        guard let due = schedule.dueTime else { return }
        now = max(now, due)
        let look = CommitLook(publishedID: published, visibleID: visible)
        guard let report = schedule.noteLook(look, at: now) else { return }
        isSound = isSound && report > reports.last ?? 0 && report <= visible
        reports.append(report)
    }

    mutating func note(_ index: Int) {
        schedule.noteOwnCommit(notesLeft.remove(at: index))
    }

    /// Whether the history, once its writers are done, ends as it must: at rest after a bounded number
    /// of looks, every commit of others reported.
    func endsWell() -> Bool {
        var end = self
        end.drain()
        var looks = 0
        while end.schedule.dueTime != nil, looks < 1_000 {
            end.look()
            looks += 1
        }
        return end.isSound && looks < 150 && end.reports.last ?? 0 >= end.lastOfOthers
    }
}

@Suite struct LookScheduleModelTests {
    /// Goes through every history that a world can have; false when one does not end well.
    private func allEndWell(_ world: World, looksLeft: Int, pausesLeft: Int, _ count: inout Int) -> Bool {
        if world.writersAreDone, world.notesLeft.isEmpty {
            count += 1
            return world.endsWell()
        }
        /// The rest of the histories after one more step.
        func goOn(looks: Int = looksLeft, pauses: Int = pausesLeft, _ step: (inout World) -> Void) -> Bool {
            var next = world
            step(&next)
            return allEndWell(next, looksLeft: looks, pausesLeft: pauses, &count)
        }
        if !world.writersAreDone, !goOn({ $0.write() }) { return false }
        if world.hasEvent, !goOn({ $0.drain() }) { return false }
        for index in world.notesLeft.indices where !goOn({ $0.note(index) }) { return false }
        if world.schedule.dueTime != nil, looksLeft > 0, !goOn(looks: looksLeft - 1, { $0.look() }) {
            return false
        }
        // A writer that takes its time: the back-off ends meanwhile.
        return pausesLeft == 0 || goOn(pauses: pausesLeft - 1) { $0.now += .milliseconds(1_500) }
    }

    @Test(arguments: [[false, false], [false, true], [true, false], [true, true]])
    func `no order of the steps of two commits and three looks misses one`(commits: [Bool]) {
        var count = 0
        #expect(allEndWell(World(commits: commits), looksLeft: 3, pausesLeft: 0, &count))
        #expect(count > 1_000)
    }

    @Test func `nor does one with a pause anywhere`() {
        var count = 0
        #expect(allEndWell(World(commits: [false, false]), looksLeft: 2, pausesLeft: 1, &count))
        #expect(count > 1_000)
    }

    @Test func `no long random history misses a commit of others`() {
        var random = SeededGenerator()
        for _ in 0..<300 {
            var world = World(commits: (0..<60).map { _ in random.oneIn(3) })
            while !world.writersAreDone || !world.notesLeft.isEmpty {
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: if !world.writersAreDone { world.write() }
                case 2: world.drain()
                case 3: world.look()
                case 4: world.now += .microseconds(Int64.random(in: 0...5_000, using: &random))
                default:
                    guard let index = world.notesLeft.indices.randomElement(using: &random) else { break }
                    world.note(index)
                }
            }
            guard world.endsWell() else {
                Issue.record("\(random.reproduction)")
                return
            }
        }
    }
}
