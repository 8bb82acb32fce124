/// One entry of a tree page, as the file has it. Holds places in the page, no pointers.
struct Node {
    /// Where in the page the node begins.
    let offset: Int
    let keyByteCount: Int
    /// The flags of a leaf node; a part of the page number in a branch node.
    let flags: UInt16
    private let low: UInt32

    /// The node that the table of offsets has at an index, or nil where its head does not lie inside.
    init?(_ index: Int, in page: PageBytes) {
        guard let offset = page.load(PageHeader.pointerOffset(index), as: UInt16.self) else { return nil }
        self.init(at: Int(offset), in: page)
    }

    private init?(at offset: Int, in page: PageBytes) {
        guard let low = page.load(offset + NodeLayout.low, as: UInt32.self),
            let flags = page.load(offset + NodeLayout.flags, as: UInt16.self),
            let keyByteCount = page.load(offset + NodeLayout.keySize, as: UInt16.self)
        else { return nil }
        self.offset = offset
        self.low = low
        self.flags = flags
        self.keyByteCount = Int(keyByteCount)
    }

    /// The page below a branch node: 48 bits.
    var child: UInt64 {
        UInt64(low) | UInt64(flags) << UInt64(UInt32.bitWidth)
    }

    /// The size of a leaf node's value, wherever that is.
    var valueByteCount: Int { Int(low) }

    var hasRun: Bool { flags & NodeFlags.run != 0 }

    /// Where a leaf node's value begins, or the number of its run's first page.
    var valueOffset: Int { offset + NodeLayout.key + keyByteCount }

    /// What the node takes in the page, before it is rounded up to be even.
    func byteCount(isBranch: Bool) -> Int {
        NodeLayout.key + keyByteCount + (isBranch ? 0 : storedValueByteCount)
    }

    private var storedValueByteCount: Int {
        hasRun ? NodeLayout.runReferenceByteCount : valueByteCount
    }

    /// The key, or nil where it does not lie inside the page.
    func key(in page: PageBytes) -> UnsafeRawBufferPointer? {
        page.bytes(at: offset + NodeLayout.key, count: keyByteCount)
    }

    /// The first page of the value's run, or nil where its number does not lie inside the page.
    func run(in page: PageBytes) -> UInt64? {
        page.load(valueOffset, as: UInt64.self)
    }
}
