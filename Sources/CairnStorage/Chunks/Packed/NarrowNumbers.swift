/// The base and width with which numbers are stored narrowly (`docs/file-format.md`, section 10.3).
struct NarrowPlan: Equatable {
    static let headerByteCount = 9

    /// What every difference is added to, modulo 2⁶⁴.
    let base: UInt64
    /// The bits of a difference: 0, 1, 2, 4, 8, 16, 24, 32 or 64.
    let bitCount: Int

    /// For numbers from `minimum` to `maximum`, in the order of signed ones.
    init(minimum: Int64, maximum: Int64) {
        base = UInt64(bitPattern: minimum)
        let needed = 64 - UInt64(bitPattern: maximum &- minimum).leadingZeroBitCount
        bitCount =
            needed < 2
            ? needed : 17...24 ~= needed ? 24 : 1 << (Int.bitWidth - (needed - 1).leadingZeroBitCount)
    }

    /// For numbers from 0 to below `limit`, which is at least 1.
    init(below limit: Int) { self.init(minimum: 0, maximum: Int64(limit - 1)) }

    /// The bytes of so many numbers.
    func byteCount(of count: Int) -> Int { Self.headerByteCount + (count * bitCount + 7) / 8 }

    /// Writes `count` numbers, each from the plan's range.
    @inline(__always)
    func write(count: Int, to writer: inout PackedWriter, number: (Int) -> UInt64) {
        writer.store(UInt8(bitCount))
        writer.store(base)
        switch bitCount {
        case 0: break
        case 8: for index in 0..<count { writer.store(UInt8(truncatingIfNeeded: number(index) &- base)) }
        case 16: for index in 0..<count { writer.store(UInt16(truncatingIfNeeded: number(index) &- base)) }
        case 24:
            for index in 0..<count {
                let difference = number(index) &- base
                writer.store(UInt16(truncatingIfNeeded: difference))
                writer.store(UInt8(truncatingIfNeeded: difference >> 16))
            }
        case 32: for index in 0..<count { writer.store(UInt32(truncatingIfNeeded: number(index) &- base)) }
        case 64: for index in 0..<count { writer.store(number(index) &- base) }
        default: writeBits(count: count, to: &writer, number: number)
        }
    }

    /// Widths of 1, 2 and 4: several numbers a byte.
    @inline(__always)
    private func writeBits(count: Int, to writer: inout PackedWriter, number: (Int) -> UInt64) {
        let perByte = 8 / bitCount
        var index = 0
        while index < count {
            var byte: UInt64 = 0
            for place in 0..<min(perByte, count &- index) {
                byte |= (number(index &+ place) &- base) << UInt64(place &* bitCount)
            }
            writer.store(UInt8(truncatingIfNeeded: byte))
            index &+= perByte
        }
    }
}

/// Numbers that are stored narrowly, with bytes for all of them.
struct NarrowNumbers {
    let count: Int
    private let base: UInt64
    private let bitCount: Int
    /// At least `count × bitCount` bits.
    private let bytes: UnsafeRawBufferPointer

    /// Reads the header and passes over the numbers, which stay valid as long as the reader's bytes.
    ///
    /// - Throws: `damaged` for a width that is none, and for too few bytes.
    init(_ reader: inout ByteReader, count: Int) throws(StorageError) {
        self.count = count
        bitCount = Int(try reader.integer(UInt8.self))
        base = try reader.integer()
        let isWidth = bitCount <= 64 && (bitCount == 0 || bitCount == 24 || bitCount & (bitCount - 1) == 0)
        guard isWidth else {
            throw reader.damage("has numbers of \(bitCount) bits")
        }
        bytes = try reader.bytes((count * bitCount + 7) / 8)
    }

    /// The number at an index below `count`.
    @inline(__always)
    subscript(index: Int) -> UInt64 {
        assert(index >= 0 && index < count)
        guard bitCount != 0 else { return base }
        let start = bytes.baseAddress.unsafelyUnwrapped
        switch bitCount {
        case 8: return base &+ UInt64(start.load(fromByteOffset: index, as: UInt8.self))
        case 16: return base &+ Self.load(start, index, as: UInt16.self)
        case 24: return base &+ Self.loadThree(start, index)
        case 32: return base &+ Self.load(start, index, as: UInt32.self)
        case 64: return base &+ Self.load(start, index, as: UInt64.self)
        default:
            let bit = index &* bitCount
            let byte = UInt64(start.load(fromByteOffset: bit >> 3, as: UInt8.self))
            return base &+ (byte >> UInt64(bit & 7)) & ((1 << UInt64(bitCount)) &- 1)
        }
    }

    @inline(__always)
    private static func load<T: FixedWidthInteger & BitwiseCopyable>(
        _ start: UnsafeRawPointer, _ index: Int, as type: T.Type
    ) -> UInt64 {
        UInt64(
            T(littleEndian: start.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self)))
    }

    @inline(__always)
    private static func loadThree(_ start: UnsafeRawPointer, _ index: Int) -> UInt64 {
        let low = UInt16(littleEndian: start.loadUnaligned(fromByteOffset: index &* 3, as: UInt16.self))
        return UInt64(low) | UInt64(start.load(fromByteOffset: index &* 3 &+ 2, as: UInt8.self)) << 16
    }

    /// Calls the body with each index and its number, in order: a loop for each width.
    @inline(__always)
    func forEach(_ body: (Int, UInt64) -> Void) {
        guard let start = bytes.baseAddress, bitCount != 0 else {
            for index in 0..<count { body(index, base) }
            return
        }
        switch bitCount {
        case 8: for index in 0..<count { body(index, base &+ Self.load(start, index, as: UInt8.self)) }
        case 16: for index in 0..<count { body(index, base &+ Self.load(start, index, as: UInt16.self)) }
        case 24: for index in 0..<count { body(index, base &+ Self.loadThree(start, index)) }
        case 32: for index in 0..<count { body(index, base &+ Self.load(start, index, as: UInt32.self)) }
        default: for index in 0..<count { body(index, self[index]) }
        }
    }
}
