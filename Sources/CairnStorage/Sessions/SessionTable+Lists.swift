internal import Glibc

/// Lists: short ones in the heap of their chunk, long ones in pieces.
///
/// Elements are given and returned as their stored bytes, nil for null; of a list of links they are
/// row keys of eight bytes. The links of lists are mirrored like those of to-one columns.
extension SessionTable {
    /// The number of elements.
    package func listCount(_ row: RowKey, _ position: Int) throws(StorageError) -> Int {
        if session.isWriting, let list = try openLongList(row, position) { return list.count }
        return Int(listSlot(row, position).loadUnaligned(as: UInt32.self))
    }

    @inlinable
    func listSlot(_ row: RowKey, _ position: Int) -> UnsafeRawPointer {
        chunk(position, row.block) + (ChunkLayout.slots &+ row.slot &* 16)
    }

    /// The layout of a list column's elements.
    package func listLayout(_ position: Int) -> ListElementLayout {
        ListElementLayout(kind: facts[position].kind, isNullable: facts[position].isNullable)
    }

    /// Calls the body with the elements of a range, as many at a time as lie side by side, and the
    /// index of the first. The body must not change the session.
    ///
    /// - Complexity: O(elements).
    package func forEachRun(
        _ row: RowKey, _ position: Int, in range: Range<Int>? = nil,
        _ body: (ListRun, Int) throws(StorageError) -> Void
    ) throws(StorageError) {
        if session.isWriting, let list = try openLongList(row, position) {
            return try list.forEachRun(in: range ?? 0..<list.count, body)
        }
        let slot = listSlot(row, position)
        let count = Int(slot.loadUnaligned(as: UInt32.self))
        let range = range ?? 0..<count
        guard !range.isEmpty else { return }
        if slot.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self) & ListSlot.inPieces != 0 {
            return try longListReader(row, position, slot, count).forEachRun(in: range, body)
        }
        let payload = try heapPayload(slot, position, in: chunk(position, row.block))
        try body(ListRun(payload, range), range.lowerBound)
    }

    /// An element, copied.
    package func listElement(_ row: RowKey, _ position: Int, at index: Int) throws(StorageError) -> [UInt8]? {
        var result: [UInt8]?
        try forEachRun(row, position, in: index..<(index + 1)) { run, _ throws(StorageError) in
            result = run.element(at: 0).map(Array.init)
        }
        return result
    }

    /// The row that an element of a list of links leads to.
    package func listLink(_ row: RowKey, _ position: Int, at index: Int) throws(StorageError) -> RowKey {
        var key: UInt64 = 0
        try forEachRun(row, position, in: index..<(index + 1)) { run, _ throws(StorageError) in
            key = run.element(at: 0)?.loadUnaligned(as: UInt64.self) ?? 0
        }
        return RowKey(key)
    }

    /// The elements of a short list of links or other plain values, side by side; nil where they are
    /// in pieces or may be null. For loops that cannot afford more than a pointer.
    @inlinable
    package func plainListElements(_ row: RowKey, _ position: Int, width: Int) -> UnsafeRawBufferPointer? {
        let chunk = chunk(position, row.block)
        let slot = chunk + (ChunkLayout.slots &+ row.slot &* 16)
        let flags = slot.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self)
        guard flags & ListSlot.inPieces == 0 else { return nil }
        let count = Int(slot.loadUnaligned(as: UInt32.self))
        let offset = Int(slot.loadUnaligned(fromByteOffset: ListSlot.heapOffset, as: UInt32.self))
        let byteCount = Int(slot.loadUnaligned(fromByteOffset: ListSlot.payloadByteCount, as: UInt32.self))
        guard byteCount == count &* width else { return nil }
        let heap = chunk + (ChunkLayout.slots &+ ChunkView(chunk).slotCount &* 16)
        return UnsafeRawBufferPointer(start: heap + offset, count: byteCount)
    }

    private func heapPayload(
        _ slot: UnsafeRawPointer, _ position: Int, in chunk: UnsafeRawPointer
    ) throws(StorageError) -> ListPayload {
        let count = Int(slot.loadUnaligned(as: UInt32.self))
        guard count > 0 else { return ListPayload(emptyOf: listLayout(position)) }
        let offset = Int(slot.loadUnaligned(fromByteOffset: ListSlot.heapOffset, as: UInt32.self))
        let byteCount = Int(slot.loadUnaligned(fromByteOffset: ListSlot.payloadByteCount, as: UInt32.self))
        let heap = chunk + ChunkLayout.slots + ChunkView(chunk).slotCount * 16
        return try ListPayload(
            UnsafeRawBufferPointer(start: heap + offset, count: byteCount), count: count,
            layout: listLayout(position))
    }

    private func longListReader(
        _ row: RowKey, _ position: Int, _ slot: UnsafeRawPointer, _ count: Int
    ) throws(StorageError) -> LongListReader {
        let id = ValueID(slot.loadUnaligned(fromByteOffset: ListSlot.valueID, as: UInt64.self))
        return try LongListReader(
            layout: listLayout(position), directory: id, count: count, source: session.pieceSource)
    }

    // MARK: Changing

    /// Replaces elements by others: inserts with an empty range, removes with no elements, sets,
    /// appends, clears. Keeps the mirrors of links.
    ///
    /// - Parameters:
    ///   - range: indices of the list; outside of it traps.
    ///   - elements: stored bytes, each as wide as the kind; may not lie in this session's memory.
    /// - Throws: `limitReached`, and what reading throws.
    package func replaceElements(
        _ row: RowKey, _ position: Int, _ range: Range<Int>,
        with elements: some Collection<UnsafeRawBufferPointer?>
    ) throws(StorageError) {
        precondition(facts[position].isList, "elements of a column that is no list were replaced")
        let buffer = ListBuffer(layout: listLayout(position))
        for element in elements { try buffer.append(element) }
        _ = try ownChunkWithRoom(position, row.block)
        try replaceElements(row, position, range, with: ListRun(buffer.payload), isMirrored: true)
        withExtendedLifetime(buffer) {}
    }

    /// Appends links to a list of links.
    package func appendLinks(_ row: RowKey, _ position: Int, _ targets: [RowKey]) throws(StorageError) {
        let count = try listCount(row, position)
        try replaceLinks(row, position, count..<count, with: targets)
    }

    /// Replaces elements of a list of links.
    package func replaceLinks(
        _ row: RowKey, _ position: Int, _ range: Range<Int>, with targets: [RowKey]
    ) throws(StorageError) {
        _ = try ownChunkWithRoom(position, row.block)
        try targets.withUnsafeTypedBytes { bytes throws(StorageError) in
            let payload = try ListPayload(bytes, count: targets.count, layout: listLayout(position))
            try replaceElements(row, position, range, with: ListRun(payload), isMirrored: true)
        }
    }

    /// - Parameter isMirrored: false where the mirrors are being deleted with their rows.
    func replaceElements(
        _ row: RowKey, _ position: Int, _ range: Range<Int>, with run: ListRun, isMirrored: Bool
    ) throws(StorageError) {
        if isMirrored, facts[position].kind == .link {
            try changeMirrors(row, position, removing: range, adding: run)
        }
        if try openLongList(row, position) != nil {
            try editLongList(row, position) { list throws(StorageError) in try list.replace(range, with: run)
            }
        } else {
            try replaceInHeap(row, position, range, with: run)
        }
        MutableChunk(ownChunk(position, row.block)).markChanged(row.slot)
    }

    private func changeMirrors(
        _ row: RowKey, _ position: Int, removing range: Range<Int>, adding run: ListRun
    ) throws(StorageError) {
        let mirror = try counterpart(position)
        var removed: [UInt64] = []
        if !range.isEmpty {
            removed.reserveCapacity(range.count)
            try forEachRun(row, position, in: range) { run, _ throws(StorageError) in
                run.plainElements?.forEachUnaligned(UInt64.self) { removed.append($0) }
            }
        }
        for key in removed { mirror.table.removeBacklink(RowKey(key), mirror.position, from: row) }
        run.plainElements?.forEachUnaligned(UInt64.self) {
            mirror.table.addBacklink(RowKey($0), mirror.position, from: row)
        }
    }

    private func replaceInHeap(
        _ row: RowKey, _ position: Int, _ range: Range<Int>, with run: ListRun
    ) throws(StorageError) {
        let chunk = ownChunk(position, row.block)
        let slot = chunk + ChunkLayout.slots + row.slot * 16
        let payload = try heapPayload(slot, position, in: chunk)
        precondition(
            range.lowerBound >= 0 && range.upperBound <= payload.count, "There are no such elements.")
        if try appendInPlace(slot, payload, range, run, chunk) { return }
        let splice = payload.replacing(range, with: run)
        guard splice.byteCount <= session.listLimits.heapLimit else {
            return try outgrowHeap(row, position, payload, range, run)
        }
        let content = [UInt8](unsafeUninitializedCapacity: splice.byteCount) { bytes, byteCount in
            if let base = bytes.baseAddress { splice.write(to: UnsafeMutableRawPointer(base)) }
            byteCount = splice.byteCount
        }
        writeHeapList(row, position, content, count: splice.count)
    }

    /// Appends plain elements where the list has room behind it.
    private func appendInPlace(
        _ slot: UnsafeMutableRawPointer, _ payload: ListPayload, _ range: Range<Int>, _ run: ListRun,
        _ chunk: UnsafeMutableRawPointer
    ) throws(StorageError) -> Bool {
        guard range.isEmpty, range.lowerBound == payload.count, payload.count > 0,
            let added = run.plainElements,
            slot.load(fromByteOffset: ListSlot.flags, as: UInt32.self) & HeapSlack.flag != 0
        else { return false }
        let used = payload.byteCount
        let total = used + added.count
        guard total <= HeapSlack.capacity(for: used), total <= session.listLimits.heapLimit else {
            return false
        }
        let offset = Int(slot.load(fromByteOffset: ListSlot.heapOffset, as: UInt32.self))
        let end = chunk + ChunkLayout.slots + Block.slotCount * 16 + offset + used
        if let base = added.baseAddress { memmove(end, base, added.count) }
        slot.storeBytes(of: UInt32(payload.count + run.count), as: UInt32.self)
        slot.storeBytes(of: UInt32(total), toByteOffset: ListSlot.payloadByteCount, as: UInt32.self)
        return true
    }

    /// Writes a list's slot and payload anew.
    func writeHeapList(_ row: RowKey, _ position: Int, _ content: [UInt8], count: Int) {
        releaseHeapList(row, position)
        let slot = ownChunk(position, row.block) + ChunkLayout.slots + row.slot * 16
        memset(slot, 0, 16)
        guard count > 0 else { return }
        let capacity = min(
            HeapSlack.capacity(for: content.count), max(content.count, session.listLimits.heapLimit))
        let hasSlack = capacity == HeapSlack.capacity(for: content.count)
        let offset = content.withUnsafeBytes { place($0, position, row.block, capacity: capacity) }
        let moved = ownChunk(position, row.block) + ChunkLayout.slots + row.slot * 16
        moved.storeBytes(of: UInt32(count), as: UInt32.self)
        moved.storeBytes(of: hasSlack ? HeapSlack.flag : 0, toByteOffset: ListSlot.flags, as: UInt32.self)
        moved.storeBytes(of: UInt32(offset), toByteOffset: ListSlot.heapOffset, as: UInt32.self)
        moved.storeBytes(of: UInt32(content.count), toByteOffset: ListSlot.payloadByteCount, as: UInt32.self)
    }

    private func releaseHeapList(_ row: RowKey, _ position: Int) {
        let chunk = ownChunk(position, row.block)
        let slot = chunk + ChunkLayout.slots + row.slot * 16
        let use = SlotHeapUse.byteCount(slot, shape: .list)
        guard use > 0 else { return }
        let hasSlack = slot.load(fromByteOffset: ListSlot.flags, as: UInt32.self) & HeapSlack.flag != 0
        MutableChunk(chunk).deadHeapByteCount += hasSlack ? HeapSlack.capacity(for: use) : use
    }

    // MARK: Long lists

    private func outgrowHeap(
        _ row: RowKey, _ position: Int, _ payload: ListPayload, _ range: Range<Int>, _ run: ListRun
    ) throws(StorageError) {
        var list = try LongList(payload, limits: session.listLimits, source: session.pieceSource)
        try list.replace(range, with: run)
        session.requiredWriter.longLists[listPlace(row, position)] = list
        releaseHeapList(row, position)
        let slot = ownChunk(position, row.block) + ChunkLayout.slots + row.slot * 16
        // Until the list is flushed its slot only says that it is elsewhere. The chunk may be spilled
        // meanwhile, so that has to look like a list in pieces: a count and an id, which nobody reads.
        slot.storeBytes(of: UInt32(1), as: UInt32.self)
        slot.storeBytes(of: ListSlot.inPieces, toByteOffset: ListSlot.flags, as: UInt32.self)
        slot.storeBytes(of: UInt64.max, toByteOffset: ListSlot.valueID, as: UInt64.self)
    }

    func listPlace(_ row: RowKey, _ position: Int) -> ListPlace {
        ListPlace(table: definition.space, column: facts[position].id, row: row)
    }

    /// The list in pieces, as this write has it; nil for one that is in the heap, or when there is
    /// nothing to be seen but what is stored.
    private func openLongList(_ row: RowKey, _ position: Int) throws(StorageError) -> LongList? {
        guard let writer = session.writer else { return nil }
        let slot = listSlot(row, position)
        guard slot.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self) & ListSlot.inPieces != 0
        else {
            return nil
        }
        let place = listPlace(row, position)
        if !writer.pendingRemovals.isEmpty, let removals = writer.pendingRemovals.removeValue(forKey: place) {
            try editLongList(row, position) { list throws(StorageError) in
                try Self.remove(removals, from: &list)
            }
        }
        if let known = writer.longLists[place] { return known }
        let id = ValueID(slot.loadUnaligned(fromByteOffset: ListSlot.valueID, as: UInt64.self))
        let list = try LongList(
            layout: listLayout(position), directory: id, count: Int(slot.loadUnaligned(as: UInt32.self)),
            limits: session.listLimits, source: session.pieceSource)
        return list
    }

    private func editLongList(
        _ row: RowKey, _ position: Int, _ edit: (inout LongList) throws(StorageError) -> Void
    ) throws(StorageError) {
        let place = listPlace(row, position)
        let writer = session.requiredWriter
        guard var list = try openLongList(row, position) else {
            preconditionFailure("a list in the heap was edited as one in pieces")
        }
        // Taken out while it is edited: a second reference would make it copy its pieces.
        writer.longLists[place] = nil
        do throws(StorageError) {
            try edit(&list)
        } catch {
            writer.longLists[place] = list
            throw error
        }
        writer.longLists[place] = list
        _ = ownChunk(position, row.block)
    }

    /// Takes links out of a list: one pass, however many.
    private static func remove(_ removals: [UInt64: Int], from list: inout LongList) throws(StorageError) {
        var rest = removals
        var indices: [Int] = []
        try list.forEachRun(in: 0..<list.count) { run, first throws(StorageError) in
            var index = first
            run.plainElements?.forEachUnaligned(UInt64.self) { key in
                if let left = rest[key] {
                    indices.append(index)
                    rest[key] = left > 1 ? left - 1 : nil
                }
                index += 1
            }
        }
        // From the end, and neighbours together, so that indices stay right and edits are few.
        var end = indices.count
        while end > 0 {
            var start = end - 1
            while start > 0, indices[start - 1] == indices[start] - 1 { start -= 1 }
            try list.removeSubrange(indices[start]..<(indices[end - 1] + 1))
            end = start
        }
    }

    /// Takes every link to a deleted row out of a list.
    func removeLinks(_ row: RowKey, _ position: Int, to target: RowKey, count: Int) throws(StorageError) {
        let slot = listSlot(row, position)
        if slot.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self) & ListSlot.inPieces != 0 {
            session.requiredWriter.pendingRemovals[listPlace(row, position), default: [:]][
                target.value, default: 0] += count
            MutableChunk(ownChunk(position, row.block)).markChanged(row.slot)
            return
        }
        let chunk = ownChunk(position, row.block)
        let place = chunk + ChunkLayout.slots + row.slot * 16
        let oldCount = Int(place.load(as: UInt32.self))
        let offset = Int(place.load(fromByteOffset: ListSlot.heapOffset, as: UInt32.self))
        let elements = chunk + ChunkLayout.slots + Block.slotCount * 16 + offset
        var kept = 0
        for index in 0..<oldCount {
            let key = elements.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            if key == target.value { continue }
            if kept != index { elements.storeBytes(of: key, toByteOffset: kept * 8, as: UInt64.self) }
            kept += 1
        }
        noteShrunk(place, chunk, from: oldCount * 8, to: kept * 8)
        place.storeBytes(of: UInt32(kept), as: UInt32.self)
        place.storeBytes(of: UInt32(kept * 8), toByteOffset: ListSlot.payloadByteCount, as: UInt32.self)
        if kept == 0 { memset(place, 0, 16) }
        MutableChunk(chunk).markChanged(row.slot)
    }

    /// A payload in the heap has become shorter: what is behind it is dead.
    private func noteShrunk(
        _ slot: UnsafeMutableRawPointer, _ chunk: UnsafeMutableRawPointer, from old: Int, to new: Int
    ) {
        let flags = slot.load(fromByteOffset: ListSlot.flags, as: UInt32.self)
        let oldRoom = flags & HeapSlack.flag != 0 ? HeapSlack.capacity(for: old) : old
        // The room it is known to have from now on is what its new length gives it.
        let newRoom = flags & HeapSlack.flag != 0 && new > 0 ? HeapSlack.capacity(for: new) : new
        MutableChunk(chunk).deadHeapByteCount += oldRoom - newRoom
    }
}

extension UnsafeRawBufferPointer {
    /// Calls the body with each element of unaligned memory.
    func forEachUnaligned<T: BitwiseCopyable>(_ type: T.Type, _ body: (T) -> Void) {
        for offset in stride(from: 0, to: count, by: MemoryLayout<T>.stride) {
            body(loadUnaligned(fromByteOffset: offset, as: T.self))
        }
    }
}

extension [RowKey] {
    /// The row keys as the bytes of a list's payload.
    fileprivate func withUnsafeTypedBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try withUnsafeBytes { bytes in
            Swift.Result { () throws(StorageError) in try body(bytes) }
        }.get()
    }
}
