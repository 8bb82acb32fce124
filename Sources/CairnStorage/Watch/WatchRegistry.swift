/// The watches of a `CommitWatcher` and what is due for them: a value that knows neither thread nor
/// lock. Whoever holds it does the looking and the calling, outside its lock.
struct WatchRegistry {
    struct Watch {
        var schedule: LookSchedule
        /// The file in the inotify instance; nil where the watch is polled, or its file is gone.
        var file: FileEvents.FileID?
        let look: @Sendable () -> CommitLook?
        let onChange: @Sendable (UInt64) -> Void
    }

    /// A call to make, outside the lock.
    struct Call {
        let onChange: @Sendable (UInt64) -> Void
        let version: UInt64
    }

    private var watches: [UInt64: Watch] = [:]
    private var lastID: UInt64 = 0

    /// When the next look of any watch is due; nil when all are at rest.
    var nextDueTime: Duration? {
        watches.values.lazy.compactMap(\.schedule.dueTime).min()
    }

    mutating func add(_ watch: Watch) -> UInt64 {
        lastID += 1
        watches[lastID] = watch
        return lastID
    }

    /// Takes a watch out.
    ///
    /// - Returns: the watch, which must be released outside the lock, since with it objects of the
    ///   caller's may go; and its file, where no other watch has the same. Nil if it is not there.
    mutating func remove(_ id: UInt64) -> (watch: Watch, unwatched: FileEvents.FileID?)? {
        guard let watch = watches.removeValue(forKey: id) else { return nil }
        let isShared = watches.values.contains { $0.file == watch.file }
        return (watch, isShared ? nil : watch.file)
    }

    mutating func noteOwnCommit(_ commit: UInt64, of id: UInt64) {
        watches[id]?.schedule.noteOwnCommit(commit)
    }

    /// Gives the events to the watches of their files.
    mutating func note(_ batch: FileEvents.Batch, at now: Duration) {
        for id in watches.keys {
            guard let file = watches[id]?.file else { continue }
            let isGone = batch.gone.contains(file)
            // Before a file goes, everything in it has happened: one more look, and then no more.
            if isGone { watches[id]!.file = nil }
            if batch.hasOverflown || isGone || batch.modified.contains(file) {
                watches[id]!.schedule.noteEvent(at: now)
            }
        }
    }

    /// Turns all watches over to looking at an interval: the inotify instance is lost.
    mutating func startPolling(at now: Duration) {
        for id in watches.keys {
            watches[id]!.file = nil
            watches[id]!.schedule.startPolling(at: now)
        }
    }

    /// The next watch whose look is due, behind the given one: so that one round over all of them
    /// looks once at each.
    func nextDue(after id: UInt64, at now: Duration) -> UInt64? {
        watches.lazy.filter { $0.key > id && $0.value.schedule.dueTime.map { $0 <= now } ?? false }
            .map(\.key).min()
    }

    /// How a watch is looked at; nil when it is not there any more.
    func look(of id: UInt64) -> (@Sendable () -> CommitLook?)? {
        watches[id]?.look
    }

    /// Notes what a look has seen; returns the call to make, if it is news and the watch still there.
    mutating func noteLook(_ look: CommitLook?, of id: UInt64, at now: Duration) -> Call? {
        guard let version = watches[id]?.schedule.noteLook(look, at: now) else { return nil }
        return Call(onChange: watches[id]!.onChange, version: version)
    }
}
