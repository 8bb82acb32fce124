/// A slot as its bytes: what the schemes for fixed widths move about.
protocol FixedSlot: BitwiseCopyable, Equatable {
    /// All bytes zero.
    static var zero: Self { get }
    /// The bits in which two slots differ.
    static func ^ (left: Self, right: Self) -> Self
    static func | (left: Self, right: Self) -> Self
    /// A mixture of all bits: the upper ones are the best.
    var mixed: UInt64 { get }
}

extension UInt32: FixedSlot {
    @inline(__always) var mixed: UInt64 { UInt64(self).mixed }
}

extension UInt64: FixedSlot {
    @inline(__always) var mixed: UInt64 {
        let product = multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

/// A slot of twelve bytes, an ObjectId.
struct TwelveBytes: FixedSlot {
    var low: UInt32
    var middle: UInt32
    var high: UInt32

    static var zero: Self { Self(low: 0, middle: 0, high: 0) }

    @inline(__always) static func ^ (left: Self, right: Self) -> Self {
        Self(low: left.low ^ right.low, middle: left.middle ^ right.middle, high: left.high ^ right.high)
    }

    @inline(__always) static func | (left: Self, right: Self) -> Self {
        Self(low: left.low | right.low, middle: left.middle | right.middle, high: left.high | right.high)
    }

    @inline(__always) var mixed: UInt64 {
        (UInt64(low) << 32 | UInt64(middle)).mixed ^ UInt64(high).mixed &* 3
    }
}

/// A slot of sixteen bytes: a UUID, a decimal, or any slot with a heap.
struct SixteenBytes: FixedSlot {
    var low: UInt64
    var high: UInt64

    static var zero: Self { Self(low: 0, high: 0) }

    @inline(__always) static func ^ (left: Self, right: Self) -> Self {
        Self(low: left.low ^ right.low, high: left.high ^ right.high)
    }

    @inline(__always) static func | (left: Self, right: Self) -> Self {
        Self(low: left.low | right.low, high: left.high | right.high)
    }

    @inline(__always) var mixed: UInt64 { low.mixed ^ high.mixed &* 3 }
}

/// Values by rank: as many slots, one after the other, anywhere in memory.
struct RankedSlots<Slot: FixedSlot> {
    let start: UnsafeRawPointer
    let count: Int

    /// The value of a rank below `count`.
    @inline(__always)
    subscript(rank: Int) -> Slot {
        start.loadUnaligned(fromByteOffset: rank &* MemoryLayout<Slot>.size, as: Slot.self)
    }
}

/// The slot area of a chunk that is being decoded: filled by rank first, then spread by slot.
struct SlotArea {
    let start: UnsafeMutableRawPointer
    let slotCount: Int

    /// Stores a value at a rank or slot below the slot count.
    @inline(__always)
    func store<Slot: FixedSlot>(_ value: Slot, at index: Int) {
        start.storeBytes(of: value, toByteOffset: index &* MemoryLayout<Slot>.size, as: Slot.self)
    }

    @inline(__always)
    private func load<Slot: FixedSlot>(_ index: Int) -> Slot {
        start.loadUnaligned(fromByteOffset: index &* MemoryLayout<Slot>.size, as: Slot.self)
    }

    /// Moves the values from their ranks to their slots, and clears the others.
    ///
    /// From the end: a rank is never larger than its slot, so nothing is overwritten that is still to
    /// be moved.
    func spread<Slot: FixedSlot>(_ valued: SlotSet, as type: Slot.Type) {
        var rank = valued.count
        if valued.end == rank {
            for slot in rank..<slotCount { store(Slot.zero, at: slot) }
            return
        }
        for slot in stride(from: slotCount &- 1, through: 0, by: -1) {
            if valued.contains(slot) {
                rank &-= 1
                store(load(rank) as Slot, at: slot)
            } else {
                store(Slot.zero, at: slot)
            }
        }
    }
}
