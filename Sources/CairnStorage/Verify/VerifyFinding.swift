/// One thing that is wrong with a file: what, where, and what should be there.
///
/// Data only; the sentence is made by `description`. Never holds a stored value: tables and columns are
/// named by their numbers, rows by their row keys.
package struct VerifyFinding: Hashable, Sendable {
    /// What is wrong. New kinds may come.
    package enum Kind: Hashable, Sendable {
        /// Something about LMDB's pages.
        case page(StructureFinding)

        // Catalogue.

        /// A record of the catalogue cannot be read, or says something impossible.
        case catalogRecord
        /// A record of the catalogue that must be there is not.
        case catalogMissing
        /// A key of the catalogue that nothing has.
        case catalogStray
        /// Definitions that do not fit each other.
        case schema
        /// A space, column, value id or version that its counter has not handed out yet.
        case counter

        // Chunks.

        /// A chunk under a key that no table and no hash index has.
        case chunkStray
        case chunkChecksum
        /// A chunk that is newer than the version it belongs to.
        case chunkVersion
        /// A chunk whose bytes contradict themselves or its column.
        case chunkInvalid
        /// A chunk that its block's directory does not list.
        case chunkUnlisted
        /// A chunk that its block's directory lists is not there.
        case chunkMissing
        /// A block has chunks and no directory.
        case directoryMissing
        /// A block has a directory and no row.
        case directoryEmpty
        /// A row lies outside the blocks and row keys that the table's state knows.
        case rowOutside
        /// A chunk has no slot for a live row.
        case slotCount
        /// A row has null in a column that has none.
        case nullNotAllowed
        /// A null slot or element is not zero.
        case nullNotZero
        /// A value lies outside the zone map of its chunk, or the zone map says that there is none.
        case zoneMap
        /// A text's slot does not agree with its bytes: another prefix, or not zero behind the end.
        case textSlot
        /// A string is not UTF-8.
        case textEncoding
        /// An element of a list is none of its kind.
        case listElement
        /// A table's number of rows.
        case rowCount
        /// A table's number of blocks with rows.
        case blockCount
        /// A table's first block with rows.
        case firstBlock

        // Large values.

        /// A value that is in use is not there.
        case valueMissing
        /// A value that nobody uses.
        case valueUnused
        /// A value that is used more than once.
        case valueShared
        /// A value of another kind or length than its user expects.
        case valueMismatch
        case valueChecksum
        /// A value, or a piece or directory of a list, whose bytes contradict themselves.
        case valueInvalid
        /// Lists and texts refer to more bytes than all large values have, so that some were left unread.
        case valueExcess

        // Indexes.

        /// A bucket of a hash index is not there. `found` is the number of those missing one after the other.
        case bucketMissing
        /// A bucket that its hash index does not have.
        case bucketStray
        /// A live row has no entry under its value.
        case entryMissing
        /// An index has an entry for a row that has another value or is not there, or one twice.
        case entryStray
        /// An index's number of entries.
        case entryCount
        /// Two rows have one key in an index that is unique.
        case keyNotUnique
        /// A key of the ordered entries that no index and no backlink column has.
        case orderedStray
        /// A key or value of the ordered entries that cannot be.
        case orderedInvalid

        // Links.

        /// A link leads to a row that is not there.
        case linkDangling
        /// A link is not mirrored by its target, or not as often as it is there.
        case backlinkMissing
        /// A row has a backlink, or more of them, for which there is no link.
        case backlinkStray
        /// The backlinks of a row do not rise.
        case backlinkOrder
        /// A row's number of backlinks is not that of its ordered entries.
        case backlinkCount

        // Changes.

        /// A record of changes of a version that is not there yet.
        case changeVersion
        /// A record of changes that cannot be read.
        case changeInvalid
    }

    /// Where it is; nil for what does not apply.
    package struct Place: Hashable, Sendable {
        /// The table, hash index, ordered index or backlink column.
        package var space: SpaceID?
        package var column: ColumnID?
        /// The block, or the bucket of a hash index.
        package var block: UInt32?
        package var row: RowKey?
        /// Of links: the row at the other end.
        package var otherRow: RowKey?
        package var value: ValueID?
        package var version: Version?

        package init(
            space: SpaceID? = nil, column: ColumnID? = nil, block: UInt32? = nil, row: RowKey? = nil,
            otherRow: RowKey? = nil, value: ValueID? = nil, version: Version? = nil
        ) {
            self.space = space
            self.column = column
            self.block = block
            self.row = row
            self.otherRow = otherRow
            self.value = value
            self.version = version
        }
    }

    package let kind: Kind
    package let place: Place
    /// What should stand there, where the kind does not say it.
    package let expected: UInt64?
    package let found: UInt64?
    /// What a decoder said about the bytes, in a sentence without stored values.
    package let reason: String?

    package init(
        _ kind: Kind, at place: Place = Place(), expected: UInt64? = nil, found: UInt64? = nil,
        reason: String? = nil
    ) {
        self.kind = kind
        self.place = place
        self.expected = expected
        self.found = found
        self.reason = reason
    }

    /// Whether reading may fail or give wrong answers; false where only space is lost.
    package var isDamage: Bool {
        if case .page(let finding) = kind { return finding.isDamage }
        return true
    }
}
