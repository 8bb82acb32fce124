/// The head of a page, as the file has it.
struct PageHeader {
    let number: UInt64
    let flags: UInt16
    /// Where the table of node offsets ends.
    let lower: Int
    /// Where the nodes begin.
    let upper: Int
    /// How many pages an overflow run takes. Of no meaning on other pages.
    let runPageCount: UInt32

    /// Nil where the buffer is shorter than a head.
    init?(_ page: PageBytes) {
        guard let number = page.load(PageLayout.number, as: UInt64.self),
            let flags = page.load(PageLayout.flags, as: UInt16.self),
            let lower = page.load(PageLayout.lower, as: UInt16.self),
            let upper = page.load(PageLayout.upper, as: UInt16.self),
            let runPageCount = page.load(PageLayout.runPageCount, as: UInt32.self)
        else { return nil }
        self.number = number
        self.flags = flags
        self.lower = Int(lower)
        self.upper = Int(upper)
        self.runPageCount = runPageCount
    }

    var isBranch: Bool { flags == PageFlags.branch }
    var isLeaf: Bool { flags == PageFlags.leaf }

    /// The number of nodes of a tree page, 0 where the bound is not even past the head.
    var nodeCount: Int {
        max(0, lower - PageLayout.headByteCount) / PageLayout.pointerByteCount
    }

    /// Where the offset of a node stands.
    static func pointerOffset(_ index: Int) -> Int {
        PageLayout.headByteCount + index * PageLayout.pointerByteCount
    }
}
