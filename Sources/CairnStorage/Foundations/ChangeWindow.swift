/// How long the records of `changes` are kept: the last versions, up to a number and a size.
///
/// Nothing depends on a record being there: whoever is further behind compares two snapshots. So the
/// numbers are a matter of speed and of disk space alone, and tests run with windows of 0 and 1. This
/// is the decision only; what walks the database and deletes is the commit:
///
///     if window.isDue(at: version) {
///         var byteCount = …                            // of all records
///         while let oldest = …, window.trims(oldest.version, newest: version, byteCount: byteCount) {
///             byteCount -= oldest.byteCount
///             …                                        // delete it
///         }
///     }
package struct ChangeWindow: Equatable, Sendable {
    /// The versions that are kept, the newest included. With 0 no record is worth writing.
    package var versionLimit: Int
    /// The bytes that all records may take together. Between two trims they may take more.
    package var byteLimit: Int
    /// Trimming is done by every commit whose version is a multiple of this.
    package var trimInterval: Int

    /// - Parameters:
    ///   - versionLimit: at least 0.
    ///   - byteLimit: at least 0.
    ///   - trimInterval: at least 1.
    package init(versionLimit: Int = 1000, byteLimit: Int = 16 << 20, trimInterval: Int = 64) {
        precondition(versionLimit >= 0 && byteLimit >= 0 && trimInterval >= 1, "A window has a size.")
        self.versionLimit = versionLimit
        self.byteLimit = byteLimit
        self.trimInterval = trimInterval
    }

    /// Whether a commit writes a record at all.
    package var keepsRecords: Bool { versionLimit > 0 && byteLimit > 0 }

    /// The most bytes that a commit's record may take, to be given to `ChangeSet.encoded(limit:)`: a
    /// sixteenth of the window, so that one large commit does not drive out all others.
    package var recordByteLimit: Int { byteLimit / 16 }

    /// Whether the commit of this version trims. Versions rise by one a commit, whichever process
    /// makes it, so the number alone tells, and nothing has to be counted or remembered.
    package func isDue(at version: Version) -> Bool {
        version.value.isMultiple(of: UInt64(trimInterval))
    }

    /// Whether the oldest record is to be removed. Asked again after each removal, until it answers
    /// no.
    ///
    /// - Parameters:
    ///   - oldest: the version of the oldest record that is left.
    ///   - newest: the version that is being committed.
    ///   - byteCount: what the records that are left take together; an estimate will do.
    package func trims(_ oldest: Version, newest: Version, byteCount: Int) -> Bool {
        // A record past the newest version is of another history of the file.
        guard oldest <= newest else { return true }
        return newest.value - oldest.value >= UInt64(versionLimit) || byteCount > byteLimit
    }
}
