internal import CairnStorage

/// What has to be done to a file so that it holds the classes of a program.
struct FilePlan {
    enum Step {
        case none
        /// Classes and indexes are added, and the version set.
        case additions(StoredSchema.Additions)
        /// The version rises.
        case migration
    }

    let step: Step

    var needsWrite: Bool {
        if case .none = step { return false }
        return true
    }

    /// - Throws: `fail` where the file is of a newer version; `schemaMismatch` where it needs a migration and
    ///   the version does not rise, or it is opened read-only.
    init(
        _ engine: Session, _ models: [ClassModel], _ settings: SessionSettings
    ) throws(RealmError) {
        let stored = engine.schemaVersion
        let isNew = engine.schema.tables.isEmpty
        guard isNew || stored <= settings.schemaVersion else {
            throw RealmError(
                .fail,
                """
                Provided schema version \(settings.schemaVersion) is less than last set version \(stored). The \
                file was written by a newer version of the program: update this one.
                """, fileURL: settings.fileURL)
        }
        let comparison = StoredSchema.compare(models.map(\.schema), with: engine.schema)
        let rises = stored != settings.schemaVersion
        if settings.isReadOnly {
            try Self.checkReadOnly(comparison, stored, settings)
            step = .none
        } else if rises, !isNew {
            step = .migration
        } else if comparison.mismatches.isEmpty {
            step = comparison.additions.isEmpty && !rises ? .none : .additions(comparison.additions)
        } else {
            throw MigrationAdvice(comparison.mismatches, storedVersion: stored).error(settings)
        }
    }

    /// Whether the file would need a migration, or is of another version.
    static func needsMigration(
        _ engine: Session, _ models: [ClassModel], _ settings: SessionSettings
    ) -> Bool {
        guard !engine.schema.tables.isEmpty else { return false }
        if engine.schemaVersion != settings.schemaVersion { return true }
        return !StoredSchema.compare(models.map(\.schema), with: engine.schema).mismatches.isEmpty
    }

    private static func checkReadOnly(
        _ comparison: StoredSchema.Comparison, _ stored: UInt64, _ settings: SessionSettings
    ) throws(RealmError) {
        guard stored == settings.schemaVersion else {
            throw RealmError(
                .fail,
                """
                The file has schema version \(stored) and is opened read-only with version \
                \(settings.schemaVersion). Open it once for writing, which migrates it, or with version \(stored).
                """, fileURL: settings.fileURL)
        }
        var lines = comparison.mismatches.map(\.line)
        lines += comparison.additions.classes.map {
            "- Class '\($0.className)' is not in the file, which is opened read-only."
        }
        lines += comparison.additions.addedIndexes.map {
            "- Index on '\($0.className).\($0.property.columnName)' is not in the file, which is opened read-only."
        }
        guard !lines.isEmpty else { return }
        throw RealmError(
            .schemaMismatch,
            "Migration is required due to the following errors:\n" + lines.joined(separator: "\n"),
            fileURL: settings.fileURL)
    }
}
