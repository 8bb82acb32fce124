/// Up to three runs that are to become one payload: every edit of a list is one.
///
///     replace [i, j)   elements before i | the new ones | elements from j
///     split at i       elements before i, and elements from i
///     join             one payload | the other
///
/// Nothing is copied before `write`. Valid as long as its runs.
package struct ListSplice {
    private let head: ListRun
    private let middle: ListRun
    private let tail: ListRun
    /// The number of elements.
    package let count: Int
    private let textByteCount: Int

    /// - Precondition: the runs have one layout.
    package init(_ head: ListRun, _ middle: ListRun, _ tail: ListRun) {
        precondition(
            head.layout == middle.layout && middle.layout == tail.layout,
            "The elements are of several kinds.")
        self.head = head
        self.middle = middle
        self.tail = tail
        count = head.count + middle.count + tail.count
        textByteCount = head.textByteCount + middle.textByteCount + tail.textByteCount
    }

    /// One run, and nothing more.
    package init(_ run: ListRun) {
        let empty = ListRun(ListPayload(emptyOf: run.layout))
        self.init(run, empty, empty)
    }

    /// One payload behind the other.
    package init(joining left: ListPayload, _ right: ListPayload) {
        self.init(ListRun(left), ListRun(right), ListRun(ListPayload(emptyOf: left.layout)))
    }

    package var layout: ListElementLayout { head.layout }

    /// The bytes of the payload that `write` makes.
    package var byteCount: Int { layout.payloadByteCount(count, textByteCount: textByteCount) }

    /// Whether the payload is under 4 GiB, so that its offsets fit their 4 bytes.
    package var fitsOnePayload: Bool { byteCount <= ValueRecordLayout.payloadLimit }

    /// Some of the elements.
    package subscript(range: Range<Int>) -> ListSplice {
        let middleStart = head.count
        let tailStart = middleStart + middle.count
        return ListSplice(
            head[range.clamped(to: 0..<middleStart)],
            middle[Self.part(range, of: middleStart..<tailStart)],
            tail[Self.part(range, of: tailStart..<count)])
    }

    private static func part(_ range: Range<Int>, of whole: Range<Int>) -> Range<Int> {
        let part = range.clamped(to: whole)
        return (part.lowerBound - whole.lowerBound)..<(part.upperBound - whole.lowerBound)
    }

    /// Calls `body` with the runs that are not empty, in order.
    func forEachRun(_ body: (ListRun) -> Void) {
        if head.count > 0 { body(head) }
        if middle.count > 0 { body(middle) }
        if tail.count > 0 { body(tail) }
    }

    /// Writes the payload, `byteCount` bytes.
    ///
    /// - Parameter start: where it begins. Must not overlap the runs.
    /// - Precondition: `fitsOnePayload`.
    /// - Complexity: O(`byteCount`).
    package func write(to start: UnsafeMutableRawPointer) {
        precondition(fitsOnePayload, "A payload must stay under 4 GiB.")
        let target = ListTarget(layout: layout, count: count, at: start)
        head.copy(to: target, at: 0, textOffset: 0)
        middle.copy(to: target, at: head.count, textOffset: head.textByteCount)
        tail.copy(
            to: target, at: head.count + middle.count, textOffset: head.textByteCount + middle.textByteCount)
    }

    /// Writes the payload into an array that is used again and again: its content is replaced, its
    /// storage kept where it is large enough.
    package func write(into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: repeatElement(0, count: byteCount))
        bytes.withUnsafeMutableBytes { buffer in
            if let start = buffer.baseAddress { write(to: start) }
        }
    }
}

extension ListPayload {
    /// The payload with other elements in place of some of its own: inserts (empty range), appends,
    /// removes (empty run), sets, clears.
    ///
    /// - Precondition: the range is inside the payload, and the run has the payload's layout.
    package func replacing(_ range: Range<Int>, with run: ListRun) -> ListSplice {
        ListSplice(ListRun(self, 0..<range.lowerBound), run, ListRun(self, range.upperBound..<count))
    }

    /// The payload without some of its elements.
    package func removing(_ range: Range<Int>) -> ListSplice {
        replacing(range, with: ListRun(ListPayload(emptyOf: layout)))
    }

    /// The elements before `index`, and those from it on.
    package func split(at index: Int) -> (ListSplice, ListSplice) {
        (ListSplice(ListRun(self, 0..<index)), ListSplice(ListRun(self, index..<count)))
    }
}
