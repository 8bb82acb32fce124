import TestSupport

/// A bit of a file, and what stands there by the layout of the pages.
struct FlippedBit {
    /// What the bit belongs to.
    enum Place: Hashable {
        /// The head of a page, its table of offsets, free space, a branch node, the head of a run:
        /// a flip is reported, or nobody sees it.
        case structure
        /// The lowest bit of a size in a leaf node: rounding to even may hide a flip.
        case lowestSizeBit
        /// The size of a value that has pages of its own, which may be longer than it needs.
        case runValueSize
        case key
        case value
    }

    let index: Int
    let place: Place

    /// Chooses a bit of a page: half of the time in its head, else in the head of a node or anywhere.
    init(
        of page: Int, in image: FileImage, isFreeList: Bool, using chance: inout SeededGenerator
    ) {
        let isTree = image.flags(page) & 3 != 0
        let offset: Int
        switch Int.random(in: 0..<4, using: &chance) {
        case 0, 1:
            offset = Int.random(in: 0..<FileImage.headByteCount, using: &chance)
        case 2 where isTree:
            let node = image.node(page, Int.random(in: 0..<image.nodeCount(page), using: &chance))
            offset = node + Int.random(in: 0..<8, using: &chance)
        default:
            offset = Int.random(in: 0..<FileImage.pageByteCount, using: &chance)
        }
        let bit = Int.random(in: 0..<8, using: &chance)
        index = (page * FileImage.pageByteCount + offset) * 8 + bit
        place = isFreeList ? .structure : Self.place(page, offset, bit, image)
    }

    private static func place(_ page: Int, _ offset: Int, _ bit: Int, _ image: FileImage) -> Place {
        if image.flags(page) == 4 {
            return offset < FileImage.headByteCount ? .structure : .value
        }
        guard image.flags(page) == 2, offset >= image.upper(page),
            let node = (0..<image.nodeCount(page)).map({ image.node(page, $0) }).filter({ $0 <= offset })
                .max()
        else { return .structure }
        return place(inNode: offset - node, bit, page, node, image)
    }

    private static func place(
        inNode offset: Int, _ bit: Int, _ page: Int, _ node: Int, _ image: FileImage
    ) -> Place {
        let hasRun = image.nodeFlags(page, node) & 1 != 0
        switch offset {
        case 0..<4 where hasRun: return .runValueSize
        case 0 where bit == 0, 6 where bit == 0: return .lowestSizeBit
        case 0..<8: return .structure
        case ..<(8 + image.keySize(page, node)): return .key
        default: return hasRun ? .structure : .value
        }
    }
}
