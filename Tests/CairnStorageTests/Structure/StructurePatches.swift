import CairnStorage

/// A targeted damage for each kind of finding, on the sample file.
///
/// The numbers are offsets as drawn in `FileLayout.swift`.
enum StructurePatches {
    typealias Patch = @Sendable (inout FileImage) -> Void

    static let all: [StructureFinding.Kind: Patch] =
        meta.merging(records) { first, _ in first }
        .merging(pages) { first, _ in first }
        .merging(nodes) { first, _ in first }
        .merging(freeList) { first, _ in first }

    private static let meta: [StructureFinding.Kind: Patch] = [
        .metaMissing: { $0.bytes.removeLast($0.bytes.count - 4096) },
        .metaHead: { $0.set(0, 10, 0x48 as UInt16) },
        .metaMagic: { $0.set(1, 16, 0xBEEF_C0DF as UInt32) },
        .metaVersion: { $0.set(1, 20, 2 as UInt32) },
        .metaPageSize: { $0.set(1, 40, 8192 as UInt32) },
        .metaAddress: { $0.set(0, 24, 1 as UInt64) },
        .metaMapSize: { $0.set($0.meta, 32, $0.lastPage * 4096) },
        .metaLastPage: { $0.set(1 - $0.meta, 136, 0 as UInt64) },
        .metaTransaction: { $0.set($0.meta, 144, $0.transaction + 2) },
    ]

    private static let records: [StructureFinding.Kind: Patch] = [
        .treeFlags: { $0.add(4 as UInt16, to: $0.record("names"), 4) },
        .treePadding: { $0.add(1 as UInt32, to: $0.record("names"), 0) },
        .treeRoot: { $0.set($0.meta, 88 + 40, 1 as UInt64) },
        .treeDepth: { $0.add(1 as UInt16, to: $0.record("names"), 6) },
        .entryCount: { $0.add(1 as UInt64, to: $0.record("chunks"), 32) },
        .branchPageCount: { $0.add(1 as UInt64, to: $0.mainRecord, 8) },
        .leafPageCount: { $0.add(1 as UInt64, to: $0.freeRecord, 16) },
        .overflowPageCount: { $0.add(1 as UInt64, to: $0.record("chunks"), 24) },
        .databaseRecord: { image in
            // 8 + 5 + 48 bytes: one more is hidden by the rounding to even.
            let record = image.record("names")
            image.set(record.page, record.offset - 13, 49 as UInt32)
        },
        .databaseMissing: { image in
            let record = image.record("names")
            image.set(record.page, record.offset - 1, UInt8(ascii: "t"))
        },
        .databaseUnknown: { image in
            let record = image.record("empty")
            image.set(record.page, record.offset - 1, UInt8(ascii: "z"))
        },
    ]

    private static let pages: [StructureFinding.Kind: Patch] = [
        .pageOutside: { $0.setChild(of: "chunks", 2, UInt32($0.lastPage + 1)) },
        .pageUsedTwice: { $0.setChild(of: "chunks", 2, UInt32($0.child($0.root($0.record("chunks")), 1))) },
        .pageNumber: { $0.set($0.root($0.record("names")), 0, 3 as UInt64) },
        .pageFlags: { $0.set($0.firstLeaf($0.record("names")), 10, 0x22 as UInt16) },
        .pageBounds: { $0.set($0.firstLeaf($0.record("names")), 12, 4090 as UInt16) },
        .pageUnderfull: { $0.set($0.root($0.record("names")), 12, 18 as UInt16) },
    ]

    private static let nodes: [StructureFinding.Kind: Patch] = [
        .nodeOffset: { $0.editLeaf("names") { $0.set($1, 16, UInt16($0.node($1, 0) + 1)) } },
        .nodeSize: { $0.editLeaf("names") { $0.set($1, $0.node($1, 0), 4_000 as UInt32) } },
        .nodeLayout: { $0.editLeaf("names") { $0.set($1, 18, UInt16($0.node($1, 0))) } },
        .nodeFlags: { $0.editLeaf("names") { $0.set($1, $0.node($1, 0) + 4, 2 as UInt16) } },
        .keySize: {
            $0.editLeaf("chunks") { image, page in
                let node = image.node(page, 0)
                image.set(page, node + 6, 7 as UInt16)
                image.set(page, node, UInt32(image.valueSize(page, node) + 1))
            }
        },
        .keyOrder: {
            $0.editLeaf("names") { image, page in
                let (first, second) = (image.node(page, 3), image.node(page, 4))
                image.set(page, 16 + 2 * 3, UInt16(second))
                image.set(page, 16 + 2 * 4, UInt16(first))
            }
        },
        .keyOutsideSeparators: { image in
            let root = image.root(image.record("chunks"))
            let node = image.node(root, 3)
            image.set(root, node + 8, image.number(root, node + 8, as: UInt64.self) + 1)
        },
        .runPageCount: { $0.set($0.firstRun("chunks"), 12, 0 as UInt32) },
    ]

    private static let freeList: [StructureFinding.Kind: Patch] = [
        .freeRecord: { $0.editFreeRecord { $0.set($1, $2, 100_000 as UInt64) } },
        .freeTransaction: { image in
            image.editFreeRecord { image, page, value in
                image.set(page, value - 8, image.transaction + 1)
            }
        },
        .freeOrder: {
            $0.editFreeRecord { image, page, value in
                let first = image.number(page, value + 8, as: UInt64.self)
                image.set(page, value + 8, image.number(page, value + 16, as: UInt64.self))
                image.set(page, value + 16, first)
            }
        },
        .freePageOutside: {
            $0.editFreeRecord { image, page, value in image.set(page, value + 8, image.lastPage + 1) }
        },
        .freePageTwice: {
            $0.editFreeRecord { image, page, value in
                image.set(page, value + 8, image.number(page, value + 16, as: UInt64.self))
            }
        },
        .freePageInUse: {
            $0.editFreeRecord { image, page, value in
                image.set(page, value + 8, UInt64(image.root(image.mainRecord)))
            }
        },
        .pageUnaccounted: {
            $0.editFreeRecord { image, page, value in
                image.set(page, value, image.number(page, value, as: UInt64.self) - 1)
            }
        },
    ]
}

extension FileImage {
    fileprivate mutating func add<Number: FixedWidthInteger>(_ more: Number, to record: Record, _ field: Int)
    {
        let old = number(record.page, record.offset + field, as: Number.self)
        set(record.page, record.offset + field, old + more)
    }

    fileprivate mutating func setChild(of name: String, _ index: Int, _ child: UInt32) {
        let root = root(record(name))
        set(root, node(root, index), child)
    }

    fileprivate mutating func editLeaf(_ name: String, _ edit: (inout FileImage, Int) -> Void) {
        edit(&self, firstLeaf(record(name)))
    }

    /// Edits the last record of a free list of one page: gets the page, and where the value begins.
    fileprivate mutating func editFreeRecord(_ edit: (inout FileImage, Int, Int) -> Void) {
        let page = root(freeRecord)
        edit(&self, page, node(page, nodeCount(page) - 1) + 16)
    }

    /// The first page of the first run in a database.
    func firstRun(_ name: String) -> Int {
        pages(record(name)).first { flags($0) == 4 }!
    }
}
