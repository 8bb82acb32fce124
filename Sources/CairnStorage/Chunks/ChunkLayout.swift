/// The byte layout of chunks (`docs/file-format.md`, section 4). Each offset is derived from the one
/// before it.
///
///     0        8        16 17 18 19 20    22    24        28    32       40       48        104
///     | sum    | version|f |e |s |f |slots|extra|heap size| 0   | zone minimum/maximum| bitmap | slots … heap
@usableFromInline @frozen
package enum ChunkLayout {
    @inlinable package static var checksum: Int { 0 }
    @inlinable package static var version: Int { checksum + 8 }
    @inlinable package static var format: Int { version + 8 }
    @inlinable package static var encoding: Int { format + 1 }
    @inlinable package static var shape: Int { encoding + 1 }
    @inlinable package static var flags: Int { shape + 1 }
    @inlinable package static var slotCount: Int { flags + 1 }
    /// Directory: the number of columns. Packed: see `PackedChunk`. Else zero.
    @inlinable package static var extra: Int { slotCount + 2 }
    @inlinable package static var heapByteCount: Int { extra + 2 }
    @inlinable package static var reserved: Int { heapByteCount + 4 }
    @inlinable package static var zoneMinimum: Int { reserved + 4 }
    @inlinable package static var zoneMaximum: Int { zoneMinimum + 8 }
    /// The null bitmap; in a directory the live rows.
    @inlinable package static var bitmap: Int { zoneMaximum + 8 }
    /// Where the slots begin: the size of the header.
    @inlinable package static var slots: Int { bitmap + Block.bitmapByteCount }

    /// The only chunk format so far.
    package static let currentFormat: UInt8 = 1
    /// Flag: the zone map holds for every value of the chunk.
    @inlinable package static var hasZoneMap: UInt8 { 1 }
    /// Flag: at least one value takes part in the zone map.
    @inlinable package static var hasZoneValue: UInt8 { 2 }
}

/// How the bytes behind a chunk's header are to be read. The raw values are stored.
package enum ChunkEncoding: UInt8, Sendable {
    /// Values by slot, at their full width: read in place.
    case plain = 0
    /// Values by rank, narrow: decoded into a plain chunk first.
    case packed = 1
    /// A block's live rows and its list of columns.
    case directory = 2
    /// A bucket of a hash index.
    case bucket = 3
}

/// What a slot is. The raw values are stored: a fixed width is its own number.
@usableFromInline @frozen
package enum SlotShape: UInt8, Sendable {
    case bits = 0
    case four = 4
    case eight = 8
    case twelve = 12
    case sixteen = 16
    /// A string or a binary.
    case text = 17
    case list = 18
    case backlinks = 19

    /// The bytes of a slot; 0 for bits.
    @inlinable package var slotByteCount: Int {
        switch self {
        case .bits: 0
        case .four: 4
        case .eight: 8
        case .twelve: 12
        case .sixteen, .text, .list, .backlinks: 16
        }
    }

    /// Whether slots may refer to a heap behind them.
    @inlinable package var hasHeap: Bool { rawValue >= SlotShape.text.rawValue }

    /// The bytes of the slot area.
    @inlinable package func slotAreaByteCount(slotCount: Int) -> Int {
        self == .bits ? Block.bitmapByteCount : slotCount &* slotByteCount
    }

    /// The shape of a column's slots.
    package init(kind: ValueKind, collection: CollectionKind) {
        guard collection == .none else {
            self = .list
            return
        }
        switch kind {
        case .bool: self = .bits
        case .float: self = .four
        case .int, .double, .date, .link: self = .eight
        case .objectId: self = .twelve
        case .uuid, .decimal: self = .sixteen
        case .string, .binary: self = .text
        case .backlinks: self = .backlinks
        }
    }
}

