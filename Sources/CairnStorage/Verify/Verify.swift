/// Verifies a file: everything that must hold by `docs/file-format.md`, section 11, checked on one version.
///
///     pages ──→ catalogue ──→ chunks ──→ ordered ──→ values ──→ changes
///
/// The pages come first and are read by `StructureCheck`, not through LMDB; where they are damaged the rest
/// is not looked at. Then every record is read once, in the order of its database, and checked by itself:
/// checksum, form, values. What two parts of the file must agree on (rows and index entries, links and
/// backlinks, large values and their users) is summed up on both sides (`Ledger`), and gone through a second
/// time only if the sums differ, to find the places.
///
/// **Damage makes findings and is never thrown**, and no bytes, whatever they are, end the process. Memory:
/// 60 bytes for each block of 448 rows, 8 kB for each index and link column, and while a difference is being
/// looked for some MB more.
///
/// The file may be written to meanwhile. The version that is checked is held for as long as it takes.
package enum Verify {
    /// Verifies the newest version of an open file.
    ///
    /// - Parameter progress: called on this thread after the pages, and then now and then.
    /// - Throws: what opening a transaction and reading the device throw; `notFound` where others commit so
    ///   fast that no version stays long enough to be looked at.
    /// - Complexity: O(bytes of the file), one pass over each record (two where parts do not agree).
    package static func run(
        _ store: Store, progress: ((VerifyProgress) -> Void)? = nil
    ) throws(StorageError) -> VerifyReport {
        var verification = Verification(progress: progress)
        let held = try verification.checkPages(store.file) { () throws(StorageError) in
            try store.beginHeldRead()
        }
        guard verification.report.structure.isSound else { return verification.finished() }
        try verification.checkContents(VersionReader(held, store.contents))
        return verification.finished()
    }

    /// Verifies the newest version of a file that may be too damaged to be opened as a store.
    ///
    /// - Throws: what `StoreFile.open` throws; `notADatabase` and `newerFormat`; and as `run(_:progress:)`.
    package static func run(
        _ options: StoreOptions, progress: ((VerifyProgress) -> Void)? = nil
    ) throws(StorageError) -> VerifyReport {
        // The pages are then checked before LMDB reads them.
        var options = options
        options.verifyChecksums = true
        let store: Store
        do throws(StorageError) {
            store = try Store.open(options)
        } catch {
            guard error.code == .damaged else { throw error }
            return try runWithoutStore(options, progress)
        }
        return try run(store, progress: progress)
    }

    private static func runWithoutStore(
        _ options: StoreOptions, _ progress: ((VerifyProgress) -> Void)?
    ) throws(StorageError) -> VerifyReport {
        let file = try StoreFile.open(options)
        let begin = { () throws(StorageError) in HeldTransaction(try file.beginRead(), holding: file) }
        var verification = Verification(progress: progress)
        _ = try verification.checkPages(file, begin: begin)
        guard verification.report.structure.isSound else { return verification.finished() }
        do throws(StorageError) {
            let contents = try StoreOpening(file).contents()
            // A transaction sees the databases that were opened before it began, and may be of a newer version.
            let held = try verification.checkPages(file, begin: begin)
            guard verification.report.structure.isSound else { return verification.finished() }
            try verification.checkContents(VersionReader(held, contents))
        } catch {
            guard error.code == .damaged else { throw error }
            verification.recorder.note(.catalogRecord, reason: error.message)
        }
        return verification.finished()
    }
}

/// One run of `verify`.
private struct Verification {
    let recorder = VerifyRecorder()
    let progress: ((VerifyProgress) -> Void)?
    var report = VerifyReport()

    init(progress: ((VerifyProgress) -> Void)?) {
        self.progress = progress
    }

    mutating func checkPages(
        _ file: StoreFile, begin: () throws(StorageError) -> HeldTransaction
    ) throws(StorageError) -> HeldTransaction {
        let (held, structure) = try StoreStructure.check(file, begin: begin)
        report.version = held.version
        report.structure = structure
        return held
    }

    mutating func checkContents(_ reader: VersionReader) throws(StorageError) {
        report.coversContents = true
        try ContentVerification.run(reader, recorder, into: &report, progress: progress)
    }

    func finished() -> VerifyReport {
        var report = report
        report.findings = report.structure.findings.map { VerifyFinding(.page($0)) } + recorder.findings
        report.omittedFindingCount = report.structure.omittedFindingCount + recorder.omittedCount
        report.isSound = recorder.damageCount == 0 && report.structure.isSound
        return report
    }
}
