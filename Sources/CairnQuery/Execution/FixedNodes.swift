internal import CairnStorage

/// A bool.
final class BoolNode: ColumnNode {
    private let wanted: Bool

    init(_ table: SessionTable, _ position: Int, _ wanted: Bool, _ test: ValueTest) {
        self.wanted = wanted
        super.init(table, position, test, cost: 1)
    }

    override func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        var result = rows
        for index in 0..<Block.wordCount where rows.words[index] != 0 {
            let bits = chunk.loadUnaligned(fromByteOffset: ChunkLayout.slots &+ index &* 8, as: UInt64.self)
            result.words[index] &= wanted ? bits : ~bits
        }
        return result
    }
}

/// A value that every or no row has.
final class EveryValueNode: ColumnNode {
    private let takesAll: Bool

    init(_ table: SessionTable, _ position: Int, _ takesAll: Bool, _ test: ValueTest) {
        self.takesAll = takesAll
        super.init(table, position, test, cost: 1)
    }

    override func zone(_ chunk: UnsafeRawPointer) -> Zone { takesAll ? .all : .none }
}

/// An integer within a range.
final class IntRangeNode: ColumnNode {
    private let range: ClosedRange<Int64>

    init(_ table: SessionTable, _ position: Int, _ range: ClosedRange<Int64>, _ test: ValueTest) {
        self.range = range
        super.init(table, position, test, cost: 2)
    }

    override func zone(_ chunk: UnsafeRawPointer) -> Zone {
        let view = ChunkView(chunk)
        guard let zone = view.zone else { return view.zoneIsEmpty ? .none : .some }
        let minimum = Int64(bitPattern: zone.minimum)
        let maximum = Int64(bitPattern: zone.maximum)
        if maximum < range.lowerBound || minimum > range.upperBound { return .none }
        return minimum >= range.lowerBound && maximum <= range.upperBound ? .all : .some
    }

    override func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        let slots = chunk + ChunkLayout.slots
        let lower = range.lowerBound
        // One unsigned comparison for both sides.
        let width = UInt64(bitPattern: range.upperBound &- lower)
        return WordKernel.filter(rows, ChunkView(chunk).slotCount) { slot in
            let value = slots.loadUnaligned(fromByteOffset: slot &* 8, as: Int64.self)
            return UInt64(bitPattern: value &- lower) <= width
        }
    }
}

/// A double or date within a range.
final class DoubleRangeNode: ColumnNode {
    private let range: ClosedRange<Double>

    init(_ table: SessionTable, _ position: Int, _ range: ClosedRange<Double>, _ test: ValueTest) {
        self.range = range
        super.init(table, position, test, cost: 2)
    }

    override func zone(_ chunk: UnsafeRawPointer) -> Zone {
        doubleZone(chunk, range.lowerBound, range.upperBound)
    }

    override func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        let slots = chunk + ChunkLayout.slots
        let slotCount = ChunkView(chunk).slotCount
        let lower = range.lowerBound
        let upper = range.upperBound
        var result = BlockBitmap()
        for index in 0..<Block.wordCount {
            let wanted = rows.words[index]
            if wanted == 0 { continue }
            if (index &+ 1) &* 64 <= slotCount {
                result.words[index] = wanted & Self.word(slots + index &* 512, lower, upper)
                continue
            }
            result.words[index] = WordKernel.sparse(wanted, index) { slot in
                let value = slots.loadUnaligned(fromByteOffset: slot &* 8, as: Double.self)
                return value >= lower && value <= upper
            }
        }
        return result
    }

    /// The bits of 64 values, two at a time: the width of the vectors that every machine has.
    @inline(__always)
    private static func word(_ slots: UnsafeRawPointer, _ lower: Double, _ upper: Double) -> UInt64 {
        let lowers = SIMD2<Double>(repeating: lower)
        let uppers = SIMD2<Double>(repeating: upper)
        var bits = SIMD2<Int64>()
        var weight = SIMD2<Int64>(1, 2)
        for pair in 0..<32 {
            let values = slots.loadUnaligned(fromByteOffset: pair &* 16, as: SIMD2<Double>.self)
            let isInside = (values .>= lowers) .& (values .<= uppers)
            bits |= unsafeBitCast(isInside, to: SIMD2<Int64>.self) & weight
            weight = weight &<< 2
        }
        return UInt64(bitPattern: bits[0] | bits[1])
    }
}

/// A float within a range.
final class FloatRangeNode: ColumnNode {
    private let range: ClosedRange<Float>

    init(_ table: SessionTable, _ position: Int, _ range: ClosedRange<Float>, _ test: ValueTest) {
        self.range = range
        super.init(table, position, test, cost: 2)
    }

