extension StructureFinding: CustomStringConvertible {
    /// A sentence for a person.
    package var description: String {
        let place = tree.map { "Page \(page) (\($0)), byte \(offset)" } ?? "Page \(page), byte \(offset)"
        return "\(place): \(kind)\(expected.text), found \(found)."
    }
}

extension StructureFinding.Expectation {
    fileprivate var text: String {
        switch self {
        case .none: ""
        case .exactly(let number): ", expected \(number)"
        case .atLeast(let number): ", expected \(number) or more"
        case .atMost(let number): ", expected \(number) or less"
        }
    }
}

extension StructureFinding.Tree: CustomStringConvertible {
    package var description: String {
        switch self {
        case .freeList: "free list"
        case .main: "main tree"
        case .named(let name): "database \(name.debugDescription)"
        }
    }
}

extension StructureFinding.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .metaMissing: "the file ends before this meta page"
        case .metaHead: "wrong head of a meta page"
        case .metaMagic: "not LMDB's magic number"
        case .metaVersion: "another version of LMDB's file format"
        case .metaPageSize: "impossible page size"
        case .metaAddress: "the file asks for a fixed address"
        case .metaMapSize: "the map is smaller than the file"
        case .metaLastPage: "impossible last page"
        case .metaTransaction: "the transaction ids of the meta pages do not fit"
        case .treeFlags: "a tree of a kind that is not used by this format"
        case .treePadding: "unused bytes are not zero"
        case .treeRoot: "impossible root page"
        case .treeDepth: "wrong depth of a tree"
        case .entryCount: "wrong number of entries"
        case .branchPageCount: "wrong number of branch pages"
        case .leafPageCount: "wrong number of leaf pages"
        case .overflowPageCount: "wrong number of overflow pages"
        case .databaseRecord: "not the record of a database"
        case .databaseMissing: "a database is missing"
        case .databaseUnknown: "a database that is not used by this format"
        default: treeText
        }
    }

    private var treeText: String {
        switch self {
        case .pageOutside: "a page number outside the file"
        case .pageUsedTwice: "a page that is used elsewhere too"
        case .pageNumber: "wrong page number"
        case .pageFlags: "wrong kind of page"
        case .pageBounds: "impossible bounds"
        case .pageUnderfull: "too few nodes"
        case .nodeOffset: "impossible place of a node"
        case .nodeSize: "impossible size of a node"
        case .nodeLayout: "nodes overlap or leave a gap"
        case .nodeFlags: "impossible flags of a node"
        case .keySize: "impossible size of a key"
        case .keyOrder: "keys out of order"
        case .keyOutsideSeparators: "a key where no search finds it"
        case .runPageCount: "wrong length of a run of overflow pages"
        case .freeRecord: "wrong length of a record of free pages"
        case .freeTransaction: "impossible transaction of a record of free pages"
        case .freeOrder: "free pages out of order"
        case .freePageOutside: "a free page outside the file"
        case .freePageTwice: "a page that is free twice"
        case .freePageInUse: "a page that is free and in use"
        case .pageUnaccounted: "a page that is neither used nor free"
        default: rawValue
        }
    }
}
