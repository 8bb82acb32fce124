/// One side of a range of values.
package struct OrderedLimit {
    /// The value's bytes, as columns store them. Valid while the bounds are made.
    package let value: UnsafeRawBufferPointer
    /// Whether the value itself belongs to the range.
    package let isIncluded: Bool

    package init(_ value: UnsafeRawBufferPointer, isIncluded: Bool) {
        self.value = value
        self.isIncluded = isIncluded
    }
}

/// A stretch of the database `ordered`: the keys from `lower` on and before `upper`.
///
/// Keys of long strings are cut. Where a limit is such a string, the entries that are cut at the same
/// place lie on both sides of it: the bounds take all of them in, and `needsRecheck` tells which
/// entries must be compared with the limit by their real values.
package struct OrderedBounds: Sendable {
    package let space: SpaceID
    /// The kind of the values, or `.backlinks`.
    package let kind: ValueKind
    /// What the first key is at or after.
    package let lower: [UInt8]
    /// What the last key is before. Empty: no end.
    package let upper: [UInt8]
    /// Whether no key can be between the bounds.
    package let isEmpty: Bool
    /// Whether `lower` is a cut value: the group of entries with it needs a second look.
    private let isLowerCut: Bool
    /// Whether `upper` lies just behind a cut value.
    private let isUpperCut: Bool

    private init(
        _ space: SpaceID, _ kind: ValueKind, from lower: [UInt8], to upper: [UInt8],
        isLowerCut: Bool = false, isUpperCut: Bool = false
    ) {
        self.space = space
        self.kind = kind
        self.lower = lower
        self.upper = upper
        self.isLowerCut = isLowerCut
        self.isUpperCut = isUpperCut
        isEmpty =
            !upper.isEmpty
            && lower.withUnsafeBytes { lower in upper.withUnsafeBytes { KeyBytes.compare(lower, $0) >= 0 } }
    }
}

// MARK: - Making

extension OrderedBounds {
    /// Every entry of the space, nil and NaN included.
    package static func all(_ space: SpaceID, _ kind: ValueKind) -> OrderedBounds {
        var buffer = OrderedKeyBuffer()
        buffer.setSpace(space)
        let lower = Array(buffer.bytes)
        buffer.moveBehind()
        return OrderedBounds(space, kind, from: lower, to: Array(buffer.bytes))
    }

    /// The entries whose value is nil.
    package static func null(_ space: SpaceID, _ kind: ValueKind) -> OrderedBounds {
        var buffer = OrderedKeyBuffer()
        return OrderedBounds(
            space, kind, from: buffer.marker(space, OrderedKey.nullMarker),
            to: buffer.marker(space, OrderedKey.valueMarker))
    }

    /// The entries with this value; nil: those whose value is nil. −0 equals +0, and NaN equals NaN:
    /// a comparison for which it does not must not ask.
    package static func equal(
        _ space: SpaceID, _ kind: ValueKind, to value: UnsafeRawBufferPointer?
    ) -> OrderedBounds {
        guard let value else { return null(space, kind) }
        let limit = OrderedLimit(value, isIncluded: true)
        var buffer = OrderedKeyBuffer()
        let lower = buffer.lower(space, kind, limit)
        let upper = buffer.upper(space, kind, limit)
        return OrderedBounds(
            space, kind, from: lower.bytes, to: upper.bytes, isLowerCut: lower.isCut, isUpperCut: upper.isCut)
    }

    /// The entries whose value lies between two limits; nil: no limit on that side.
    ///
    /// nil is in no range, and NaN in none either, as with the operators `<` and `>=`: without a lower
    /// limit the range begins behind them, and with NaN as a limit it is empty.
    package static func range(
        _ space: SpaceID, _ kind: ValueKind, from lower: OrderedLimit?, to upper: OrderedLimit?
    ) -> OrderedBounds {
        var buffer = OrderedKeyBuffer()
        let first =
            lower.map { buffer.lower(space, kind, $0) }
            ?? (bytes: buffer.firstValue(space, kind), isCut: false)
        let end =
            upper.map { buffer.upper(space, kind, $0) }
            ?? (bytes: buffer.marker(space, OrderedKey.valueMarker + 1), isCut: false)
        let isOrdered = !isNaN(kind, lower) && !isNaN(kind, upper)
        return OrderedBounds(
            space, kind, from: first.bytes, to: isOrdered ? end.bytes : first.bytes,
            isLowerCut: first.isCut, isUpperCut: end.isCut)
    }

