/// The pages of a file, checked before LMDB reads more of them than the meta pages: it trusts them.
enum StoreStructure {
    /// The databases of the format, with the order of their keys.
    static let databases: [String: KeyOrder] = [
        "catalog": .bytes, "chunks": .integers, "ordered": .bytes, "values": .integers, "changes": .integers,
    ]

    /// How often a newer version is taken because the one that was to be checked had gone.
    private static let attemptLimit = 100

    /// Checks the version of a new read transaction.
    ///
    /// - Parameter begin: begins one, on the newest version.
    /// - Returns: the transaction of the version that was checked, and what was found.
    /// - Throws: what `begin` throws; `notFound` where others commit so fast that every version has left
    ///   the meta pages before it was looked at.
    static func check(
        _ file: StoreFile, begin: () throws(StorageError) -> HeldTransaction
    ) throws(StorageError) -> (held: HeldTransaction, report: StructureReport) {
        for _ in 1..<attemptLimit {
            let held = try begin()
            do throws(StorageError) {
                return (held, try file.checkStructure(version: held.version.value, databases: databases))
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        let held = try begin()
        return (held, try file.checkStructure(version: held.version.value, databases: databases))
    }

    /// Checks a file that is being opened, where its options ask for it or it has ended uncleanly.
    ///
    /// - Throws: `damaged`.
    static func checkIfAsked(_ file: StoreFile) throws(StorageError) {
        guard file.options.verifyChecksums || file.endedUncleanly else { return }
        let report = try check(file) { () throws(StorageError) in
            HeldTransaction(try file.beginRead(), holding: file)
        }.report
        if !report.isSound, !isWithoutDatabases(report) { throw damage(file, report) }
        if file.endedUncleanly { try file.acknowledgeUncleanEnd() }
    }

    /// Whether the pages are sound and have none of the format's databases: a new file, or one of another
    /// program. Whoever opens the databases tells which.
    static func isWithoutDatabases(_ report: StructureReport) -> Bool {
        let missing = report.findings.count { $0.kind == .databaseMissing }
        let isRest = report.findings.allSatisfy {
            !$0.isDamage || $0.kind == .databaseMissing || $0.kind == .databaseUnknown
        }
        return missing == databases.count && isRest && report.omittedFindingCount == 0
    }

    private static func damage(_ file: StoreFile, _ report: StructureReport) -> StorageError {
        let damage = report.findings.filter(\.isDamage)
        let first = damage.prefix(3).map(\.description).joined(separator: " ")
        let rest = damage.count + report.omittedFindingCount - min(damage.count, 3)
        return StorageError(
            .damaged,
            """
            The pages of the file \(file.path) are damaged: \(first)\(rest > 0 ? " There are \(rest) more findings." : "") \
            Make a copy of the file before anything else, then run verify on it.
            """)
    }
}
