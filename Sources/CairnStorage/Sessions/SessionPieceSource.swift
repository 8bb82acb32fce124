/// Where a session's long lists find their pieces.
///
/// An object of its own, so that lists that a write keeps do not keep the session.
final class SessionPieceSource: ListPieceSource {
    /// The session owns the source and outlives every list that uses it.
    private unowned let session: Session

    init(_ session: Session) {
        self.session = session
    }

    func value(_ id: ValueID) throws(StorageError) -> UnsafeRawBufferPointer {
        try session.value(id)
    }
}
