internal import CairnStorage

/// A test of the values of one column. What null gives, and turning round, is the same for all of them and
/// done here; a subclass says which values it takes.
class ColumnNode: MaskNode {
    let table: SessionTable
    let position: Int
    private let isNegated: Bool
    private let acceptsNull: Bool

    init(_ table: SessionTable, _ position: Int, _ test: ValueTest, cost: Int) {
        self.table = table
        self.position = position
        isNegated = test.isNegated
        acceptsNull = test.acceptsNull
        super.init(cost: cost)
    }

    /// What the zone map of a chunk says of its values, of those that are not null.
    enum Zone {
        case none, all, some
    }

    /// Those of the rows whose values are taken.
    func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        preconditionFailure("a test of a column does not say which values it takes")
    }

    func zone(_ chunk: UnsafeRawPointer) -> Zone { .some }

    /// What the zone map says of numbers with a fraction and a range. Never `.all`: NaN takes no part in it.
    final func doubleZone(_ chunk: UnsafeRawPointer, _ lower: Double, _ upper: Double) -> Zone {
        let view = ChunkView(chunk)
        guard let zone = view.zone else { return view.zoneIsEmpty ? .none : .some }
        let isOutside = Double(bitPattern: zone.maximum) < lower || Double(bitPattern: zone.minimum) > upper
        return isOutside ? .none : .some
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        let chunk = table.chunk(position, block)
        let view = ChunkView(chunk)
        var values = candidates
        var nulls = BlockBitmap()
        for index in 0..<Block.wordCount {
            let null = view.word(index)
            values.words[index] &= ~null
            nulls.words[index] = candidates.words[index] & null
        }
        var result = taken(chunk, block, values)
        if isNegated { result = values.subtracting(result) }
        if acceptsNull { result.formUnion(nulls) }
        return result
    }

    private func taken(_ chunk: UnsafeRawPointer, _ block: UInt32, _ values: BlockBitmap) -> BlockBitmap {
        if values.isEmpty { return values }
        switch zone(chunk) {
        case .none: return BlockBitmap()
        case .all: return values
        case .some: return take(chunk, block, values)
        }
    }
}

/// Goes through the set bits of a mask.
extension BlockBitmap {
    /// Those of the rows for which the body holds.
    @inline(__always)
    func filtered(_ holds: (Int) -> Bool) -> BlockBitmap {
        var result = BlockBitmap()
        for index in 0..<Block.wordCount {
            var rest = words[index]
            var taken: UInt64 = 0
            while rest != 0 {
                let bit = rest & (~rest &+ 1)
                if holds(index &* 64 &+ rest.trailingZeroBitCount) { taken |= bit }
                rest &= rest &- 1
            }
            result.words[index] = taken
        }
        return result
    }

    /// The live rows of a block.
    @inline(__always)
    init(liveIn directory: DirectoryView) {
        self.init()
        for index in 0..<Block.wordCount { words[index] = directory.liveWord(index) }
    }
}
