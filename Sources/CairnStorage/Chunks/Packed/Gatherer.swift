/// Brings the values of the valued slots together.
enum Gatherer {
    /// Where the values are by rank: in the chunk itself when the valued slots are a run, else copied.
    ///
    /// - Parameter scratch: room for 448 slots.
    static func byRank(
        _ valued: SlotSet, _ slots: UnsafeRawPointer, _ shape: SlotShape, _ scratch: UnsafeMutableRawPointer
    ) -> UnsafeRawPointer {
        let first = valued.first
        guard first + valued.count < valued.end else {
            return slots + (valued.end == 0 ? 0 : first * shape.slotByteCount)
        }
        switch shape {
        case .bits: break
        case .four: copy(valued, slots, scratch, as: UInt32.self)
        case .eight: copy(valued, slots, scratch, as: UInt64.self)
        case .twelve: copy(valued, slots, scratch, as: TwelveBytes.self)
        case .sixteen, .text, .list, .backlinks: copy(valued, slots, scratch, as: SixteenBytes.self)
        }
        return UnsafeRawPointer(scratch)
    }

    private static func copy<Slot: FixedSlot>(
        _ valued: SlotSet, _ slots: UnsafeRawPointer, _ scratch: UnsafeMutableRawPointer, as type: Slot.Type
    ) {
        let source = RankedSlots<Slot>(start: slots, count: Block.slotCount)
        let target = SlotArea(start: scratch, slotCount: Block.slotCount)
        var rank = 0
        valued.forEach { slot in
            target.store(source[slot], at: rank)
            rank &+= 1
        }
    }
}

extension SlotSet {
    /// Without the slots, of sixteen bytes each, that are zero.
    func withoutEmpty(_ slots: UnsafeRawPointer) -> SlotSet {
        let source = RankedSlots<SixteenBytes>(start: slots, count: Block.slotCount)
        var result = self
        forEach { slot in
            if source[slot] == .zero { result.remove(slot) }
        }
        return result
    }
}
