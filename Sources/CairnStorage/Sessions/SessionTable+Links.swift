internal import Glibc

/// To-one links, and the hidden columns that mirror links.
extension SessionTable {
    /// Sets a to-one link, and its mirror in the target table.
    ///
    /// - Parameter target: a live row of the column's target table, or nil for none.
    package func setLink(_ row: RowKey, _ position: Int, _ target: RowKey?) throws(StorageError) {
        _ = try ownChunkWithRoom(position, row.block)
        let old = link(row, position)
        if old != target {
            let mirror = try counterpart(position)
            if let old { mirror.table.removeBacklink(old, mirror.position, from: row) }
            if let target { mirror.table.addBacklink(target, mirror.position, from: row) }
        }
        store(row, position, target.map { $0.value &+ 1 } ?? 0)
    }

    /// The hidden column that mirrors a link column; of a hidden one the link that it mirrors.
    func counterpart(_ position: Int) throws(StorageError) -> Counterpart {
        if counterpartsEpoch == session.state.pointee.schemaEpoch, let known = counterparts[position] {
            return known
        }
        return try findCounterpart(position)
    }

    @inline(never)
    private func findCounterpart(_ position: Int) throws(StorageError) -> Counterpart {
        let column = definition.columns[position]
        guard let target = column.target, let other = column.backlinkColumn ?? column.originColumn else {
            preconditionFailure("the column \(column.name) of \(definition.name) is no link")
        }
        let table = try session.table(target)
        guard let place = table.definition.position(of: other) else {
            throw session.snapshot.contents.damage("a link of \(definition.name) has no mirror")
        }
        // Opening the other table may have moved the epoch on.
        let epoch = session.state.pointee.schemaEpoch
        if counterpartsEpoch != epoch {
            counterparts = Array(repeating: nil, count: columnCount)
            counterpartsEpoch = epoch
        }
        let found = Counterpart(table: table, position: place)
        counterparts[position] = found
        return found
    }

    // MARK: Reading backlinks

    /// The number of links to a row in a hidden column, each counted.
    @inlinable
    package func backlinkCount(_ row: RowKey, _ position: Int) -> Int {
        Int(backlinkSlot(row, position).loadUnaligned(as: UInt32.self))
    }

    @inlinable
    func backlinkSlot(_ row: RowKey, _ position: Int) -> UnsafeRawPointer {
        chunk(position, row.block) + (ChunkLayout.slots &+ row.slot &* 16)
    }

    /// The only origin of links to a row, or the first; nil where there is none.
    @inlinable
    package func firstBacklink(_ row: RowKey, _ position: Int) -> RowKey? {
        let slot = backlinkSlot(row, position)
        if slot.loadUnaligned(as: UInt32.self) == 1 {
            return RowKey(slot.loadUnaligned(fromByteOffset: BacklinkSlot.origin, as: UInt64.self))
        }
        return backlinks(row, position).first
    }

