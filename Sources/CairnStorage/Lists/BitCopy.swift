/// Runs of bits in bitmaps whose bit 0 is the lowest bit of their first byte.
///
/// Only bytes that hold one of the bits are touched, and bits beside the run stay as they are.
enum BitCopy {
    /// Whether the bit is set.
    @inline(__always)
    static func bit(_ index: Int, of bitmap: UnsafeRawPointer) -> Bool {
        let byte = bitmap.load(fromByteOffset: index >> 3, as: UInt8.self)
        return byte & 1 &<< UInt8(truncatingIfNeeded: index) != 0
    }

    /// Sets or clears the bit.
    @inline(__always)
    static func set(_ index: Int, of bitmap: UnsafeMutableRawPointer, to value: Bool) {
        let mask = UInt8(1) &<< UInt8(truncatingIfNeeded: index)
        let byte = bitmap.load(fromByteOffset: index >> 3, as: UInt8.self)
        bitmap.storeBytes(of: value ? byte | mask : byte & ~mask, toByteOffset: index >> 3, as: UInt8.self)
    }

    /// Copies `count` bits. The bitmaps do not overlap.
    ///
    /// - Complexity: O(count), eight bytes a step.
    static func copy(
        _ count: Int, from source: UnsafeRawPointer, at sourceBit: Int,
        to target: UnsafeMutableRawPointer, at targetBit: Int
    ) {
        // Up to a byte's edge of the target bit by bit, then whole bytes, then the rest.
        let head = min(count, -targetBit & 7)
        copyBits(head, from: source, at: sourceBit, to: target, at: targetBit)
        let byteCount = (count - head) >> 3
        copyBytes(
            byteCount, from: source + (sourceBit + head) >> 3, shift: (sourceBit + head) & 7,
            to: target + (targetBit + head) >> 3)
        let done = head + byteCount << 3
        copyBits(count - done, from: source, at: sourceBit + done, to: target, at: targetBit + done)
    }

    private static func copyBits(
        _ count: Int, from source: UnsafeRawPointer, at sourceBit: Int,
        to target: UnsafeMutableRawPointer, at targetBit: Int
    ) {
        for index in 0..<count {
            set(targetBit + index, of: target, to: bit(sourceBit + index, of: source))
        }
    }

    /// Copies whole bytes of the target from a source that begins `shift` bits into its first byte.
    private static func copyBytes(
        _ count: Int, from source: UnsafeRawPointer, shift: Int, to target: UnsafeMutableRawPointer
    ) {
        guard shift != 0 else { return target.copyMemory(from: source, byteCount: count) }
        var offset = 0
        while offset + 8 <= count {
            // 64 bits that do not begin at a byte's edge lie in nine bytes.
            let low = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let high = UInt64(source.load(fromByteOffset: offset + 8, as: UInt8.self))
            let word = low &>> UInt64(shift) | high &<< UInt64(64 - shift)
            target.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        while offset < count {
            let low = source.load(fromByteOffset: offset, as: UInt8.self)
            let high = source.load(fromByteOffset: offset + 1, as: UInt8.self)
            let byte = low &>> UInt8(shift) | high &<< UInt8(8 - shift)
            target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            offset += 1
        }
    }
}
