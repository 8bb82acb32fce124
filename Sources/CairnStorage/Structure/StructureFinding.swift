/// One thing that is wrong with the pages of a data file: what, where, and what should be there.
///
/// Data only; the sentence is made by `description`. Holds no stored value and no key, names of
/// databases excepted.
package struct StructureFinding: Hashable, Sendable {
    /// What is wrong. New kinds may come.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        // Meta pages.

        /// The file is too short to hold the meta page.
        case metaMissing
        /// The head of a meta page has another page number or other flags.
        case metaHead
        /// A meta page does not begin with LMDB's magic number.
        case metaMagic
        /// A meta page is of another version of LMDB's file format.
        case metaVersion
        /// The page size is not a power of two in the allowed range, or the meta pages differ in it.
        case metaPageSize
        /// The address of a fixed map is set, which the format never does.
        case metaAddress
        /// The map is smaller than the pages it must hold.
        case metaMapSize
        /// The last page is none that a file can have.
        case metaLastPage
        /// A transaction id that belongs on the other meta page, or does not follow the other's.
        case metaTransaction

        // Records of trees.

        /// The flags of a tree are not of this format: duplicates, reversed keys, unknown bits.
        case treeFlags
        /// The padding of a tree's record is not zero.
        case treePadding
        /// A tree is empty by one field of its record and not by another, or has an impossible root.
        case treeRoot
        /// The record says another depth than the path to a page has, or an impossible one.
        case treeDepth
        case entryCount
        case branchPageCount
        case leafPageCount
        case overflowPageCount
        /// The value of a named database in the main tree is not a record.
        case databaseRecord
        /// A database that the format needs is not in the main tree.
        case databaseMissing
        /// A database that the format does not know is in the main tree.
        case databaseUnknown

        // Tree pages.

        /// A page number that no page of a tree can have, or that lies past the end of the file.
        case pageOutside
        /// A page is reached by two ways.
        case pageUsedTwice
        /// A page says that it is another one.
        case pageNumber
        /// The flags of a page are not legal, or of another kind of page than its place asks for.
        case pageFlags
        /// The bounds of a page's free space do not fit each other or the page.
        case pageBounds
        /// A page has fewer nodes than a tree page can have.
        case pageUnderfull
        /// A node begins at an odd offset, or outside the space for nodes.
        case nodeOffset
        /// A node ends outside its page, or is larger than a node can be.
        case nodeSize
        /// The nodes of a page overlap, or leave a gap.
        case nodeLayout
        /// The flags of a leaf node are not legal in its tree.
        case nodeFlags
        case keySize
        /// A key does not come after the one before it.
        case keyOrder
        /// A key is not between the separators above its page: no search finds it.
        case keyOutsideSeparators

        // Overflow runs.

        /// The run is shorter than its value, or has no page.
        case runPageCount

        // The free list.

        /// The length of a record does not fit the count in it.
        case freeRecord
        /// A record is of a transaction that is newer than the version, or of none.
        case freeTransaction
        /// The page numbers of a record do not fall.
        case freeOrder
        /// A page number that no free page can have.
        case freePageOutside
        /// A page is on the free list twice.
        case freePageTwice
        /// A page is on the free list and in use.
        case freePageInUse

        // Milder.

        /// A page is neither in use nor free: space is lost, nothing else.
        case pageUnaccounted
    }

    /// What should stand where something else was found.
    package enum Expectation: Hashable, Sendable {
        /// The kind says it all.
        case none
        case exactly(UInt64)
        case atLeast(UInt64)
        case atMost(UInt64)
    }

    /// A tree of the file.
    package enum Tree: Hashable, Sendable {
        case freeList
        case main
        case named(String)
    }

    package let kind: Kind
    /// The tree that was being walked; nil for meta pages and the file as a whole.
    package let tree: Tree?
    /// The page that holds the field.
    package let page: UInt64
    /// Where in the page the field begins.
    package let offset: Int
    package let expected: Expectation
    package let found: UInt64

    /// Whether reading may fail or give wrong answers; false where only space is lost.
    package var isDamage: Bool { kind != .pageUnaccounted }
}