    /// The origins of the links to a row, rising; an origin that links twice is there twice.
    ///
    /// - Complexity: O(n), n = the number of links.
    @usableFromInline
    package func backlinks(_ row: RowKey, _ position: Int) -> [RowKey] {
        let slot = backlinkSlot(row, position)
        let count = Int(slot.loadUnaligned(as: UInt32.self))
        if count == 0 { return [] }
        if count == 1 {
            return [RowKey(slot.loadUnaligned(fromByteOffset: BacklinkSlot.origin, as: UInt64.self))]
        }
        if slot.loadUnaligned(fromByteOffset: BacklinkSlot.flags, as: UInt32.self) & BacklinkSlot.inOrdered
            == 0
        {
            let origins = heapOrigins(slot, in: chunk(position, row.block))
            return (0..<count).map { RowKey(origins.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
        }
        do throws(StorageError) {
            return try orderedBacklinks(row, position).flatMap {
                Array(repeating: $0.origin, count: $0.count)
            }
        } catch {
            session.note(error)
            return []
        }
    }

    /// Calls the body with the origins of the links to a row, rising, until it answers false; an origin
    /// that links twice is given twice.
    ///
    /// - Complexity: O(links); no allocation for up to 64 of them.
    package func forEachBacklink(_ row: RowKey, _ position: Int, while body: (RowKey) -> Bool) {
        let slot = backlinkSlot(row, position)
        let count = Int(slot.loadUnaligned(as: UInt32.self))
        if count == 0 { return }
        if count == 1 {
            _ = body(RowKey(slot.loadUnaligned(fromByteOffset: BacklinkSlot.origin, as: UInt64.self)))
            return
        }
        if slot.loadUnaligned(fromByteOffset: BacklinkSlot.flags, as: UInt32.self) & BacklinkSlot.inOrdered
            == 0
        {
            let origins = heapOrigins(slot, in: chunk(position, row.block))
            for index in 0..<count {
                let origin = RowKey(origins.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
                guard body(origin) else { return }
            }
            return
        }
        for origin in backlinks(row, position) { guard body(origin) else { return } }
    }

    private func heapOrigins(_ slot: UnsafeRawPointer, in chunk: UnsafeRawPointer) -> UnsafeRawPointer {
        let offset = Int(slot.loadUnaligned(fromByteOffset: BacklinkSlot.heapOffset, as: UInt32.self))
        return chunk + ChunkLayout.slots + ChunkView(chunk).slotCount * 16 + offset
    }

    private func overflow(_ position: Int) -> SpaceID {
        guard let space = facts[position].overflowSpace else {
            preconditionFailure("a hidden column has no space for its overflow")
        }
        return space
    }

    private func orderedBacklinks(
        _ row: RowKey, _ position: Int
    ) throws(StorageError) -> [(origin: RowKey, count: Int)] {
        let bounds = OrderedBounds.backlinks(overflow(position), of: row)
        return try session.withOrderedCursor(within: bounds, .ascending) { cursor throws(StorageError) in
            var result: [(origin: RowKey, count: Int)] = []
            while let entry = try cursor.next() { result.append((entry.rowKey, Int(entry.payload))) }
            return result
        }
    }

    /// How many links lead from an origin to a row that has its backlinks in `ordered`.
    private func orderedMultiplicity(_ row: RowKey, _ position: Int, from origin: RowKey) -> UInt32 {
        let writer = session.requiredWriter
        writer.orderedKey.setBacklinkKey(overflow(position), target: row, origin: origin)
        switch writer.ordered.change(of: writer.orderedKey.bytes) {
        case .put(let count): return count
        case .removal: return 0
        case nil: break
        }
        do throws(StorageError) {
            return try session.snapshot.orderedPayload(of: writer.orderedKey.bytes) ?? 0
        } catch {
            session.note(error)
            return 0
        }
    }

    // MARK: Changing backlinks

    /// Notes one link from a row of the origin table.
    func addBacklink(_ row: RowKey, _ position: Int, from origin: RowKey) {
        let chunk = ownChunk(position, row.block)
        let slot = chunk + ChunkLayout.slots + row.slot * 16
        MutableChunk(chunk).markChanged(row.slot)
        let count = Int(slot.load(as: UInt32.self))
        if count == 0 {
            slot.storeBytes(of: origin.value, toByteOffset: BacklinkSlot.origin, as: UInt64.self)
        } else if slot.load(fromByteOffset: BacklinkSlot.flags, as: UInt32.self) & BacklinkSlot.inOrdered != 0
        {
            addOrdered(row, position, origin, 1)
        } else if count >= session.limits.backlinkHeapCount {
            moveToOrdered(row, position)
            addOrdered(row, position, origin, 1)
        } else {
            insertOrigin(row, position, origin, count: count)
        }
        // The heap may have moved the chunk.
        let place = ownChunk(position, row.block) + ChunkLayout.slots + row.slot * 16
        place.storeBytes(of: UInt32(count + 1), as: UInt32.self)
    }

    /// Takes one link back.
    func removeBacklink(_ row: RowKey, _ position: Int, from origin: RowKey) {
        let chunk = ownChunk(position, row.block)
        let slot = chunk + ChunkLayout.slots + row.slot * 16
        MutableChunk(chunk).markChanged(row.slot)
        let count = Int(slot.load(as: UInt32.self))
        if slot.load(fromByteOffset: BacklinkSlot.flags, as: UInt32.self) & BacklinkSlot.inOrdered != 0 {
            removeOrdered(row, position, origin)
            slot.storeBytes(of: UInt32(count - 1), as: UInt32.self)
            if count - 1 <= session.limits.backlinkHeapCount / 2 { moveToHeap(row, position) }
            return
        }
        if count == 1, slot.load(fromByteOffset: BacklinkSlot.origin, as: UInt64.self) == origin.value {
            memset(slot, 0, 16)
            return
        }
        var origins = backlinks(row, position)
        guard let place = origins.firstIndex(of: origin) else {
            session.note(
                session.snapshot.contents.damage("a link to a row of \(definition.name) is not mirrored"))
            return
        }
        origins.remove(at: place)
        writeOrigins(row, position, origins)
    }

    private func insertOrigin(_ row: RowKey, _ position: Int, _ origin: RowKey, count: Int) {
        if count == 1 {
            let only = backlinks(row, position)
            writeOrigins(row, position, (only + [origin]).sorted())
            return
        }
        let chunk = MutableChunk(ownChunk(position, row.block))
        let slot = chunk.pointer + ChunkLayout.slots + row.slot * 16
        let flags = slot.load(fromByteOffset: BacklinkSlot.flags, as: UInt32.self)
        let hasSlack = flags & HeapSlack.flag != 0 && HeapSlack.capacity(for: count * 8) >= (count + 1) * 8
        guard hasSlack else {
            writeOrigins(row, position, (backlinks(row, position) + [origin]).sorted())
            return
        }
        let origins = UnsafeMutableRawPointer(mutating: heapOrigins(slot, in: chunk.pointer))
        var place = count
        while place > 0 {
            let before = origins.loadUnaligned(fromByteOffset: (place - 1) * 8, as: UInt64.self)
            if before <= origin.value { break }
            origins.storeBytes(of: before, toByteOffset: place * 8, as: UInt64.self)
            place -= 1
        }
        origins.storeBytes(of: origin.value, toByteOffset: place * 8, as: UInt64.self)
    }

    /// Writes the whole slot anew, for up to 64 links.
    private func writeOrigins(_ row: RowKey, _ position: Int, _ origins: [RowKey]) {
        let chunk = MutableChunk(ownChunk(position, row.block))
        let slot = chunk.pointer + ChunkLayout.slots + row.slot * 16
        let oldCount = Int(slot.load(as: UInt32.self))
        let oldFlags = slot.load(fromByteOffset: BacklinkSlot.flags, as: UInt32.self)
        if oldCount > 1, oldFlags & BacklinkSlot.inOrdered == 0 {
            chunk.deadHeapByteCount +=
                oldFlags & HeapSlack.flag != 0 ? HeapSlack.capacity(for: oldCount * 8) : oldCount * 8
        }
        memset(slot, 0, 16)
        if origins.count == 1 {
            slot.storeBytes(of: origins[0].value, toByteOffset: BacklinkSlot.origin, as: UInt64.self)
        } else if origins.count > 1 {
            let bytes = origins.map { $0.value.littleEndian }
            let offset = bytes.withUnsafeBytes {
                self.place($0, position, row.block, capacity: HeapSlack.capacity(for: $0.count))
            }
            let moved = ownChunk(position, row.block) + ChunkLayout.slots + row.slot * 16
            moved.storeBytes(of: HeapSlack.flag, toByteOffset: BacklinkSlot.flags, as: UInt32.self)
            moved.storeBytes(of: UInt32(offset), toByteOffset: BacklinkSlot.heapOffset, as: UInt32.self)
        }
        let final = ownChunk(position, row.block) + ChunkLayout.slots + row.slot * 16
        final.storeBytes(of: UInt32(origins.count), as: UInt32.self)
    }

    private func addOrdered(_ row: RowKey, _ position: Int, _ origin: RowKey, _ count: UInt32) {
        let known = orderedMultiplicity(row, position, from: origin)
        let writer = session.requiredWriter
        writer.ordered.put(writer.orderedKey.bytes, payload: known + count)
    }

    private func removeOrdered(_ row: RowKey, _ position: Int, _ origin: RowKey) {
        let known = orderedMultiplicity(row, position, from: origin)
        let writer = session.requiredWriter
        if known > 1 {
            writer.ordered.put(writer.orderedKey.bytes, payload: known - 1)
        } else {
            writer.ordered.remove(writer.orderedKey.bytes)
        }
    }

    private func moveToOrdered(_ row: RowKey, _ position: Int) {
        for origin in backlinks(row, position) { addOrdered(row, position, origin, 1) }
        writeOrigins(row, position, [])
        let slot = ownChunk(position, row.block) + ChunkLayout.slots + row.slot * 16
        slot.storeBytes(of: BacklinkSlot.inOrdered, toByteOffset: BacklinkSlot.flags, as: UInt32.self)
    }

    private func moveToHeap(_ row: RowKey, _ position: Int) {
        let origins = backlinks(row, position)
        clearOrdered(row, position)
        writeOrigins(row, position, origins)
    }

    /// Removes a row's entries in `ordered`.
    func clearOrdered(_ row: RowKey, _ position: Int) {
        let writer = session.requiredWriter
        do throws(StorageError) {
            for entry in try orderedBacklinks(row, position) {
                writer.orderedKey.setBacklinkKey(overflow(position), target: row, origin: entry.origin)
                writer.ordered.remove(writer.orderedKey.bytes)
            }
        } catch {
            session.note(error)
        }
    }
}
