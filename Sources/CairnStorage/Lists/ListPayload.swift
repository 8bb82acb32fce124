/// The elements of a list, or of a piece of one, where they lie: nothing is copied.
///
/// Valid as long as the bytes it was opened from. Made by the throwing initializer (bytes of a file)
/// or by `ListBuffer` (elements in memory). Whatever the bytes say later, reads stay inside them.
@usableFromInline @frozen
package struct ListPayload {
    @usableFromInline package let layout: ListElementLayout
    /// The number of elements.
    @usableFromInline package let count: Int
    /// The null bitmap; nil where no element may be null.
    @usableFromInline let nulls: UnsafeRawPointer?
    /// The elements of fixed width, or the end offsets of texts.
    @usableFromInline let entries: UnsafeRawPointer
    /// The bytes of texts.
    @usableFromInline let texts: UnsafeRawPointer
    @usableFromInline let textByteCount: Int

    /// For the parts of a payload that have no bytes: never read.
    @inlinable static var nowhere: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped }

    init(
        layout: ListElementLayout, count: Int, nulls: UnsafeRawPointer?, entries: UnsafeRawPointer,
        texts: UnsafeRawPointer, textByteCount: Int
    ) {
        self.layout = layout
        self.count = count
        self.nulls = nulls
        self.entries = entries
        self.texts = texts
        self.textByteCount = textByteCount
    }

    /// No elements.
    package init(emptyOf layout: ListElementLayout) {
        self.init(
            layout: layout, count: 0, nulls: layout.isNullable ? Self.nowhere : nil, entries: Self.nowhere,
            texts: Self.nowhere, textByteCount: 0)
    }

    /// One element of a plain layout, where it lies.
    init(plain element: UnsafeRawBufferPointer, of layout: ListElementLayout) {
        self.init(
            layout: layout, count: 1, nulls: nil, entries: element.baseAddress ?? Self.nowhere,
            texts: Self.nowhere, textByteCount: 0)
    }

    /// The payload's bytes one after the other, sizes known to fit.
    init(layout: ListElementLayout, count: Int, at start: UnsafeRawPointer, textByteCount: Int) {
        let entries = start + layout.nullByteCount(count)
        self.init(
            layout: layout, count: count, nulls: layout.isNullable ? start : nil, entries: entries,
            texts: entries + count &* layout.entryByteCount, textByteCount: textByteCount)
    }

    /// Opens a payload. Throws `damaged` when its bytes are not exactly those of `count` elements.
    ///
    /// - Parameters:
    ///   - count: what the slot or the record says.
    ///   - checksOffsets: false leaves out the walk over the end offsets of texts; `checkedElement`
    ///     then looks at those it needs.
    ///   - subject: what the bytes belong to, for the error's sentence.
    /// - Complexity: O(count) for texts whose offsets are checked, else O(1).
    package init(
        _ bytes: UnsafeRawBufferPointer, count: Int, layout: ListElementLayout, checksOffsets: Bool = true,
        of subject: @autoclosure () -> String = "list"
    ) throws(StorageError) {
        guard count >= 0, count <= Int(UInt32.max) else {
            throw Self.damage(subject(), "has an impossible count")
        }
        let textByteCount = bytes.count - layout.payloadByteCount(count, textByteCount: 0)
        guard textByteCount == 0 || (textByteCount > 0 && layout.holdsTexts) else {
            throw Self.damage(subject(), "has \(bytes.count) bytes, which \(count) elements cannot have")
        }
        self.init(
            layout: layout, count: count, at: bytes.baseAddress ?? Self.nowhere, textByteCount: textByteCount)
        guard layout.holdsTexts else { return }
        guard (count == 0 ? 0 : end(count - 1)) == textByteCount, !checksOffsets || endsRise else {
            throw Self.damage(subject(), "has texts whose offsets do not fit their bytes")
        }
    }

    static func damage(_ subject: String, _ what: String) -> StorageError {
        StorageError(.damaged, "The \(subject) \(what). Run verify on the file.")
    }

    /// Whether no end offset is below the one before it.
    private var endsRise: Bool {
        var previous: UInt32 = 0
        var falls: UInt32 = 0
        for index in 0..<count {
            let end = UInt32(littleEndian: entries.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
            falls |= end < previous ? 1 : 0
            previous = end
        }
        return falls == 0
    }

    /// The stored end offset of a text.
    @inlinable
    func end(_ index: Int) -> Int {
        Int(UInt32(littleEndian: entries.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)))
    }

    /// Where the texts of some elements lie, kept inside the bytes there are.
    @inlinable
    func textRange(_ range: Range<Int>) -> (start: Int, byteCount: Int) {
        guard layout.holdsTexts, !range.isEmpty else { return (textStart(range.lowerBound), 0) }
        let start = textStart(range.lowerBound)
        return (start, max(min(end(range.upperBound &- 1), textByteCount) &- start, 0))
    }

    /// Where the text of an element begins, kept inside the bytes there are. 0 where there are none.
    @inlinable
    func textStart(_ index: Int) -> Int {
        layout.holdsTexts && index > 0 ? min(end(index &- 1), textByteCount) : 0
    }

    /// The bytes of the payload.
    @inlinable package var byteCount: Int {
        layout.payloadByteCount(count, textByteCount: textByteCount)
    }

    /// Whether the element is null.
    ///
    /// - Precondition: `index` is in `0..<count`.
    @inlinable
    package func isNull(at index: Int) -> Bool {
        precondition(index >= 0 && index < count, "There is no such element.")
        guard let nulls else { return false }
        let byte = nulls.load(fromByteOffset: index >> 3, as: UInt8.self)
        return byte & 1 &<< UInt8(truncatingIfNeeded: index) != 0
    }

    /// The bytes of an element; nil for null.
    ///
    /// - Precondition: `index` is in `0..<count`.
    /// - Complexity: O(1).
    @inlinable
    package func element(at index: Int) -> UnsafeRawBufferPointer? {
        if isNull(at: index) { return nil }
        guard layout.holdsTexts else {
            return UnsafeRawBufferPointer(start: entries + index &* layout.width, count: layout.width)
        }
        let text = textRange(index..<(index &+ 1))
        return UnsafeRawBufferPointer(start: texts + text.start, count: text.byteCount)
    }

    /// The elements side by side; nil unless they are of fixed width and never null.
    @inlinable package var plainElements: UnsafeRawBufferPointer? {
        layout.isPlain ? UnsafeRawBufferPointer(start: entries, count: count &* layout.width) : nil
    }

    /// The same as `element`, of a payload whose end offsets were not checked: throws `damaged` when
    /// those of this element cannot be.
    func checkedElement(
        at index: Int, of subject: @autoclosure () -> String
    ) throws(StorageError) -> UnsafeRawBufferPointer? {
        if layout.holdsTexts {
            let start = index > 0 ? end(index - 1) : 0
            guard start <= end(index), end(index) <= textByteCount else {
                throw Self.damage(subject(), "has texts whose offsets do not fit their bytes")
            }
        }
        return element(at: index)
    }
}
