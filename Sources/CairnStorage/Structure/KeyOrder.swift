internal import Glibc

/// How the keys of a database are ordered: the two ways that the format uses.
package enum KeyOrder: Hashable, Sendable {
    /// Byte by byte, unsigned; of two keys that begin alike, the shorter first.
    case bytes
    /// As unsigned numbers of 8 bytes.
    case integers

    /// Whether a key comes before another. Integer keys of a wrong length are compared as bytes.
    func precedes(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .integers where hasIntegerSize(first) && hasIntegerSize(second):
            return Self.integer(first) < Self.integer(second)
        default:
            return Self.bytesPrecede(first, second)
        }
    }

    /// The lengths that a key may have.
    var byteCounts: ClosedRange<Int> {
        switch self {
        case .bytes: NodeLayout.keyByteCounts
        case .integers: NodeLayout.integerKeyByteCount...NodeLayout.integerKeyByteCount
        }
    }

    private func hasIntegerSize(_ key: UnsafeRawBufferPointer) -> Bool {
        key.count == NodeLayout.integerKeyByteCount
    }

    private static func integer(_ key: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(littleEndian: key.loadUnaligned(as: UInt64.self))
    }

    private static func bytesPrecede(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) -> Bool {
        guard let left = first.baseAddress, let right = second.baseAddress else {
            return first.count < second.count
        }
        let order = memcmp(left, right, min(first.count, second.count))
        return order != 0 ? order < 0 : first.count < second.count
    }
}
