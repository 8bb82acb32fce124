/// Elements in memory, to be built and edited in place.
///
/// The parts of a payload are kept apart (null bits, entries, texts), so that appending moves
/// nothing; `payload` reads them where they are, and a `ListSplice` of it writes them as one.
///
/// Used by one thread at a time.
package final class ListBuffer {
    package let layout: ListElementLayout
    // Unchecked: no method hands out an access to these, and the checks cost half of an append.
    /// The number of elements.
    @exclusivity(unchecked) package private(set) var count = 0
    @exclusivity(unchecked) private var nulls = GrowableBytes()
    @exclusivity(unchecked) private var entries = GrowableBytes()
    @exclusivity(unchecked) private var texts = GrowableBytes()

    /// No elements.
    package init(layout: ListElementLayout) {
        self.layout = layout
    }

    /// The elements of a splice, copied.
    convenience init(_ splice: ListSplice) {
        self.init(layout: splice.layout)
        splice.forEachRun { append($0) }
    }

    /// The elements of a run, copied.
    package convenience init(_ run: ListRun) {
        self.init(layout: run.layout)
        append(run)
    }

    /// The elements where they are. Valid until the next change.
    package var payload: ListPayload {
        ListPayload(
            layout: layout, count: count, nulls: layout.isNullable ? UnsafeRawPointer(nulls.start) : nil,
            entries: UnsafeRawPointer(entries.start), texts: UnsafeRawPointer(texts.start),
            textByteCount: texts.count)
    }

    /// The bytes of the elements' payload.
    package var byteCount: Int { layout.payloadByteCount(count, textByteCount: texts.count) }

    /// What `byteCount` would be after `append`.
    func byteCount(appending element: UnsafeRawBufferPointer?) -> Int {
        layout.payloadByteCount(
            count + 1, textByteCount: layout.holdsTexts ? texts.count + (element?.count ?? 0) : 0)
    }

    /// What `byteCount` would be after `replace`.
    func byteCount(replacing range: Range<Int>, with run: ListRun) -> Int {
        layout.payloadByteCount(
            count - range.count + run.count,
            textByteCount: texts.count - payload.textRange(range).byteCount + run.textByteCount)
    }

    /// Writes the payload, `byteCount` bytes, into a record.
    package func write(to record: UnsafeMutableRawBufferPointer, at offset: Int) {
        precondition(record.count - offset >= byteCount, "The record has no room for the elements.")
        guard byteCount > 0, let start = record.baseAddress else { return }
        ListSplice(ListRun(payload)).write(to: start + offset)
    }

    /// Removes the elements and keeps the memory.
    package func removeAll() {
        count = 0
        nulls.resize(0)
        entries.resize(0)
        texts.resize(0)
    }

    /// Appends an element; nil for null.
    ///
    /// Throws `limitReached` for a text that would take the payload over 4 GiB. Traps for an element
    /// the layout does not allow.
    ///
    /// - Parameter element: may lie in this buffer.
    /// - Complexity: O(bytes of the element), amortised.
    package func append(_ element: UnsafeRawBufferPointer?) throws(StorageError) {
        try layout.check(element)
        let added = layout.holdsTexts ? element?.count ?? 0 : 0
        guard texts.count + added <= layout.textByteLimit else {
            throw StorageError(.limitReached, "The texts of one payload must stay under 4 GiB.")
        }
        if layout.isNullable {
            nulls.resizeWithZeros(layout.nullByteCount(count + 1))
            BitCopy.set(count, of: nulls.start, to: element == nil)
        }
        if layout.holdsTexts {
            append(text: element)
        } else {
            append(value: element)
        }
        count += 1
    }

    private func append(value: UnsafeRawBufferPointer?) {
        guard let bytes = value?.baseAddress else {
            return entries.resizeWithZeros(entries.count + layout.width)
        }
        entries.append(bytes, layout.width)
    }

    private func append(text: UnsafeRawBufferPointer?) {
        if let text, let bytes = text.baseAddress { texts.append(bytes, text.count) }
        entries.resize(count * 4 + 4)
        entries.start.storeBytes(
            of: UInt32(texts.count).littleEndian, toByteOffset: count * 4, as: UInt32.self)
    }

    /// Appends copies of elements.
    func append(_ run: ListRun) {
        replace(count..<count, with: run)
    }

    /// Puts copies of elements in place of some of its own.
    ///
    /// - Parameter run: of the same layout; must not lie in this buffer.
    /// - Precondition: the range is inside the buffer, and the payload stays under 4 GiB.
    /// - Complexity: O(bytes of the run and of the elements behind the range).
    func replace(_ range: Range<Int>, with run: ListRun) {
        precondition(run.layout == layout, "The elements are of another kind.")
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "There are no such elements.")
        let newCount = count - range.count + run.count
        let text = payload.textRange(range)
        if layout.isNullable { moveNulls(range, run.count, newCount: newCount) }
        let width = layout.entryByteCount
        entries.replace(
            at: range.lowerBound * width, removing: range.count * width, inserting: run.count * width)
        if layout.holdsTexts {
            texts.replace(at: text.start, removing: text.byteCount, inserting: run.textByteCount)
            let tail = range.lowerBound + run.count
            ListRun.moveEnds(
                entries.start + tail * 4, newCount - tail, by: run.textByteCount - text.byteCount)
        }
        count = newCount
        let target = ListTarget(
            nulls: layout.isNullable ? nulls.start : nil, entries: entries.start, texts: texts.start)
        run.copy(to: target, at: range.lowerBound, textOffset: text.start)
    }

    /// Moves the null bits behind the range to where they will be. Bits behind the last element are of
    /// no particular content.
    private func moveNulls(_ range: Range<Int>, _ inserted: Int, newCount: Int) {
        let tail = count - range.upperBound
        let newByteCount = layout.nullByteCount(newCount)
        guard tail > 0, range.count != inserted else {
            return nulls.resizeWithZeros(newByteCount)
        }
        withUnsafeTemporaryAllocation(byteCount: (tail + 7) / 8, alignment: 8) { copy in
            guard let copied = copy.baseAddress else { return }
            BitCopy.copy(tail, from: nulls.start, at: range.upperBound, to: copied, at: 0)
            nulls.resizeWithZeros(newByteCount)
            BitCopy.copy(tail, from: copied, at: 0, to: nulls.start, at: range.lowerBound + inserted)
        }
    }
}
