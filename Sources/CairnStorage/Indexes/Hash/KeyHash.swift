/// The hash by which a key's bucket is chosen (`docs/file-format.md`, section 5).
struct KeyHash {
    /// The file's.
    let seed: UInt64

    /// The hash of one value's stored bytes; nil hashes as no bytes.
    @inline(__always)
    func hash(of bytes: UnsafeRawBufferPointer?) -> UInt64 {
        ByteHash.hash(bytes ?? UnsafeRawBufferPointer(start: nil, count: 0), seed: seed)
    }

    /// The hash of a key so far and of its next value.
    func chained(_ before: UInt64, _ next: UInt64) -> UInt64 {
        withUnsafeBytes(of: SIMD2(before.littleEndian, next.littleEndian)) { ByteHash.hash($0, seed: seed) }
    }
}
