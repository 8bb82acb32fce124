/// What one look at an LMDB environment tells about the newest version, from its two sources.
///
/// LMDB 0.9.24 commits in this order (`mdb_txn_commit`, `mdb_env_write_meta`):
///
/// | the committing process | what others see |
/// |---|---|
/// | writes the data pages with `pwrite` | inotify events |
/// | syncs them | |
/// | writes the meta page with `pwrite` | `publishedID` has the new version, then an inotify event |
/// | stores the version in the lock file (`mti_txnid`) | `visibleID` has it too; no event |
///
/// The kernel sends the event of a write when the bytes are in the page cache, where the map of every
/// process sees them, and a durable meta page only when it is on the disk. So a look after the
/// event always sees the published version, but very often not yet the visible one.
package struct CommitLook: Equatable, Sendable {
    /// The version of the newest meta page: `mdb_env_info`'s `me_last_txnid`.
    package var publishedID: UInt64
    /// The version that a read transaction gets which begins now.
    package var visibleID: UInt64

    /// Both questions read the map: whoever looks sees to it that the map is not replaced meanwhile.
    ///
    /// - Note: ask for the published version first. The other way round a commit between the two
    ///   looks like one that is on its way, which costs a look more.
    package init(publishedID: UInt64, visibleID: UInt64) {
        self.publishedID = publishedID
        self.visibleID = visibleID
    }
}
