/// Where a packed chunk differs from a plain one (`docs/file-format.md`, section 10.1).
///
///     0      22    23     24        28    30 32       48
///     | as 4.1 |forms|scheme|heap size| n  |0 | zone … | valued slots, null slots, values
enum PackedLayout {
    /// Form of the set of valued slots in the lower half, of null slots in the upper.
    static let forms = ChunkLayout.extra
    static let scheme = forms + 1
    /// The number of values.
    static let valueCount = ChunkLayout.reserved
    static let zero = valueCount + 2
    /// Where the sets begin.
    static let sets = ChunkHeader.byteCount
    /// The most entries of a dictionary.
    static let dictionaryLimit = 256
}

/// How the values stand behind the sets (`docs/file-format.md`, section 10.4). The raw values are stored.
package enum PackedScheme: UInt8, Sendable, CaseIterable {
    case none = 0
    case bits = 1
    case bytes = 2
    case dictionary = 3
    case integers = 4
    case decimals = 5
    case texts = 6
    case textDictionary = 7
    case lists = 8
    case backlinks = 9

    /// Whether values of the shape may stand so.
    func fits(_ shape: SlotShape) -> Bool {
        switch self {
        case .none: true
        case .bits: shape == .bits
        case .bytes, .dictionary: shape.slotByteCount > 0 && !shape.hasHeap
        case .integers, .decimals: shape == .eight
        case .texts, .textDictionary: shape == .text
        case .lists: shape == .list
        case .backlinks: shape == .backlinks
        }
    }
}

extension SlotShape {
    /// The most bytes of heap that one slot can use.
    var heapLimitPerSlot: Int {
        switch self {
        case .text: TextSlot.heapLimit
        case .list: ListSlot.heapLimit
        case .backlinks: BacklinkSlot.heapLimit * 8
        case .bits, .four, .eight, .twelve, .sixteen: 0
        }
    }
}
