internal import CairnStorage

/// A part of a condition made ready to be carried out: turns a block and the rows in question into those for
/// which it holds.
///
/// One call a block, not a row: what is inside works on whole words of the mask. Used by one thread.
class MaskNode {
    /// What a row costs, roughly in nanoseconds: cheap conditions run first.
    let cost: Int

    init(cost: Int) { self.cost = cost }

    /// The cheapest first. Stable, so that plans do not depend on chance.
    static func byCost(_ nodes: [MaskNode]) -> [MaskNode] {
        nodes.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }.map(
            \.element)
    }

    /// - Parameter candidates: live rows of the block.
    /// - Returns: those of the candidates for which it holds.
    func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        preconditionFailure("a part of a condition does not say which rows it holds for")
    }
}

final class ConstantNode: MaskNode {
    private let value: Bool

    init(_ value: Bool) {
        self.value = value
        super.init(cost: 0)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        value ? candidates : BlockBitmap()
    }
}

final class NotNode: MaskNode {
    private let inner: MaskNode

    init(_ inner: MaskNode) {
        self.inner = inner
        super.init(cost: inner.cost)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        candidates.subtracting(inner.mask(block, candidates))
    }
}

final class AndNode: MaskNode {
    private let parts: [MaskNode]

    init(_ parts: [MaskNode]) {
        self.parts = MaskNode.byCost(parts)
        super.init(cost: parts.reduce(0) { $0 + $1.cost })
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        var result = candidates
        for part in parts {
            result = part.mask(block, result)
            if result.isEmpty { break }
        }
        return result
    }
}

final class OrNode: MaskNode {
    private let parts: [MaskNode]

    init(_ parts: [MaskNode]) {
        self.parts = MaskNode.byCost(parts)
        super.init(cost: parts.reduce(0) { $0 + $1.cost })
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        var result = BlockBitmap()
        var rest = candidates
        for part in parts {
            let found = part.mask(block, rest)
            result.formUnion(found)
            rest.subtract(found)
            if rest.isEmpty { break }
        }
        return result
    }
}

/// Some rows, named by their keys.
final class RowsNode: MaskNode {
    private let rows: [RowKey]

    /// - Parameter rows: rising.
    init(_ rows: [RowKey]) {
        self.rows = rows
        super.init(cost: 1)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        var result = BlockBitmap()
        var low = 0
        var high = rows.count
        let first = RowKey(block: block, slot: 0)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle] < first { low = middle + 1 } else { high = middle }
        }
        while low < rows.count, rows[low].block == block {
            result.insert(rows[low].slot)
            low += 1
        }
        return result.intersection(candidates)
    }
}
