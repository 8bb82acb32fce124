/// What an accessor looks at on every read, behind one raw pointer.
@usableFromInline @frozen
package struct SessionState {
    /// The confinement token of the thread the session belongs to; 0 where another check decides.
    @usableFromInline package var token: UInt64
    /// Rises with everything that may end a row or move the session to another version: refresh,
    /// cancel, and every delete. Whoever remembers that a row is live remembers the epoch too.
    @usableFromInline package var epoch: UInt64
    /// Rises when tables or columns come, go or change their places.
    @usableFromInline package var schemaEpoch: UInt64

    /// Whether a write is in progress.
    @usableFromInline package var isWriting = false

    package init() {
        token = 0
        epoch = 1
        schemaEpoch = 1
    }
}
