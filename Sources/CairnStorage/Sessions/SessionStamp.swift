/// What a session sees of some tables, as a number that changes whenever that may change: for whoever keeps
/// what it has found out about them.
///
/// Stamps of one session can be compared, those of two sessions cannot.
package struct SessionStamp: Hashable, Sendable {
    /// Moving to another version, undoing, and every delete.
    private let epoch: UInt64
    private let schemaEpoch: UInt64
    /// The values that were set, and the rows that were added.
    private let changeCount: UInt64

    package init(_ session: Session, _ tables: [SessionTable]) {
        epoch = session.state.pointee.epoch
        schemaEpoch = session.state.pointee.schemaEpoch
        var count: UInt64 = 0
        for table in tables { count &+= table.changeCount &+ table.nextRowKey }
        changeCount = count
    }
}
