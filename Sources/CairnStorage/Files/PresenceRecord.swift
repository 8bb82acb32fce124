/// What the presence file says.
///
///      0  magic "CairnPr1"
///      8  inode of the data file that the side files belong to
///     16  inode of the lock file
///     24  flags
struct PresenceRecord: Hashable {
    struct Flags: OptionSet, Hashable {
        let rawValue: UInt64

        /// The data file is being made. When this stands after everybody has gone, and the file is not a
        /// database, then it never was one.
        static let isBeingMade = Flags(rawValue: 1 << 0)
        /// Commits were made that nobody has flushed to the device.
        static let hasUnsyncedCommits = Flags(rawValue: 1 << 1)
        /// The file was found with unsynced commits of somebody who did not close it, and no check of its
        /// structure has passed since.
        static let needsCheck = Flags(rawValue: 1 << 2)
    }

    static let byteCount = 32
    private static let magic: UInt64 = 0x3172_506E_7269_6143

    var dataInode: UInt64
    var lockInode: UInt64
    var flags: Flags

    init(dataInode: UInt64, lockInode: UInt64, flags: Flags = []) {
        self.dataInode = dataInode
        self.lockInode = lockInode
        self.flags = flags
    }

    /// Nil where nothing that makes sense has been written yet.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount, bytes.integer(at: 0, as: UInt64.self) == Self.magic else {
            return nil
        }
        dataInode = bytes.integer(at: 8)
        lockInode = bytes.integer(at: 16)
        flags = Flags(rawValue: bytes.integer(at: 24))
    }

    var bytes: [UInt8] {
        [Self.magic, dataInode, lockInode, flags.rawValue].flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
    }
}
