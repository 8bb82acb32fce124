/// Elements of a payload that follow each other: what lists are read by and changed with.
///
/// Valid as long as its payload.
@usableFromInline @frozen
package struct ListRun {
    @usableFromInline package let payload: ListPayload
    /// The first element's index in the payload.
    @usableFromInline package let first: Int
    /// The number of elements.
    @usableFromInline package let count: Int
    // Looked up once: what is measured and what is copied is the same, whatever the bytes do.
    @usableFromInline let textStart: Int
    @usableFromInline let textByteCount: Int

    /// - Precondition: the range is inside the payload.
    @inlinable
    package init(_ payload: ListPayload, _ range: Range<Int>) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= payload.count, "There are no such elements.")
        self.payload = payload
        first = range.lowerBound
        count = range.count
        (textStart, textByteCount) = payload.textRange(range)
    }

    /// All elements of a payload.
    @inlinable
    package init(_ payload: ListPayload) {
        self.init(payload, 0..<payload.count)
    }

    @inlinable package var layout: ListElementLayout { payload.layout }

    /// The bytes the elements take as a payload of their own.
    @inlinable package var byteCount: Int { layout.payloadByteCount(count, textByteCount: textByteCount) }

    /// Some of the elements.
    @inlinable
    package subscript(range: Range<Int>) -> ListRun {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "There are no such elements.")
        return ListRun(payload, (first &+ range.lowerBound)..<(first &+ range.upperBound))
    }

    /// The bytes of an element; nil for null.
    ///
    /// - Precondition: `index` is in `0..<count`: 0 is the run's first.
    @inlinable
    package func element(at index: Int) -> UnsafeRawBufferPointer? {
        precondition(index >= 0 && index < count, "There is no such element.")
        return payload.element(at: first &+ index)
    }

    /// The elements side by side; nil unless they are of fixed width and never null.
    @inlinable package var plainElements: UnsafeRawBufferPointer? {
        guard layout.isPlain else { return nil }
        let width = layout.width
        return UnsafeRawBufferPointer(start: payload.entries + first &* width, count: count &* width)
    }
}

/// Where the parts of a payload are written to.
struct ListTarget {
    let nulls: UnsafeMutableRawPointer?
    let entries: UnsafeMutableRawPointer
    let texts: UnsafeMutableRawPointer

    /// The parts of a payload of `count` elements that begins at `start`. Its bitmap becomes zero.
    init(layout: ListElementLayout, count: Int, at start: UnsafeMutableRawPointer) {
        let nullByteCount = layout.nullByteCount(count)
        start.initializeMemory(as: UInt8.self, repeating: 0, count: nullByteCount)
        nulls = layout.isNullable ? start : nil
        entries = start + nullByteCount
        texts = entries + count * layout.entryByteCount
    }

    init(nulls: UnsafeMutableRawPointer?, entries: UnsafeMutableRawPointer, texts: UnsafeMutableRawPointer) {
        self.nulls = nulls
        self.entries = entries
        self.texts = texts
    }
}

extension ListRun {
    /// Copies the elements to where elements of the same layout are wanted.
    ///
    /// - Parameters:
    ///   - target: has room for them, and does not overlap the run.
    ///   - index: the first element's index there.
    ///   - textOffset: where its text begins there.
    /// - Complexity: O(bytes of the elements).
    func copy(to target: ListTarget, at index: Int, textOffset: Int) {
        guard count > 0 else { return }
        if let nulls = payload.nulls, let targetNulls = target.nulls {
            BitCopy.copy(count, from: nulls, at: first, to: targetNulls, at: index)
        }
        let width = layout.entryByteCount
        let entries = target.entries + index &* width
        entries.copyMemory(from: payload.entries + first &* width, byteCount: count &* width)
        guard layout.holdsTexts else { return }
        Self.moveEnds(entries, count, by: textOffset &- textStart)
        (target.texts + textOffset).copyMemory(from: payload.texts + textStart, byteCount: textByteCount)
    }

    /// Adds a distance to end offsets. Those that came out of damaged bytes wrap round.
    static func moveEnds(_ ends: UnsafeMutableRawPointer, _ count: Int, by distance: Int) {
        guard distance != 0 else { return }
        let distance = UInt32(truncatingIfNeeded: distance)
        for index in 0..<count {
            let end = UInt32(littleEndian: ends.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
            ends.storeBytes(of: (end &+ distance).littleEndian, toByteOffset: index &* 4, as: UInt32.self)
        }
    }
}
