internal import CRuntime
internal import CairnStorage

/// Goes through rows and gives an object for each, the same one again while nobody else holds it.
///
/// Rows that are deleted before their turn are left out; rows that are added are not visited. So a loop
/// may change what it goes through.
@usableFromInline
final class RowCursor {
    private enum Source {
        /// All rows of the class below a key.
        case table(limit: UInt64)
        /// These rows.
        case rows([RowKey])
    }

    private let session: RealmSession
    private let model: ClassModel
    /// What the objects hold.
    private let handle: UnsafeMutablePointer<ClassAccess>
    /// The tables of the reading thread.
    private var access: UnsafeMutablePointer<ClassAccess>
    /// A loop of before an `invalidate()` is at its end.
    private let validSince: UInt64
    private let isFrozen: Bool
    private let source: Source
    /// The object that was given out last, if it may be used again.
    private var current: ObjectBase?
    private let reuses: Bool

    // Of a table: the word of the bitmap that it is in, and when that was loaded.
    private var block: UInt32 = 0
    private var wordIndex = -1
    private var word: UInt64 = 0
    private var wordEpoch: UInt64 = 0
    // Of rows: the next one.
    private var index = 0

    private init(_ session: RealmSession, _ access: UnsafeMutablePointer<ClassAccess>, _ source: Source) {
        self.session = session
        let ordinal = access.pointee.ordinal
        model = unsafeDowncast(session.models[ordinal], to: ClassModel.self)
        handle = session.handle(ordinal)
        self.access = access
        validSince = handle.pointee.validSince
        isFrozen = session.isFrozen
        self.source = source
        reuses = !model.hasOwnFields
    }

    /// All rows that a class has now.
    convenience init(allOf access: UnsafeMutablePointer<ClassAccess>, _ session: RealmSession) {
        self.init(session, access, .table(limit: access.table.rowKeyLimit))
        block = access.table.firstRowBlock
    }

    /// Rows by their keys.
    convenience init(
        _ rows: [RowKey], of access: UnsafeMutablePointer<ClassAccess>, _ session: RealmSession
    ) {
        self.init(session, access, .rows(rows))
    }

    /// The object of the next row.
    @usableFromInline
    func next() -> ObjectBase? {
        guard isReadable(), let row = nextRow() else {
            current = nil
            return nil
        }
        if reuses, current != nil, isKnownUniquelyReferenced(&current), let object = current {
            object.row = row
            object.keyHash = 0
            object.seenEpoch = isFrozen ? 0 : access.pointee.state.pointee.epoch
            return object
        }
        let object = model.makeObject(session, handle, RowKey(row))
        if reuses { current = object }
        return object
    }

    /// Whether there are tables to go on in, on this thread.
    @inline(__always)
    private func isReadable() -> Bool {
        // Also no longer true of a Realm that was invalidated: the state is nobody's then.
        if handle.pointee.state.pointee.token == cairn_thread_token(),
            handle.pointee.validSince == validSince
        {
            return true
        }
        return isReadableElsewhere()
    }

    /// A frozen loop may go on on another thread than the one that began it, with tables of that thread.
    @inline(never)
    private func isReadableElsewhere() -> Bool {
        if isFrozen {
            guard let tables = session.readable("A loop") else { return false }
            access = tables.accesses + handle.pointee.ordinal
            return true
        }
        guard session.confinement.isHere else {
            return session.readable("A loop over '\(model.schema.className)'") != nil
        }
        // Of a Realm that belongs to no thread, the token says nothing.
        return handle.pointee.table != nil && handle.pointee.validSince == validSince
    }

    private func nextRow() -> UInt64? {
        switch source {
        case .table(let limit): return nextTableRow(limit)
        case .rows(let rows):
            while index < rows.count {
                let row = rows[index]
                index += 1
                if access.table.contains(row) { return row.value }
            }
            return nil
        }
    }

    private func nextTableRow(_ limit: UInt64) -> UInt64? {
        while true {
            if word == 0 {
                guard loadWord(limit) else { return nil }
                continue
            }
            let slot = wordIndex &* 64 &+ word.trailingZeroBitCount
            word &= word &- 1
            let row = RowKey(block: block, slot: slot)
            guard row.value < limit else { return nil }
            // The word may be older than a delete, or of a version that the session has left.
            if wordEpoch != access.pointee.state.pointee.epoch, !access.table.contains(row) { continue }
            return row.value
        }
    }

    /// Loads the next word that has a row; false at the end.
    private func loadWord(_ limit: UInt64) -> Bool {
        let table = access.table
        wordEpoch = access.pointee.state.pointee.epoch
        while true {
            wordIndex &+= 1
            if wordIndex == Block.wordCount {
                wordIndex = 0
                block &+= 1
            }
            guard RowKey(block: block, slot: wordIndex &* 64).value < limit else { return false }
            guard let directory = table.directory(block) else {
                wordIndex = Block.wordCount &- 1
                continue
            }
            word = DirectoryView(directory).liveWord(wordIndex)
            if word != 0 { return true }
        }
    }
}
