public import CairnStorage

/// Where the rows of one class are for one session: all that reading a property needs, behind one raw
/// pointer, so that a read costs no reference count, no dictionary and no lock.
///
///     object ── access ─┬─ state ── token, epoch           of the engine's session
///               row     ├─ columns ── block tables         of the engine's table
///               epoch   └─ positions: property ── column
///
/// The memory belongs to a `ClassTables` and lives as long; what it says is changed in place when the
/// session's schema changes or the session is invalidated.
@usableFromInline @frozen
package struct ClassAccess {
    /// The confinement token and the epoch that accessors compare.
    @usableFromInline package var state: UnsafeMutablePointer<SessionState>
    /// The table's directories, then one block table a column.
    @usableFromInline package var columns: UnsafeMutablePointer<BlockTable>
    /// For each property ordinal its place in `columns`: the column's position + 1. 0 for a computed
    /// property whose origin is not in the file yet.
    @usableFromInline package let positions: UnsafeMutablePointer<Int32>
    /// For each property ordinal the class linked to, or linking here.
    @usableFromInline package let targets: UnsafeMutablePointer<UnsafeMutablePointer<ClassAccess>?>
    /// The engine's table. Not retained: the engine's session owns it as long as `columns` is valid.
    package var table: Unmanaged<SessionTable>?
    /// The class's place in the session's schema.
    package let ordinal: Int
    /// The ordinal of the primary key, or -1.
    let primaryKey: Int
    /// Whose it is. Not retained: it owns the tables, and whoever uses them holds it.
    @usableFromInline var owner: Unmanaged<RealmSession>?
    /// Objects that were last seen alive before this epoch are dead for good: the session was
    /// invalidated since.
    package var validSince: UInt64

    init(ordinal: Int, _ schema: ObjectSchema) {
        let propertyCount = schema.allProperties.count
        state = ClassAccess.closedState
        columns = ClassAccess.noColumns
        positions = .allocate(capacity: max(1, propertyCount))
        positions.initialize(repeating: 0, count: max(1, propertyCount))
        targets = .allocate(capacity: max(1, propertyCount))
        targets.initialize(repeating: nil, count: max(1, propertyCount))
        table = nil
        self.ordinal = ordinal
        primaryKey = schema.properties.firstIndex(where: \.isPrimaryKey) ?? -1
        validSince = 0
    }

    /// The state of a session that is closed: token 0 is nobody's, so every read takes the slow path.
    // Written once, before anybody sees it.
    nonisolated(unsafe) package static let closedState: UnsafeMutablePointer<SessionState> = {
        let state = UnsafeMutablePointer<SessionState>.allocate(capacity: 1)
        state.initialize(to: SessionState())
        return state
    }()

    // Written once, before anybody sees it; never read, since the state is looked at first.
    nonisolated(unsafe) private static let noColumns: UnsafeMutablePointer<BlockTable> = {
        let columns = UnsafeMutablePointer<BlockTable>.allocate(capacity: 1)
        columns.initialize(to: BlockTable())
        return columns
    }()
}

extension UnsafeMutablePointer<ClassAccess> {
    /// The engine's table. Traps on a session that is closed: callers open it first.
    var table: SessionTable {
        guard let table = pointee.table else {
            preconditionFailure("the tables of a closed session were used")
        }
        return table._withUnsafeGuaranteedRef { $0 }
    }

    /// Whose the tables are. Only to be used while somebody holds the session.
    var session: RealmSession {
        guard let owner = pointee.owner else {
            preconditionFailure("tables without a session were used")
        }
        return owner._withUnsafeGuaranteedRef { $0 }
    }

    /// The position of a property's column.
    func position(_ property: Int) -> Int { Int(pointee.positions[property]) - 1 }
}
