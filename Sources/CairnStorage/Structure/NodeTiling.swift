/// Checks that the nodes of a page fill the space from its upper bound to its end exactly once.
///
/// LMDB closes the gap whenever a node goes and gives a new one the place just below the others, so a
/// gap, an overlap or a size that is off always shows. One table by half offset, kept from page to page:
/// a node notes its size where it begins, then a walk from the upper bound must meet all of them.
struct NodeTiling {
    /// The rounded size of the node that begins at twice the index; 0 where none does.
    private var byteCounts: [UInt16]

    init(pageByteCount: Int) {
        byteCounts = Array(repeating: 0, count: pageByteCount / NodeLayout.alignment)
    }

    /// Forgets the nodes of the page before.
    mutating func reset() {
        for index in byteCounts.indices { byteCounts[index] = 0 }
    }

    /// Notes a node.
    ///
    /// - Precondition: It begins at an even offset inside the page and ends inside it.
    /// - Returns: False where a node begins there already.
    mutating func add(offset: Int, byteCount: Int) -> Bool {
        let index = offset / NodeLayout.alignment
        guard byteCounts[index] == 0 else { return false }
        byteCounts[index] = UInt16(Self.rounded(byteCount))
        return true
    }

    /// Where the row of nodes breaks, or nil where it reaches the end of the page and holds all of them.
    ///
    /// - Parameters:
    ///   - upper: Where the first node must begin.
    ///   - nodeCount: How many have been added.
    func firstBreak(upper: Int, nodeCount: Int) -> Int? {
        var index = upper / NodeLayout.alignment
        var met = 0
        while index < byteCounts.count {
            let byteCount = byteCounts[index]
            guard byteCount > 0 else { return index * NodeLayout.alignment }
            index += Int(byteCount) / NodeLayout.alignment
            met += 1
        }
        return met == nodeCount ? nil : upper
    }

    static func rounded(_ byteCount: Int) -> Int {
        (byteCount + NodeLayout.alignment - 1) / NodeLayout.alignment * NodeLayout.alignment
    }
}
