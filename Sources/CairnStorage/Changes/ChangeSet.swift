/// What changed in a file between two of its versions, table by table.
///
/// A commit makes one, from its version before to its own; sets that meet are composed into one that
/// spans them all. Whoever holds the old content and a set can tell which rows to look at again, and
/// need look at no other.
package struct ChangeSet: Equatable, Sendable {
    /// The version the changes start from.
    package private(set) var versionBefore: Version
    /// The version the changes lead to.
    package private(set) var version: Version
    /// The store that made them: a random number a process and store. 0 for a set composed of
    /// several stores' changes.
    package private(set) var origin: UInt64
    /// Whether a table's definition changed. What rows it concerned is not recorded beyond `tables`.
    package var catalogueChanged: Bool
    /// The tables that changed. No entry is empty; no entry at all when `isTooLarge`.
    package private(set) var tables: [SpaceID: TableChanges] = [:]
    /// Whether every table counts as rewritten, because the set was too large to be kept.
    package private(set) var isTooLarge = false

    /// A set without changes.
    ///
    /// - Precondition: the version lies behind the version before.
    package init(
        from versionBefore: Version, to version: Version, origin: UInt64, catalogueChanged: Bool = false,
        tables: [SpaceID: TableChanges] = [:]
    ) {
        precondition(versionBefore < version, "A change leads to a later version.")
        self.versionBefore = versionBefore
        self.version = version
        self.origin = origin
        self.catalogueChanged = catalogueChanged
        self.tables = tables.filter { !$0.value.isEmpty }
    }

    /// Whether nothing changed.
    package var isEmpty: Bool { !catalogueChanged && !isTooLarge && tables.isEmpty }

    /// What happened to a table: nothing, when it is not listed.
    package func changes(of table: SpaceID) -> TableChanges {
        isTooLarge ? .rewritten : tables[table] ?? TableChanges()
    }

    /// Drops the tables' changes and says instead that every table counts as rewritten.
    package mutating func noteTooLarge() {
        tables = [:]
        isTooLarge = true
    }

    /// Keeps what happened to some tables alone.
    package mutating func keepTables(where isThere: (SpaceID) -> Bool) {
        tables = tables.filter { isThere($0.key) }
    }

    /// This and then the next as one set, by the rules of `TableChanges.followed(by:)`.
    ///
    /// - Precondition: the next begins at the version where this ends.
    package func followed(by next: ChangeSet) -> ChangeSet {
        var result = self
        result.append(next)
        return result
    }

    /// The same in place: cheap when the next is small and this is large.
    package mutating func append(_ next: ChangeSet) {
        precondition(
            version == next.versionBefore,
            "Changes up to \(version) cannot be followed by changes from \(next.versionBefore) on.")
        version = next.version
        if origin != next.origin { origin = 0 }
        catalogueChanged = catalogueChanged || next.catalogueChanged
        guard !isTooLarge, !next.isTooLarge else { return noteTooLarge() }
        for (table, changes) in next.tables {
            tables[table, default: TableChanges()].append(changes)
            if tables[table]!.isEmpty { tables[table] = nil }
        }
    }
}
