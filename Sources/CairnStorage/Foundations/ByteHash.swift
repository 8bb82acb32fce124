internal import CHash

/// XXH3-64, the one hash of the file format: checksums and hash indexes.
package enum ByteHash {
    /// The hash of the bytes under a seed.
    ///
    /// - Complexity: O(n), n = the number of bytes.
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        cairn_hash64(bytes.baseAddress, bytes.count, seed)
    }
}
