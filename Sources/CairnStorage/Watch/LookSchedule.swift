/// Decides when one file is looked at, and which versions are news: a value without clock or thread.
///
/// **When it looks.** Once after each event, 2 ms after the last such look at the earliest; then again
/// as long as the last look leaves something open:
///
/// | the last look | it looks again | until |
/// |---|---|---|
/// | *behind*: the published version is ahead of the visible one, or the look failed | after 50 µs, doubling to 10 ms; 1 s after the last event or news, once a second | it is behind no more, however long that takes |
/// | *unexplained*: not behind, but since the last rest neither a look nor an own commit has brought a newer version | the same way, but never within 2 ms; then once a second, five times | something newer comes, or the five are over |
/// | *explained*: not behind, and something newer came | not at all | the next event |
///
/// **Why no commit is missed.** The event of a commit's meta page is sent after the page can be seen
/// (`CommitLook`), and events are read before a look, never after it. So the first look after that
/// event finds the commit published: it is either visible, and reported by this look, or the look is
/// behind, and looking goes on until it is visible. Whether an event is explained does not matter
/// for this: a commit later than the look brings an event of its own. A writer that dies between
/// the two steps leaves the file behind until the next writer begins, which need not write: that is
/// why looking once a second has no end there.
///
/// The looks for an unexplained event (that of a data page, mostly, whose commit is not finished, or of a
/// write that is given up) are not needed by this reasoning. They are a safety net under the order of
/// the kernel's events, and bounded so that a file at rest costs nothing.
package struct LookSchedule: Sendable {
    /// The waits. Tests may change them; `standard` is what the engine uses.
    package struct Timing: Sendable {
        /// The first wait of a back-off, which doubles from look to look.
        package var firstRetry = Duration.microseconds(50)
        package var longestRetry = Duration.milliseconds(10)
        /// How long the back-off lasts after the last event or news.
        package var backOff = Duration.seconds(1)
        /// The wait after the back-off.
        package var slowRetry = Duration.seconds(1)
        /// How many looks with that wait an unexplained event gets.
        package var slowLookCount = 5
        /// The least time between two looks, except while behind.
        package var spacing = Duration.milliseconds(2)
        /// The time between two looks where there are no events.
        package var pollInterval = Duration.milliseconds(100)

        package static let standard = Timing()
    }

    /// Own commits that are noted out of order; more than these are not kept, which may cost a report
    /// that is not needed.
    private static let ownCommitLimit = 64

    private let timing: Timing
    /// Whether there are no events, and looking goes on at a fixed interval instead.
    private var isPolled: Bool
    /// Every commit up to here was reported, or is an own one.
    private var covered: UInt64
    /// Own commits past `covered`, rising.
    private var ownCommits: [UInt64] = []
    /// `covered` at the last rest.
    private var coveredAtRest: UInt64
    /// Whether there was an event since the last rest.
    private var hasOpenEvent = false
    private var lastLook: Duration?
    /// When the back-off began.
    private var backOffStart: Duration
    private var nextRetry: Duration
    private var slowLooksLeft = 0
    /// When the next look is due; nil at rest.
    package private(set) var dueTime: Duration?

    /// A schedule whose first look is due at once: there may have been commits since the caller saw
    /// that version.
    package init(
        after version: UInt64, isPolled: Bool, at now: Duration, timing: Timing = .standard
    ) {
        self.timing = timing
        self.isPolled = isPolled
        covered = version
        coveredAtRest = version
        backOffStart = now
        nextRetry = timing.firstRetry
        dueTime = now
    }

    /// Notes that the file was written to by somebody.
    package mutating func noteEvent(at now: Duration) {
        guard !isPolled else { return }
        hasOpenEvent = true
        slowLooksLeft = timing.slowLookCount
        startBackOff(at: now)
        let earliest = max(now, lastLook.map { $0 + timing.spacing } ?? now)
        dueTime = min(dueTime ?? earliest, earliest)
    }

    /// Notes a commit of the store itself, which is no news to it. To be called after the commit: an
    /// id whose commit fails goes to the next writer, perhaps of another process.
    package mutating func noteOwnCommit(_ id: UInt64) {
        guard id > covered, !ownCommits.contains(id) else { return }
        let index = ownCommits.firstIndex { $0 > id } ?? ownCommits.endIndex
        ownCommits.insert(id, at: index)
        if ownCommits.count > LookSchedule.ownCommitLimit { ownCommits.removeFirst() }
        coverOwnCommits()
    }

    /// Notes what a look has seen; nil when it failed.
    ///
    /// - Returns: the version to report, when it is news. Versions that are returned rise; a commit of
    ///   others is never left out, but several may be reported as one, by the last.
    package mutating func noteLook(_ look: CommitLook?, at now: Duration) -> UInt64? {
        lastLook = now
        let news = look.flatMap { $0.visibleID > covered ? $0.visibleID : nil }
        if let news {
            covered = news
            coverOwnCommits()
            startBackOff(at: now)
        }
        dueTime = nextDueTime(after: look, at: now)
        return news
    }

    /// Notes that no more events will come: from now on the file is looked at regularly.
    package mutating func startPolling(at now: Duration) {
        isPolled = true
        dueTime = now
    }

    private mutating func coverOwnCommits() {
        ownCommits.removeAll { $0 <= covered }
        while let next = ownCommits.first, next == covered + 1 {
            covered = next
            ownCommits.removeFirst()
        }
    }

    private mutating func startBackOff(at now: Duration) {
        backOffStart = now
        nextRetry = timing.firstRetry
    }

    /// The table at the head of the type.
    private mutating func nextDueTime(after look: CommitLook?, at now: Duration) -> Duration? {
        if isPolled { return now + timing.pollInterval }
        let isBehind = look.map { $0.publishedID > $0.visibleID } ?? true
        let isExplained = !hasOpenEvent || covered > coveredAtRest
        if !isBehind && isExplained { return rest() }
        if now - backOffStart < timing.backOff {
            let wait = isBehind ? nextRetry : max(nextRetry, timing.spacing)
            nextRetry = min(nextRetry * 2, timing.longestRetry)
            return now + wait
        }
        if isBehind { return now + timing.slowRetry }
        guard slowLooksLeft > 0 else { return rest() }
        slowLooksLeft -= 1
        return now + timing.slowRetry
    }

    private mutating func rest() -> Duration? {
        coveredAtRest = covered
        hasOpenEvent = false
        return nil
    }
}
