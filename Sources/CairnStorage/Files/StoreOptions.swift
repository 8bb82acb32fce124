/// How a file is opened, and how the store over it behaves.
///
/// `isReadOnly` must be the same for everybody who has the file open in a process; of the rest, what the
/// first one asked for holds.
package struct StoreOptions: Sendable {
    /// What a commit has reached when it returns.
    package enum Durability: Hashable, Sendable {
        /// The commit, and all earlier ones, survive a power loss.
        case full
        /// A power loss may undo the last commit, and never damages the file.
        case lastCommitAtRisk
        /// A power loss may damage the file. The next open after one tells by `endedUncleanly`.
        case none
    }

    /// The data file. Symbolic links are followed.
    package var path: String
    /// Never changes the data file, and needs it to be there. Other processes may write it meanwhile.
    package var isReadOnly: Bool
    /// The size in bytes the data file may reach; nil for as much as the machine allows. A file that is
    /// larger already keeps its size, and cannot grow.
    package var maximumFileByteCount: Int?
    /// Slots for read transactions, of all processes together. A file that is open elsewhere keeps the
    /// number it was opened with.
    package var readerCount: Int
    package var durability: Durability
    /// Check the file's pages when it is opened, and the checksum of each chunk and value when it is first
    /// read. `Verify` compares them all, whatever this says.
    package var verifyChecksums: Bool
    /// Memory for decoded buffers, in bytes.
    package var cacheByteCount: Int
    /// Size of the changes a write holds in memory before it writes some ahead, in bytes.
    package var spillByteCount: Int
    /// How much of the past is kept for those who are behind.
    package var changeWindow: ChangeWindow
    /// For tests; readers of the file do not depend on it.
    package var limits = EngineLimits()

    package init(
        path: String,
        isReadOnly: Bool = false,
        maximumFileByteCount: Int? = nil,
        readerCount: Int = 1024,
        durability: Durability = .full,
        verifyChecksums: Bool = false,
        cacheByteCount: Int = 64 << 20,
        spillByteCount: Int = 64 << 20,
        changeWindow: ChangeWindow = ChangeWindow()
    ) {
        self.path = path
        self.isReadOnly = isReadOnly
        self.maximumFileByteCount = maximumFileByteCount
        self.readerCount = readerCount
        self.durability = durability
        self.verifyChecksums = verifyChecksums
        self.cacheByteCount = cacheByteCount
        self.spillByteCount = spillByteCount
        self.changeWindow = changeWindow
    }
}
