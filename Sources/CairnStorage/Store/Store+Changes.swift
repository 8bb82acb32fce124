internal import CairnLMDB

extension Store {
    /// What changed between two versions of the file.
    ///
    /// From the records of the window where it reaches back that far; else by comparing the versions,
    /// which finds the same rows but those that were set to the value they had.
    ///
    /// - Returns: nil where both are the same version.
    /// - Throws: `damaged`.
    package func changes(from old: Snapshot, to new: Snapshot) throws(StorageError) -> ChangeSet? {
        precondition(old.version <= new.version, "changes are told from an older version to a newer one")
        guard old.version < new.version else { return nil }
        if let recorded = try recordedChanges(from: old.version, in: new) { return recorded }
        return try SnapshotDifference(from: old, to: new).changeSet()
    }

    /// The same, row by row also where the record only says that tables were rewritten.
    package func exactChanges(from old: Snapshot, to new: Snapshot) throws(StorageError) -> ChangeSet? {
        guard let changes = try changes(from: old, to: new) else { return nil }
        guard changes.isTooLarge || changes.tables.values.contains(where: \.isRewritten) else {
            return changes
        }
        return try SnapshotDifference(from: old, to: new).changeSet()
    }

    /// The records from a version on, composed; nil where one is missing.
    func recordedChanges(from old: Version, in new: Snapshot) throws(StorageError) -> ChangeSet? {
        let records = try new.changeRecords(after: old)
        var result: ChangeSet?
        for (version, bytes) in records {
            let next: ChangeSet
            do throws(StorageError) {
                next = try bytes.withBytes { record throws(StorageError) in
                    try ChangeSet(decoding: record, version: version)
                }
            } catch {
                throw error.naming(file: file.path)
            }
            guard next.versionBefore == result?.version ?? old else { return nil }
            if result == nil { result = next } else { result?.append(next) }
        }
        guard result?.version == new.version else { return nil }
        // One record tells of a table's rows, and a later one that the table has gone.
        result?.keepTables { new.schema[$0] != nil }
        return result
    }
}

extension Snapshot {
    /// The change records of the versions behind one, rising.
    func changeRecords(after old: Version) throws(StorageError) -> [(version: Version, record: [UInt8])] {
        try withTransaction { transaction throws(StorageError) in
            do throws(LMDBError) {
                var result: [(version: Version, record: [UInt8])] = []
                var cursor = try transaction.cursor(self.contents.changes)
                var entry = try cursor.seek(atOrAfter: old.value + 1)
                while let found = entry {
                    result.append((Version(found.integerKey), Array(found.value)))
                    entry = try cursor.next()
                }
                return result
            } catch {
                throw self.contents.failure(error, .reading)
            }
        }
    }
}
