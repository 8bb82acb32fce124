/// The record that lists the pieces of a long list (`docs/file-format.md`, section 7).
///
///     header | piece 0: value id (8), number of elements (4) | piece 1 …
enum ListDirectory {
    private static let entryByteCount = 12
    private static let entryCount = 8

    /// The pieces a directory lists.
    ///
    /// Throws `damaged` when it is no directory, or its counts do not add up.
    ///
    /// - Parameters:
    ///   - id: the directory's own key.
    ///   - count: the number of elements the list's slot announces.
    /// - Complexity: O(pieces).
    static func pieces(
        _ bytes: UnsafeRawBufferPointer, id: ValueID, count: Int
    ) throws(StorageError) -> [ListPiece] {
        let record = try ValueRecord(bytes, id: id, kind: .listDirectory)
        guard record.count == count else {
            throw ValueRecord.damage(id, "lists \(record.count) elements where the slot has \(count)")
        }
        guard record.payload.count % entryByteCount == 0 else {
            throw ValueRecord.damage(id, "ends in the middle of a piece")
        }
        var pieces: [ListPiece] = []
        pieces.reserveCapacity(record.payload.count / entryByteCount)
        var total = 0
        for offset in stride(from: 0, to: record.payload.count, by: entryByteCount) {
            let piece = piece(record.payload, at: offset)
            guard piece.count > 0, piece.id != ValueID(0), piece.id != id else {
                throw ValueRecord.damage(id, "lists an impossible piece")
            }
            total += piece.count
            pieces.append(piece)
        }
        guard total == count else {
            throw ValueRecord.damage(id, "has pieces of \(total) elements where the list has \(count)")
        }
        return pieces
    }

    private static func piece(_ payload: UnsafeRawBufferPointer, at offset: Int) -> ListPiece {
        let id = UInt64(littleEndian: payload.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let count = payload.loadUnaligned(fromByteOffset: offset + entryCount, as: UInt32.self)
        return ListPiece(id: ValueID(id), count: Int(UInt32(littleEndian: count)))
    }

    /// The directory of pieces, its checksum still zero.
    ///
    /// - Parameter newIDs: where the edited pieces were stored, in order.
    /// - Precondition: there is one new id an edited piece.
    static func record(_ pieces: [ListPiece], newIDs: [ValueID], count: Int) -> [UInt8] {
        let byteCount = ValueRecordLayout.payload + pieces.count * entryByteCount
        return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, initializedCount in
            let record = UnsafeMutableRawBufferPointer(bytes)
            ValueRecord.writeHeader(to: record, kind: .listDirectory, count: count)
            var offset = ValueRecordLayout.payload
            var stored = 0
            for piece in pieces {
                let id = piece.id ?? newIDs[stored]
                if piece.id == nil { stored += 1 }
                record.storeBytes(of: id.value.littleEndian, toByteOffset: offset, as: UInt64.self)
                record.storeBytes(
                    of: UInt32(piece.count).littleEndian, toByteOffset: offset + entryCount, as: UInt32.self)
                offset += entryByteCount
            }
            precondition(stored == newIDs.count, "Every edited piece has one new record.")
            initializedCount = byteCount
        }
    }
}
