/// An entry of an ordered index, or the links from one row to another.
package struct OrderedEntry {
    /// The row; among backlinks the origin.
    package let rowKey: RowKey
    /// The encoded value (`OrderedKey.decode` has the way back); among backlinks the target, 8 bytes
    /// BE. Valid as long as the cursor's source and delta are not changed.
    package let value: UnsafeRawBufferPointer
    /// Whether `value` is only the beginning of a longer string's.
    package let isCut: Bool
    /// Among backlinks the number of links; else 0.
    package let payload: UInt32

    @inline(__always)
    package init(_ parts: OrderedKey.Parts, payload: UInt32) {
        rowKey = parts.rowKey
        value = parts.value
        isCut = parts.isCut
        self.payload = payload
    }

    /// Whether both have the same value, as far as their keys tell.
    package func hasSameValue(as other: OrderedEntry) -> Bool {
        KeyBytes.areEqual(value, other.value)
    }
}

/// Goes through a stretch of the database `ordered` as a session sees it: what is committed, without
/// what the session has removed, and with what it has put.
///
/// Entries come in the order of their keys: by value, and by row key among equal values (both the
/// other way round when descending). Strings that are cut at the same place have equal keys, so their
/// entries come by row key, not by value: `appendRowKeys` hands them out as groups to be sorted.
///
/// The delta must not be changed while a cursor on it is in use: a step after a change traps. (Read
/// the row keys into an array first, then change.)
///
/// A step allocates nothing, and costs one step of the source and one of each run of the delta.
package struct OrderedCursor<Source: OrderedSource & ~Copyable>: ~Copyable {
    private var source: Source
    private let delta: OrderedDelta?
    private var changes: OrderedDeltaScan?
    /// The delta's generation that `changes` was made for.
    private var generation: UInt64 = 0
    /// What is gone through.
    package private(set) var bounds: OrderedBounds
    package private(set) var order: ScanOrder

    /// The committed entry that is next, unless `sourceState` says otherwise.
    private var committed = OrderedPair(key: .init(start: nil, count: 0), value: .init(start: nil, count: 0))
    private var sourceState = SourceState.atStart
    /// The change that is next; nil at the end of the changes.
    private var change: OrderedDeltaEntry?
    /// Where the changes' keys are; nil without changes.
    private var changedKeys: UnsafeRawPointer?

    private enum SourceState {
        /// The source was not asked yet.
        case atStart
        /// `committed` is the next entry.
        case ready
        /// `committed` was used up: the source has to step.
        case used
        case atEnd
    }

    /// - Parameters:
    ///   - source: the committed entries, of this database's whole.
    ///   - delta: the session's changes, or nil where nothing can be changed.
    package init(
        _ source: consuming Source, _ delta: OrderedDelta?, within bounds: OrderedBounds,
        _ order: ScanOrder = .ascending
    ) {
        self.source = source
        self.delta = delta
        self.bounds = bounds
        self.order = order
        start()
    }

    /// Begins anew, between other bounds or from the other end. Sees what was changed meanwhile.
    ///
    /// - Complexity: O(1), and the changes since the last read sorted.
    package mutating func restart(within bounds: OrderedBounds? = nil, _ order: ScanOrder = .ascending) {
        if let bounds { self.bounds = bounds }
        self.order = order
        start()
    }

    private mutating func start() {
        sourceState = bounds.isEmpty ? .atEnd : .atStart
        changes = nil
        change = nil
        guard let delta, !delta.isEmpty else {
            generation = delta?.generation ?? 0
            return
        }
        var scan = OrderedDeltaScan(delta, within: bounds, order)
        generation = delta.generation
        change = scan.next()
        changedKeys = scan.arena
        changes = consume scan
    }

    /// The next entry, or nil at the end.
    ///
    /// - Throws: `.damaged` for a key or a value that cannot be; the step after it goes on behind it.
    /// - Complexity: O(number of the delta's runs); the first step O(log n) of the source.
    @inline(__always)
    package mutating func next() throws(StorageError) -> OrderedEntry? {
        if let delta, delta.generation != generation { Self.trapOnChange() }
        while true {
            if sourceState != .ready { try step() }
            guard let change, let changedKeys else {
                guard sourceState == .ready else { return nil }
                sourceState = .used
                return try committedEntry()
            }
            if sourceState == .ready {
                let comparison = KeyBytes.compare(committed.key, change.key(changedKeys))
                if comparison != 0 && (comparison < 0) == (order == .ascending) {
                    sourceState = .used
                    return try committedEntry()
                }
                // A change of a committed key replaces it.
                if comparison == 0 { sourceState = .used }
            }
            self.change = changes?.next()
            if change.isRemoval { continue }
            return try entry(change.key(changedKeys), payload: change.payload)
        }
    }
}

// MARK: - Stepping

extension OrderedCursor where Source: ~Copyable {
    /// Brings the source to its next entry, or to the end of the bounds.
    @inline(__always)
    private mutating func step() throws(StorageError) {
        let found: OrderedPair?
        switch sourceState {
        case .ready, .atEnd: return
        case .used: found = try order == .ascending ? source.next() : source.previous()
        case .atStart: found = try seek()
        }
        guard let found,
            order == .ascending ? bounds.isBeforeUpper(found.key) : bounds.isAtOrAfterLower(found.key)
        else {
            sourceState = .atEnd
            return
        }
        committed = found
        sourceState = .ready
    }

    // `precondition` would say nothing in a release build.
    @inline(never)
    fileprivate static func trapOnChange() -> Never {
        fatalError("An index was changed while it was read. Read the row keys into an array before changing.")
    }

    @inline(never)
    private mutating func seek() throws(StorageError) -> OrderedPair? {
        let bound = order == .ascending ? bounds.lower : bounds.upper
        if bound.isEmpty { return try source.last() }
        return try bound.withUnsafeBufferPointer { bound throws(StorageError) in
            let bound = UnsafeRawBufferPointer(bound)
            return try order == .ascending ? source.seek(atOrAfter: bound) : source.seek(before: bound)
        }
    }

    @inline(__always)
    private func committedEntry() throws(StorageError) -> OrderedEntry {
        let value = committed.value
        guard bounds.kind == .backlinks else {
            guard value.count == 0 else { throw OrderedKey.damage(committed.key, "has a value") }
            return try entry(committed.key, payload: 0)
        }
        guard value.count == 4 else { throw OrderedKey.damage(committed.key, "has no number of links") }
        return try entry(committed.key, payload: UInt32(littleEndian: value.loadUnaligned(as: UInt32.self)))
    }

    @inline(__always)
    private func entry(
        _ key: UnsafeRawBufferPointer, payload: UInt32
    ) throws(StorageError) -> OrderedEntry {
        let parts = try OrderedKey.split(key, kind: bounds.kind)
        // Keys in disorder, in a damaged file.
        guard parts.space == bounds.space else { throw OrderedKey.damage(key, "is among those of another") }
        return OrderedEntry(parts, payload: payload)
    }
}