    /// The entries whose string or binary begins with these bytes.
    package static func prefix(
        _ space: SpaceID, _ kind: ValueKind, _ prefix: UnsafeRawBufferPointer
    ) -> OrderedBounds {
        precondition(kind == .string || kind == .binary, "Only strings and binaries have prefixes.")
        var buffer = OrderedKeyBuffer()
        let isCut = buffer.setTextPrefix(space, prefix)
        let lower = Array(buffer.bytes)
        buffer.moveBehind()
        return OrderedBounds(
            space, kind, from: lower, to: Array(buffer.bytes), isLowerCut: isCut, isUpperCut: isCut)
    }

    /// The links that lead to a row: one entry an origin, whose payload is the number of its links.
    package static func backlinks(_ space: SpaceID, of target: RowKey) -> OrderedBounds {
        var buffer = OrderedKeyBuffer()
        buffer.setTarget(space, target)
        let lower = Array(buffer.bytes)
        buffer.moveBehind()
        return OrderedBounds(space, .backlinks, from: lower, to: Array(buffer.bytes))
    }

    private static func isNaN(_ kind: ValueKind, _ limit: OrderedLimit?) -> Bool {
        guard let value = limit?.value else { return false }
        switch kind {
        case .float:
            return Float(bitPattern: UInt32(littleEndian: value.loadUnaligned(as: UInt32.self))).isNaN
        case .double, .date:
            return Double(bitPattern: UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))).isNaN
        default: return false
        }
    }
}

extension OrderedKeyBuffer {
    fileprivate typealias Edge = (bytes: [UInt8], isCut: Bool)

    fileprivate mutating func marker(_ space: SpaceID, _ marker: UInt8) -> [UInt8] {
        setSpace(space, marker: marker)
        return Array(bytes)
    }

    /// What comes before every value that takes part in comparisons.
    fileprivate mutating func firstValue(_ space: SpaceID, _ kind: ValueKind) -> [UInt8] {
        guard kind == .float || kind == .double || kind == .date else {
            return marker(space, OrderedKey.valueMarker)
        }
        withUnsafeBytes(of: Double.nan.bitPattern.littleEndian) { _ = setValue(space, .double, $0) }
        moveBehind()
        return Array(bytes)
    }

    fileprivate mutating func lower(_ space: SpaceID, _ kind: ValueKind, _ limit: OrderedLimit) -> Edge {
        let isCut = setValue(space, kind, limit.value)
        // Of a cut limit the whole group is taken in, whichever side it is for.
        if !isCut && !limit.isIncluded { moveBehind() }
        return (Array(bytes), isCut)
    }

    fileprivate mutating func upper(_ space: SpaceID, _ kind: ValueKind, _ limit: OrderedLimit) -> Edge {
        let isCut = setValue(space, kind, limit.value)
        if isCut || limit.isIncluded { moveBehind() }
        return (Array(bytes), isCut)
    }
}

// MARK: - Asking

extension OrderedBounds {
    /// Whether entries of the scan may lie outside the limits: then `needsRecheck` tells of each.
    package var needsRecheck: Bool { isLowerCut || isUpperCut }

    /// Whether the entry's real value must be compared with the limits.
    ///
    /// - Complexity: O(1) for an entry that is not cut.
    package func needsRecheck(_ entry: OrderedEntry) -> Bool {
        guard entry.isCut else { return false }
        return isLowerCut && isGroup(lower, of: entry.value) || isUpperCut && isGroup(upper, of: entry.value)
    }

    /// Whether the key is between the bounds.
    package func contains(_ key: UnsafeRawBufferPointer) -> Bool {
        isAtOrAfterLower(key) && isBeforeUpper(key)
    }

    @inline(__always)
    func isAtOrAfterLower(_ key: UnsafeRawBufferPointer) -> Bool {
        lower.withUnsafeBytes { KeyBytes.compare(key, $0) >= 0 }
    }

    @inline(__always)
    func isBeforeUpper(_ key: UnsafeRawBufferPointer) -> Bool {
        upper.isEmpty || upper.withUnsafeBytes { KeyBytes.compare(key, $0) < 0 }
    }

    /// Whether the bound was made of this encoded value. Both end with a terminator, which `upper`
    /// has moved behind: the last bytes are left out.
    private func isGroup(_ bound: [UInt8], of value: UnsafeRawBufferPointer) -> Bool {
        bound.withUnsafeBytes { bound in
            let text = bound[OrderedKey.spaceByteCount..<(bound.count - 1)]
            return KeyBytes.areEqual(
                UnsafeRawBufferPointer(rebasing: text), UnsafeRawBufferPointer(rebasing: value.dropLast()))
        }
    }
}
