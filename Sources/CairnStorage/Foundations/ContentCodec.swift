/// The one door through which every stored value goes in and out of the file: chunks, buckets, large
/// values, catalogue and change records.
///
/// In an unencrypted file it is the identity, and bytes are read where they lie. Sealing takes its
/// place here: the associated data of a sealed value is its key.
package struct ContentCodec: Sendable {
    package init() {}

    /// Whether opened bytes are the stored ones, so that a pointer into the file may be kept.
    package var readsInPlace: Bool { true }

    /// The bytes that a stored value stands for; valid as long as the stored ones.
    @inline(__always)
    package func open(_ stored: UnsafeRawBufferPointer, key: UInt64) throws(StorageError)
        -> UnsafeRawBufferPointer
    {
        stored
    }

    /// What is stored for the bytes of a value; valid until the next call on the same thread.
    @inline(__always)
    package func seal(_ bytes: UnsafeRawBufferPointer, key: UInt64) -> UnsafeRawBufferPointer {
        bytes
    }
}