/// The slot of a string or binary (`docs/file-format.md`, section 4.3).
@usableFromInline @frozen
package enum TextSlot {
    @inlinable package static var byteCount: Int { 0 }
    @inlinable package static var inPlace: Int { 4 }
    @inlinable package static var prefix: Int { 4 }
    @inlinable package static var heapOffset: Int { 8 }
    @inlinable package static var valueID: Int { 8 }
    /// The longest text that is kept in its slot.
    @inlinable package static var inPlaceLimit: Int { 12 }
    /// The longest text that is kept in the heap; a longer one goes to `values`.
    @inlinable package static var heapLimit: Int { 1024 }

    /// The slot of a text as far as the text alone tells it: the length and the bytes in place, or the length and
    /// the first four bytes of one that lies elsewhere.
    @inlinable @inline(__always)
    static func start(of bytes: UnsafeRawBufferPointer) -> SIMD2<UInt64> {
        var content = SIMD2<UInt64>(UInt64(UInt32(truncatingIfNeeded: bytes.count)), 0)
        withUnsafeMutableBytes(of: &content) { slot in
            guard let base = bytes.baseAddress, let start = slot.baseAddress else { return }
            (start + inPlace).copyMemory(from: base, byteCount: bytes.count <= inPlaceLimit ? bytes.count : 4)
        }
        return content
    }
}

/// The slot of a list (`docs/file-format.md`, section 4.4).
@usableFromInline @frozen
package enum ListSlot {
    @inlinable package static var count: Int { 0 }
    @inlinable package static var flags: Int { 4 }
    @inlinable package static var heapOffset: Int { 8 }
    @inlinable package static var payloadByteCount: Int { 12 }
    @inlinable package static var valueID: Int { 8 }
    /// Flag: the elements are in pieces, under the directory that `valueID` names.
    @inlinable package static var inPieces: UInt32 { 1 }
    /// The largest payload that is kept in the heap.
    @inlinable package static var heapLimit: Int { 2048 }
}

/// The slot of the links that lead to a row (`docs/file-format.md`, section 4.5).
@usableFromInline @frozen
package enum BacklinkSlot {
    @inlinable package static var count: Int { 0 }
    @inlinable package static var flags: Int { 4 }
    @inlinable package static var origin: Int { 8 }
    @inlinable package static var heapOffset: Int { 8 }
    /// Flag: the entries are in the database `ordered`.
    @inlinable package static var inOrdered: UInt32 { 1 }
    /// The most links that are kept in the heap.
    @inlinable package static var heapLimit: Int { 64 }
}

/// A bucket of a hash index (`docs/file-format.md`, section 5).
///
///     0        8        16 17 18 19 20      24     28    48             48 + group size
///     | sum    | version|f |e |w |0 | groups| count| 0   | group 0      | group 1 | …
///                                                        | 8 hashes | 8 row keys |
///
/// In an overflow page of LMDB, whose own header takes 16 bytes, a group begins at a multiple of 64: one
/// of 4-byte row keys is a line of the processor's cache.
@usableFromInline @frozen
package enum BucketLayout {
    @inlinable package static var rowKeyByteCount: Int { 18 }
    @inlinable package static var groupCount: Int { 20 }
    @inlinable package static var count: Int { groupCount + 4 }
    @inlinable package static var reserved: Int { count + 4 }
    @inlinable package static var groups: Int { reserved + 20 }
    /// The entries of a group.
    @inlinable package static var groupEntryCount: Int { 8 }
    /// Where the row keys begin in a group: the hashes are before them.
    @inlinable package static var rowKeys: Int { 32 }

    /// The bytes of a group.
    @inlinable package static func groupByteCount(rowKeyByteCount: Int) -> Int {
        rowKeys + groupEntryCount &* rowKeyByteCount
    }

    /// The bytes of a bucket.
    @inlinable package static func byteCount(groupCount: Int, rowKeyByteCount: Int) -> Int {
        groups + groupCount * groupByteCount(rowKeyByteCount: rowKeyByteCount)
    }
}
