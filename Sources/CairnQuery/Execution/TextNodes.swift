internal import CairnStorage

/// A test of a string or binary column without folding.
///
/// Equality and short prefixes look at the slot only: its first word has the length and the first four
/// bytes, its second the rest of a text of up to twelve.
final class TextNode: ColumnNode {
    private let matcher: TextMatcher
    private let relation: TextTest.Relation
    private let needleCount: Int
    /// The first word of a slot with the needle, as far as `firstMask` goes.
    private let first: UInt64
    private let firstMask: UInt64
    /// The second word of a slot with a needle of up to twelve bytes.
    private let second: UInt64
    private let prefixBound: (lower: UInt64, upper: UInt64)?

    init(_ table: SessionTable, _ position: Int, _ text: TextTest, _ test: ValueTest) {
        matcher = TextMatcher(text)
        relation = text.relation
        needleCount = text.needle.count
        var slot = [UInt8](repeating: 0, count: 16)
        for (index, byte) in text.needle.prefix(12).enumerated() { slot[4 + index] = byte }
        let words = slot.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        if relation == .equal {
            first = words.0 | UInt64(UInt32(truncatingIfNeeded: text.needle.count))
            firstMask = ~0
        } else {
            first = words.0
            firstMask =
                text.needle.count >= 4
                ? 0xFFFF_FFFF_0000_0000 : (UInt64(1) << UInt64(8 * text.needle.count) &- 1) << 32
        }
        second = words.1
        prefixBound = Self.bound(text)
        let isShort = relation == .equal || (relation == .beginsWith && text.needle.count <= 4)
        super.init(table, position, test, cost: isShort ? 3 : relation == .contains ? 30 : 12)
    }

    /// The eight-byte prefixes that texts which are taken may have.
    private static func bound(_ text: TextTest) -> (lower: UInt64, upper: UInt64)? {
        let prefix = text.needle.withUnsafeBytes(ByteOrder.prefix)
        switch text.relation {
        case .equal: return (prefix, prefix)
        case .beginsWith:
            let count = min(8, text.needle.count)
            return (prefix, count == 8 ? prefix : prefix | (UInt64.max >> UInt64(8 * count)))
        case .less, .lessOrEqual: return (0, prefix)
        case .greater, .greaterOrEqual: return (prefix, .max)
        case .endsWith, .contains, .like, .isIn: return nil
        }
    }

    override func zone(_ chunk: UnsafeRawPointer) -> Zone {
        let view = ChunkView(chunk)
        if view.zoneIsEmpty { return .none }
        guard let bound = prefixBound, let zone = view.zone else { return .some }
        return zone.maximum < bound.lower || zone.minimum > bound.upper ? .none : .some
    }

    override func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        let slots = chunk + ChunkLayout.slots
        switch relation {
        case .equal:
            if needleCount <= TextSlot.inPlaceLimit {
                let (first, second) = (first, second)
                return WordKernel.filter(rows, ChunkView(chunk).slotCount) { slot in
                    let one = slots.loadUnaligned(fromByteOffset: slot &* 16, as: UInt64.self)
                    let two = slots.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self)
                    return (one ^ first) | (two ^ second) == 0
                }
            }
            return check(beginsLikeNeedle(slots, rows, chunk), block)
        case .beginsWith:
            let found = beginsLikeNeedle(slots, rows, chunk)
            return needleCount <= 4 ? found : check(found, block)
        default: return check(rows, block)
        }
    }

    /// The rows whose texts have the needle's first bytes, up to four; and its length, for equality.
    private func beginsLikeNeedle(
        _ slots: UnsafeRawPointer, _ rows: BlockBitmap, _ chunk: UnsafeRawPointer
    ) -> BlockBitmap {
        let (first, mask) = (first, firstMask)
        let least = UInt32(truncatingIfNeeded: needleCount)
        return WordKernel.filter(rows, ChunkView(chunk).slotCount) { slot in
            let word = slots.loadUnaligned(fromByteOffset: slot &* 16, as: UInt64.self)
            let isLongEnough: UInt64 = UInt32(truncatingIfNeeded: word) >= least ? 0 : 1
            return ((word ^ first) & mask) | isLongEnough == 0
        }
    }

    private func check(_ rows: BlockBitmap, _ block: UInt32) -> BlockBitmap {
        rows.filtered { slot in
            matcher.matchesFolded(table.text(RowKey(block: block, slot: slot), position))
        }
    }
}

/// A test of a string column with `[c]` or `[d]`.
///
/// ASCII texts are folded byte by byte into a buffer that is used again; of the others folded copies are
/// kept with the chunk.
final class FoldedTextNode: ColumnNode {
    private let matcher: TextMatcher
    private let folding: TextFolding
    private let folded: FoldedChunks
    private var scratch: [UInt8] = []

    init(
        _ table: SessionTable, _ position: Int, _ text: TextTest, _ test: ValueTest, _ folded: FoldedChunks
    ) {
        matcher = TextMatcher(text)
        folding = text.folding
        self.folded = folded
        super.init(table, position, test, cost: 40)
    }

    override func take(_ chunk: UnsafeRawPointer, _ block: UInt32, _ rows: BlockBitmap) -> BlockBitmap {
        let folded = folded.chunk(table, position, block, chunk, folding)
        return rows.filtered { slot in
            let text = table.text(RowKey(block: block, slot: slot), position)
            if folding.contains(.asciiCaseInsensitive) || TextFolding.isASCII(text) {
                return takesASCII(text)
            }
            return folded.withText(slot, text, folding) { matcher.matchesFolded($0) }
        }
    }

    private func takesASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        guard folding.contains(.caseInsensitive) || folding.contains(.asciiCaseInsensitive) else {
            return matcher.matchesFolded(text)
        }
        if scratch.count < text.count { scratch = Array(repeating: 0, count: text.count * 2) }
        return scratch.withUnsafeMutableBytes { scratch in
            for index in 0..<text.count { scratch[index] = TextFolding.lowercased(text[index]) }
            return matcher.matchesFolded(UnsafeRawBufferPointer(rebasing: scratch[..<text.count]))
        }
    }
}
