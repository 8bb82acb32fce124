/// Where a key of the database `ordered` is built: room for the longest, used again and again, so
/// that building one allocates nothing.
package struct OrderedKeyBuffer: ~Copyable {
    /// Owned; `capacity` bytes.
    private let memory: UnsafeMutableRawPointer
    private var count = 0

    private static var capacity: Int { 512 }

    package init() {
        memory = .allocate(byteCount: Self.capacity, alignment: 8)
    }

    deinit {
        memory.deallocate()
    }

    /// The key that was built last. Valid until the next is built, and as long as the buffer.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory, count: count)
    }

    /// Builds the key of a row in an ordered index.
    ///
    /// - Parameters:
    ///   - value: the bytes a column stores for it (a bool: one byte, 0 or 1), nil for null.
    /// - Precondition: values of the kind can be indexed, and the value is as wide as its kind.
    /// - Complexity: O(n), n = the length of the value, 478 at the most.
    package mutating func setIndexKey(
        _ space: SpaceID, _ kind: ValueKind, _ value: UnsafeRawBufferPointer?, _ row: RowKey
    ) {
        setValue(space, kind, value)
        append(row.value)
    }

    /// Builds the key of the links from one row to another.
    package mutating func setBacklinkKey(_ space: SpaceID, target: RowKey, origin: RowKey) {
        setTarget(space, target)
        append(origin.value)
    }
}

// MARK: - The beginnings of keys

// What all keys of a value, of a target or of a prefix begin with: bounds are made of them.
extension OrderedKeyBuffer {
    /// Space alone.
    mutating func setSpace(_ space: SpaceID) {
        count = 0
        append(space.value)
    }

    /// Space and a byte that no encoded value begins with, or only some.
    mutating func setSpace(_ space: SpaceID, marker: UInt8) {
        setSpace(space)
        append(marker)
    }

    /// Space and target.
    mutating func setTarget(_ space: SpaceID, _ target: RowKey) {
        setSpace(space)
        append(target.value)
    }

    /// Space and encoded value. True if the value was cut.
    @discardableResult
    mutating func setValue(_ space: SpaceID, _ kind: ValueKind, _ value: UnsafeRawBufferPointer?) -> Bool {
        guard let value else {
            setSpace(space, marker: OrderedKey.nullMarker)
            return false
        }
        setSpace(space, marker: OrderedKey.valueMarker)
        let width = kind.elementByteCount
        precondition(
            width == nil || width == value.count,
            "A value of the kind \(kind) with \(value.count) bytes cannot be indexed.")
        switch kind {
        case .bool:
            append(value[0] == 0 ? 0 : 1 as UInt8)
        case .int:
            append(UInt64(littleEndian: value.loadUnaligned(as: UInt64.self)) ^ (1 << 63))
        case .float:
            let bits = UInt32(littleEndian: value.loadUnaligned(as: UInt32.self))
            append(Self.code(of: Double(Float(bitPattern: bits))))
        case .double, .date:
            let bits = UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))
            append(Self.code(of: Double(bitPattern: bits)))
        case .objectId, .uuid:
            (memory + count).copyMemory(from: value.baseAddress.unsafelyUnwrapped, byteCount: value.count)
            count += value.count
        case .string, .binary:
            let isCut = appendText(value)
            append(OrderedKey.escape)
            append(isCut ? OrderedKey.cut : OrderedKey.end)
            return isCut
        case .decimal, .link, .backlinks:
            preconditionFailure("Values of the kind \(kind) cannot be indexed in order.")
        }
        return false
    }

    /// Space and what every encoded text begins with that begins with `prefix`. True if that was
    /// cut, so that texts with another beginning may share it.
    mutating func setTextPrefix(_ space: SpaceID, _ prefix: UnsafeRawBufferPointer) -> Bool {
        setSpace(space, marker: OrderedKey.valueMarker)
        guard appendText(prefix) else { return false }
        append(OrderedKey.escape)
        append(OrderedKey.cut)
        return true
    }

    /// Turns the bytes into the first that come after everything that begins with them. False, and
    /// no bytes, if there is nothing after it.
    ///
    /// - Complexity: O(n) at worst, n = the number of bytes; mostly O(1).
    @discardableResult
    mutating func moveBehind() -> Bool {
        while count > 0 {
            let last = memory.load(fromByteOffset: count - 1, as: UInt8.self)
            if last < 0xFF {
                memory.storeBytes(of: last + 1, toByteOffset: count - 1, as: UInt8.self)
                return true
            }
            count -= 1
        }
        return false
    }
}

// MARK: - Appending

extension OrderedKeyBuffer {
    /// The double as a number that rises with it: NaN, −∞ … −0 = +0 … ∞.
    private static func code(of number: Double) -> UInt64 {
        if number.isNaN { return 0 }
        if number == 0 { return 1 << 63 }
        let bits = number.bitPattern
        return bits >> 63 == 1 ? ~bits : bits | (1 << 63)
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        OrderedKey.store(value, memory, count)
        count += value.bitWidth / 8
    }

    /// Appends the text's bytes with their zeros escaped, as far as the limit allows, and no half of
    /// an escape pair. True if not all of them fit.
    private mutating func appendText(_ text: UnsafeRawBufferPointer) -> Bool {
        let limit = OrderedKey.spaceByteCount + OrderedKey.textLimit
        for byte in text {
            let width = byte == OrderedKey.escape ? 2 : 1
            if count + width > limit { return true }
            memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            if width == 2 {
                memory.storeBytes(of: OrderedKey.escapedZero, toByteOffset: count + 1, as: UInt8.self)
            }
            count += width
        }
        return false
    }
}
