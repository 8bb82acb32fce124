internal import CairnStorage

/// What has happened to a session since the version that its slowest listener knows.
struct ChangeLog {
    private struct Step {
        var changes: ChangeSet
        /// The version before, where the changes came from elsewhere.
        let before: Snapshot?
    }

    /// Each begins where the one before ends.
    private var steps: [Step] = []

    var isEmpty: Bool { steps.isEmpty }

    /// Adds what has just happened.
    ///
    /// - Parameters:
    ///   - before: the version before changes that came from elsewhere.
    ///   - isKnown: whether a listener knows just the version that the changes begin from. Where none does,
    ///     own changes become one with the step before, so that nothing grows while nobody listens.
    mutating func add(_ changes: ChangeSet, before: Snapshot?, isKnown: (Version) -> Bool) {
        if let last = steps.last, last.changes.version != changes.versionBefore {
            // A listener that has a gap behind it could not be told right; there is none to be told.
            steps = []
        }
        if let last = steps.indices.last, before == nil, steps[last].before == nil,
            !isKnown(changes.versionBefore)
        {
            steps[last].changes.append(changes)
        } else {
            steps.append(Step(changes: changes, before: before))
        }
    }

    /// What has happened since a version; nil where nothing has.
    func news(since version: Version) -> Observation.News? {
        guard let first = steps.firstIndex(where: { $0.changes.versionBefore >= version }) else { return nil }
        var all = steps[first].changes
        var others: (changes: ChangeSet, before: Snapshot)?
        for step in steps[first...] {
            if step.changes.version != all.version { all.append(step.changes) }
            if let before = step.before { others = (step.changes, before) }
        }
        return Observation.News(changes: all, others: others)
    }

    /// Forgets what everybody knows.
    mutating func forget(before version: Version?) {
        guard let version else { return steps = [] }
        steps.removeAll { $0.changes.version <= version }
    }
}
