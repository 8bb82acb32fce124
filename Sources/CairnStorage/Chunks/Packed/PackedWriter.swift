/// Writes into memory whose size was calculated before: nothing is checked in release builds.
struct PackedWriter {
    /// What a writer may touch behind the bytes it was made for: short texts are written by whole words.
    static let slack = 16

    private let buffer: UnsafeMutableRawBufferPointer
    /// The offset of the next byte.
    private(set) var offset = 0

    /// - Parameter buffer: the exact bytes and `slack` more.
    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    /// Appends a number, little-endian.
    @inline(__always)
    mutating func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        assert(offset + MemoryLayout<T>.size <= buffer.count - Self.slack)
        buffer.baseAddress.unsafelyUnwrapped.storeBytes(
            of: value.littleEndian, toByteOffset: offset, as: T.self)
        offset &+= MemoryLayout<T>.size
    }

    /// Appends bytes as they are.
    @inline(__always)
    mutating func copy(_ source: UnsafeRawPointer, byteCount: Int) {
        reserve(byteCount).baseAddress.unsafelyUnwrapped.copyMemory(from: source, byteCount: byteCount)
    }

    /// Appends the first bytes, up to twelve, of twelve that can be read.
    @inline(__always)
    mutating func copyShort(_ source: UnsafeRawPointer, byteCount: Int) {
        assert(byteCount <= 12 && offset + byteCount <= buffer.count - Self.slack)
        let target = buffer.baseAddress.unsafelyUnwrapped + offset
        target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
        target.storeBytes(
            of: source.loadUnaligned(fromByteOffset: 8, as: UInt32.self), toByteOffset: 8, as: UInt32.self)
        offset &+= byteCount
    }

    /// The next bytes, to be written by the caller.
    @inline(__always)
    mutating func reserve(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        assert(byteCount >= 0 && offset + byteCount <= buffer.count - Self.slack)
        defer { offset &+= byteCount }
        return UnsafeMutableRawBufferPointer(
            start: buffer.baseAddress.unsafelyUnwrapped + offset, count: byteCount)
    }
}
