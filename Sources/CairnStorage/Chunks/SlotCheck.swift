/// What an element of a column's lists is, as far as its bytes go (`docs/file-format.md`, section 4.4).
package struct ListElement: Equatable, Sendable {
    /// The bytes of an element; 0 for texts, which are as long as they are.
    package let byteCount: Int
    /// Whether a bitmap of null elements stands before the elements.
    package let isNullable: Bool

    /// - Parameters:
    ///   - kind: the kind of the column, not `backlinks`.
    ///   - isNullable: whether elements can be null. Links never are.
    package init(kind: ValueKind, isNullable: Bool) {
        byteCount = kind.elementByteCount ?? 0
        self.isNullable = isNullable && kind != .link
    }

    /// Whether the bytes are a payload of exactly `count` elements, end offsets of texts included.
    ///
    /// - Complexity: O(1), O(`count`) for texts.
    package func isPayload(_ payload: UnsafeRawBufferPointer, count: Int) -> Bool {
        guard count >= 0, count <= payload.count else { return false }
        let bitmapByteCount = isNullable ? (count + 7) / 8 : 0
        let elementsByteCount = payload.count - bitmapByteCount
        guard byteCount == 0 else { return elementsByteCount == count * byteCount }
        let textByteCount = elementsByteCount - 4 * count
        guard textByteCount >= 0 else { return false }
        var last: UInt32 = 0
        var isRising = true
        for index in 0..<count {
            let offset = bitmapByteCount + 4 * index
            let end = UInt32(littleEndian: payload.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            isRising = end >= last && isRising
            last = end
        }
        return isRising && Int(last) == textByteCount
    }
}

/// The checks of slots that refer to a heap: a loop a shape, without a branch on each slot where that
/// is possible.
enum SlotCheck {
    /// Whether every slot lies within the heap or names a value.
    static func allHold(
        _ slots: UnsafeRawBufferPointer, heap: UnsafeRawBufferPointer, shape: SlotShape, element: ListElement?
    ) -> Bool {
        switch shape {
        case .text: textSlotsHold(slots, heapByteCount: heap.count)
        case .list: listSlotsHold(slots, heap: heap, element: element)
        case .backlinks: backlinkSlotsHold(slots, heapByteCount: heap.count)
        case .bits, .four, .eight, .twelve, .sixteen: true
        }
    }

    /// The two words of the slot at a byte offset.
    @inline(__always)
    private static func words(_ slots: UnsafeRawBufferPointer, _ offset: Int) -> (UInt64, UInt64) {
        (
            UInt64(littleEndian: slots.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
            UInt64(littleEndian: slots.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
        )
    }

    /// Four slots at a time, field by field, with signs instead of comparisons: comparisons of vectors
    /// become branches.
    private static func textSlotsHold(_ slots: UnsafeRawBufferPointer, heapByteCount: Int) -> Bool {
        guard let heap = Int32(exactly: heapByteCount) else { return false }
        var failures = SIMD4<Int32>.zero
        var offset = 0
        while offset &+ 64 <= slots.count {
            let first = slots.loadUnaligned(fromByteOffset: offset, as: SIMD8<Int32>.self)
            let second = slots.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD8<Int32>.self)
            failures |= failingTexts(
                SIMD4(first[0], first[4], second[0], second[4]),
                SIMD4(first[2], first[6], second[2], second[6]),
                SIMD4(first[3], first[7], second[3], second[7]), heap: heap)
            offset &+= 64
        }
        while offset < slots.count {
            let slot = slots.loadUnaligned(fromByteOffset: offset, as: SIMD4<Int32>.self)
            failures |= failingTexts(
                SIMD4(repeating: slot.x), SIMD4(repeating: slot.z), SIMD4(repeating: slot.w), heap: heap)
            offset &+= 16
        }
        return failures.x | failures.y | failures.z | failures.w >= 0
    }

    /// Negative where a slot fails.
    ///
    /// - Parameters:
    ///   - count: lengths of texts, 2³¹ and more as negative numbers, as in all fields.
    ///   - third: heap offsets, or the lower halves of value ids.
    ///   - fourth: zeros, or the upper halves.
    @inline(__always)
    private static func failingTexts(
        _ count: SIMD4<Int32>, _ third: SIMD4<Int32>, _ fourth: SIMD4<Int32>, heap: Int32
    ) -> SIMD4<Int32> {
        let isLong = (SIMD4(repeating: Int32(TextSlot.inPlaceLimit)) &- count) | count
        let isElsewhere = (SIMD4(repeating: Int32(TextSlot.heapLimit)) &- count) | count
        let isNoZero = fourth | (SIMD4.zero &- fourth)
        let isOutside = (SIMD4(repeating: heap) &- third &- count) | third | isNoZero
        let id = third | fourth
        let isNoID = ~(id | (SIMD4.zero &- id))
        return (isLong & ~isElsewhere & isOutside) | (isElsewhere & isNoID)
    }

    private static func listSlotsHold(
        _ slots: UnsafeRawBufferPointer, heap: UnsafeRawBufferPointer, element: ListElement?
    ) -> Bool {
        var holds = true
        var offset = 0
        while offset < slots.count {
            let (low, upper) = words(slots, offset)
            if low | upper != 0 {
                holds = listSlotHolds(low, upper, heap: heap, element: element) && holds
            }
            offset &+= 16
        }
        return holds
    }

    /// A slot that is not that of an empty list.
    @inline(__always)
    private static func listSlotHolds(
        _ low: UInt64, _ upper: UInt64, heap: UnsafeRawBufferPointer, element: ListElement?
    ) -> Bool {
        let count = Int(low & 0xFFFF_FFFF)
        let flags = UInt32(low >> 32)
        if flags == ListSlot.inPieces { return count > 0 && upper != 0 }
        let start = Int(upper & 0xFFFF_FFFF)
        let byteCount = Int(upper >> 32)
        guard flags == 0, count > 0, byteCount <= ListSlot.heapLimit, start + byteCount <= heap.count else {
            return false
        }
        guard let element else { return count <= byteCount }
        return element.isPayload(
            UnsafeRawBufferPointer(rebasing: heap[start..<(start + byteCount)]), count: count)
    }

    private static func backlinkSlotsHold(_ slots: UnsafeRawBufferPointer, heapByteCount: Int) -> Bool {
        let heap = UInt64(heapByteCount)
        var failures: UInt64 = 0
        var offset = 0
        while offset < slots.count {
            let (low, upper) = words(slots, offset)
            let count = low & 0xFFFF_FFFF
            let flags = low >> 32
            let end = upper <= heap ? upper &+ 8 &* count : .max
            let isTooMany = count > UInt64(BacklinkSlot.heapLimit)
            let heapFailure: UInt64 = isTooMany || end > heap ? 1 : 0
            let noneFailure: UInt64 = count == 0 && upper != 0 ? 1 : 0
            let orderedFailure: UInt64 = flags != 1 || count == 0 || upper != 0 ? 1 : 0
            failures |= flags != 0 ? orderedFailure : count > 1 ? heapFailure : noneFailure
            offset &+= 16
        }
        return failures == 0
    }
}
