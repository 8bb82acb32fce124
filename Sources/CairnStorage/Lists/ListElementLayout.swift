/// How the elements of a list are laid out in a payload (`docs/file-format.md`, section 4.4).
///
///     fixed width:  [ null bitmap ] | n × width
///     texts:        [ null bitmap ] | n end offsets of 4 bytes | bytes
@usableFromInline @frozen
package struct ListElementLayout: Hashable, Sendable, CustomStringConvertible {
    /// What the elements are. Never `backlinks`.
    @usableFromInline package let kind: ValueKind
    /// Whether an element may be null. Never true of links.
    @usableFromInline package let isNullable: Bool
    /// The bytes of an element of fixed width; 0 for strings and binaries.
    @usableFromInline package let width: Int

    /// - Precondition: `kind` is not `backlinks`: a list holds no such thing.
    package init(kind: ValueKind, isNullable: Bool) {
        precondition(kind != .backlinks, "A list cannot hold backlinks.")
        self.kind = kind
        self.isNullable = isNullable && kind != .link
        width = kind.elementByteCount ?? 0
    }

    @usableFromInline package var description: String { "\(kind)\(isNullable ? "?" : "")" }

    /// Whether the elements are strings or binaries, of any length.
    @inlinable package var holdsTexts: Bool { width == 0 }

    /// Whether a payload is nothing but its elements side by side: fixed width, and never null.
    @inlinable package var isPlain: Bool { width != 0 && !isNullable }

    /// The bytes an element takes beside its null bit and its text: its width or its end offset.
    @inlinable package var entryByteCount: Int { holdsTexts ? 4 : width }

    /// The bytes of the null bitmap of `count` elements.
    @inlinable
    package func nullByteCount(_ count: Int) -> Int { isNullable ? (count &+ 7) >> 3 : 0 }

    /// The bytes of the payload of `count` elements whose texts have `textByteCount` bytes in all.
    @inlinable
    package func payloadByteCount(_ count: Int, textByteCount: Int) -> Int {
        nullByteCount(count) &+ count &* entryByteCount &+ textByteCount
    }

    /// The longest text a list can hold: one that still fits a record of its own.
    package var textByteLimit: Int {
        ValueRecordLayout.payloadLimit - payloadByteCount(1, textByteCount: 0)
    }

    /// Refuses an element no list can hold.
    ///
    /// Throws `limitReached` for a text of 4 GiB or more. Traps for a null that is not allowed and
    /// for a value of the wrong width: mistakes of the program.
    package func check(_ element: UnsafeRawBufferPointer?) throws(StorageError) {
        guard let element else {
            precondition(isNullable, "A list of \(kind) that is not optional cannot hold nil.")
            return
        }
        guard holdsTexts else {
            precondition(
                element.count == width, "An element of \(kind) has \(width) bytes, not \(element.count).")
            return
        }
        guard element.count <= textByteLimit else {
            throw StorageError(.limitReached, "A text of a list must stay under 4 GiB.")
        }
    }
}
