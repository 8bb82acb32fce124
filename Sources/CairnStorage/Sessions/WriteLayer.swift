/// One layer of a write session: what it changed, and what has to be put back when it is undone.
///
/// The lowest layer is the transaction; a savepoint, or each write of a group, is one above it.
final class WriteLayer {
    /// A chunk, directory or bucket that this layer owns.
    struct OwnedChunk {
        enum Kind {
            case directory
            case column(ColumnID)
            /// The index with this space.
            case bucket(SpaceID)
        }

        let table: SpaceID
        let kind: Kind
        let block: UInt32
        /// Nil when it was spilled, or its table is gone.
        var buffer: MutableChunk?
        /// The bytes that count for the spill threshold.
        var byteCount: Int
        /// What a lower layer owns in this place; nil where no layer does.
        let previous: MutableChunk?
        let previousLayer: UInt16
    }

    var owned: [OwnedChunk] = []
    /// As the layer found them.
    let schema: Schema
    let counters: FileCounters
    let tableStates: [SpaceID: TableState]
    let orderedMark: OrderedDelta.Mark
    let longLists: [ListPlace: LongList]
    let pendingRemovals: [ListPlace: [UInt64: Int]]
    /// The large values that the layer added, whole records.
    var addedValues: [ValueID: ValueBuffer] = [:]
    /// The large values of lower layers or the file that the layer removed.
    var removedValues: Set<ValueID> = []

    init(
        schema: Schema, counters: FileCounters, tableStates: [SpaceID: TableState],
        orderedMark: OrderedDelta.Mark,
        longLists: [ListPlace: LongList], pendingRemovals: [ListPlace: [UInt64: Int]]
    ) {
        self.schema = schema
        self.counters = counters
        self.tableStates = tableStates
        self.orderedMark = orderedMark
        self.longLists = longLists
        self.pendingRemovals = pendingRemovals
    }
}

/// A list property of a row.
struct ListPlace: Hashable {
    let table: SpaceID
    let column: ColumnID
    let row: RowKey
}
