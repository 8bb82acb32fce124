internal import CairnStorage

/// What a write has done wrong so far: the first mistake, which the write's end throws, and their number.
struct MistakeRecord {
    /// The mistake that the write fails with; nil as long as it may succeed.
    private(set) var first: RealmError?
    private var count = 0
    /// Whether the write fails. Cheaper to ask than `first`, an error being a large thing to look at.
    var isEmpty: Bool { count == 0 }
    /// Set while somebody wants the mistakes that are made, instead of the write.
    private var caught: Caught?

    fileprivate struct Caught {
        var first: RealmError?
    }

    /// Notes a mistake: the write will be undone, unless somebody catches it.
    ///
    /// So many mistakes that nobody can have noticed the first trap.
    mutating func note(_ error: RealmError) {
        if caught != nil {
            if caught?.first == nil { caught?.first = error }
            // What the engine failed at may have been done by half, and must not be committed.
            if !(error.underlyingError is StorageError) { return }
        }
        count += 1
        if first == nil { first = error }
        guard count >= Misuse.limit, let first else { return }
        Misuse.trap(
            RealmError(
                first.code, "\(Misuse.limit) mistakes were made in one write. The first: \(first.message)"))
    }

    /// Has mistakes caught until `endCatching`, also those that are caught already.
    mutating func beginCatching() -> Catching {
        defer { caught = Caught() }
        return Catching(outer: caught)
    }

    /// Ends what `beginCatching` began, and gives back the first mistake that was caught.
    mutating func endCatching(_ catching: Catching) -> RealmError? {
        defer { caught = catching.outer }
        return caught?.first
    }

    /// Who caught mistakes before.
    struct Catching {
        fileprivate let outer: Caught?
    }
}
