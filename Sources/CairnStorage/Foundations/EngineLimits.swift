/// Thresholds at which the engine changes how it keeps something. A reader of the file depends on
/// none of them, so tests take tiny ones, which make the rare ways common.
package struct EngineLimits: Hashable, Sendable {
    /// Entries a bucket, on average, beyond which a hash index grows (`docs/file-format.md`, section 5).
    package var hashGrowth = 220
    /// Entries a bucket, on average, below which it shrinks.
    package var hashShrinking = 75
    /// Bytes that a piece of a long list aims at.
    package var listPieceByteCount = 8_160
    /// The longest payload of a list that is kept in the heap, at most 2,048.
    package var listHeapByteCount = 2_048
    /// The most links to one row that are kept in the heap, at most 64.
    package var backlinkHeapCount = 64
    /// Whether chunks that become half as large by it are packed.
    package var packsChunks = true

    package init() {}

    /// Tiny ones, for tests.
    package static let tiny: EngineLimits = {
        var limits = EngineLimits()
        limits.hashGrowth = 4
        limits.hashShrinking = 1
        limits.listPieceByteCount = 64
        limits.listHeapByteCount = 48
        limits.backlinkHeapCount = 4
        return limits
    }()
}