    override func zone(_ chunk: UnsafeRawPointer) -> Zone {
        doubleZone(chunk, Double(range.lowerBound), Double(range.upperBound))
    }

    override func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        let slots = chunk + ChunkLayout.slots
        let range = range
        return WordKernel.filter(rows, ChunkView(chunk).slotCount) { slot in
            let value = slots.loadUnaligned(fromByteOffset: slot &* 4, as: Float.self)
            return value >= range.lowerBound && value <= range.upperBound
        }
    }
}

/// An integer, or a link's row key + 1, that is one of some. A link to nothing is null here.
final class WordSetNode: ColumnNode {
    private let words: [UInt64]
    private let set: WordSet?
    private let isLink: Bool
    private let linkAcceptsNull: Bool
    private let linkIsNegated: Bool

    init(_ table: SessionTable, _ position: Int, _ words: [UInt64], _ test: ValueTest, isLink: Bool) {
        self.words = words
        self.isLink = isLink
        linkAcceptsNull = test.acceptsNull
        linkIsNegated = test.isNegated
        set = words.count > QueryLimits.linearMembershipCount ? WordSet(words) : nil
        super.init(table, position, test, cost: set == nil ? 3 : 6)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        guard isLink else { return super.mask(block, candidates) }
        let chunk = table.chunk(position, block)
        return candidates.filtered { slot in
            let word = chunk.loadUnaligned(fromByteOffset: ChunkLayout.slots &+ slot &* 8, as: UInt64.self)
            return word == 0 ? linkAcceptsNull : contains(word) != linkIsNegated
        }
    }

    override func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        let slots = chunk + ChunkLayout.slots
        return rows.filtered { slot in
            contains(slots.loadUnaligned(fromByteOffset: slot &* 8, as: UInt64.self))
        }
    }

    @inline(__always)
    private func contains(_ word: UInt64) -> Bool {
        if let set { return set.contains(word) }
        for known in words where known == word { return true }
        return false
    }
}

/// An object id or UUID that is one of some.
final class IdentifierSetNode: ColumnNode {
    private let set: IdentifierSet
    private let width: Int

    init(_ table: SessionTable, _ position: Int, _ identifiers: [[UInt8]], _ test: ValueTest, width: Int) {
        set = IdentifierSet(identifiers)
        self.width = width
        super.init(table, position, test, cost: 6)
    }

    override func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        let slots = chunk + ChunkLayout.slots
        let width = width
        return rows.filtered { slot in set.contains(slots + slot &* width, count: width) }
    }
}

/// Whatever else has a fixed width: looked at one by one.
final class FixedNode: ColumnNode {
    private let matcher: ValueMatcher
    private let width: Int

    init(_ table: SessionTable, _ position: Int, _ test: ValueTest, width: Int) {
        // Nulls and turning round are the superclass's.
        matcher = ValueMatcher(ValueTest(test.kind))
        self.width = width
        super.init(table, position, test, cost: 20)
    }

    override func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        let slots = chunk + ChunkLayout.slots
        return rows.filtered { slot in
            matcher.matches(UnsafeRawBufferPointer(start: slots + slot &* width, count: width))
        }
    }
}

/// The loops over the words of a mask.
enum WordKernel {
    /// Those of the rows for which a test without branches holds.
    @inline(__always)
    static func filter(
        _ rows: BlockBitmap, _ slotCount: Int, _ holds: (Int) -> Bool
    ) -> BlockBitmap {
        var result = BlockBitmap()
        for index in 0..<Block.wordCount {
            let wanted = rows.words[index]
            if wanted == 0 { continue }
            // A chunk may end behind its last live row: only whole words are looked at as a whole.
            if wanted.nonzeroBitCount > 8, (index &+ 1) &* 64 <= slotCount {
                var bits: UInt64 = 0
                for bit in 0..<64 {
                    let isTaken: UInt64 = holds(index &* 64 &+ bit) ? 1 : 0
                    bits |= isTaken &<< UInt64(truncatingIfNeeded: bit)
                }
                result.words[index] = wanted & bits
            } else {
                result.words[index] = sparse(wanted, index, holds)
            }
        }
        return result
    }

    @inline(__always)
    static func sparse(_ wanted: UInt64, _ index: Int, _ holds: (Int) -> Bool) -> UInt64 {
        var rest = wanted
        var taken: UInt64 = 0
        while rest != 0 {
            let bit = rest & (~rest &+ 1)
            if holds(index &* 64 &+ rest.trailingZeroBitCount) { taken |= bit }
            rest &= rest &- 1
        }
        return taken
    }
}
