import Cairn
import Foundation

/// How the writes of a history end.
extension RealmHistory {
    private enum Ending: CaseIterable {
        case commit, `throw`, cancel, mistake
    }

    private struct Thrown: Error {}

    /// A write of a few changes, which may be undone.
    func write(_ seat: Seat) throws {
        guard let realm = seat.realm else { return }
        let ending = chance.isOne(in: 3) ? (chance.element(Ending.allCases) ?? .commit) : .commit
        let inBlock = ending == .throw || chance.isOne(in: 2)
        note("write, to end with \(ending)")
        let change = RealmChange(history: self, seat: seat, realm: realm, world: committed)
        let base = committed
        let body = {
            try require(realm.isInWriteTransaction, "a write that is none")
            if self.chance.isOne(in: 8) { self.keep(realm.freeze(), base) }
            let count = self.chance.isOne(in: 12) ? 60 : self.chance.number(1..<10)
            let fault = ending == .mistake ? self.chance.number(0..<count) : -1
            for index in 0..<count {
                if index == fault { try change.makeMistake() }
                try change.change()
            }
            // Also before it ends, and after a mistake.
            if self.chance.isOne(in: 3) { try WorldComparison(realm, change.world).run() }
        }
        if inBlock {
            try writeInBlock(realm, ending, body)
        } else {
            realm.beginWrite()
            do { try body() } catch {
                realm.cancelWrite()
                throw error
            }
        }
        try finish(realm, ending, change, isOpen: !inBlock)
        if !change.isDoomed, ending == .commit { committed = change.world }
        seat.world = committed
        keepSome(change, seat)
        for draft in chance.drafts { draft.takeApart() }
        chance.drafts = []
        try require(!realm.isInWriteTransaction, "a write that has ended goes on")
        try compare(seat)
    }

    /// What a write in a block has thrown is looked at by `finish`.
    private func writeInBlock(_ realm: Realm, _ ending: Ending, _ body: () throws -> Void) throws {
        outcome = nil
        do {
            try realm.write {
                try body()
                if ending == .throw { throw Thrown() }
                if ending == .cancel { realm.cancelWrite() }
            }
        } catch let error as ModelFailure {
            throw error
        } catch {
            outcome = error
        }
    }

    private func finish(_ realm: Realm, _ ending: Ending, _ change: RealmChange, isOpen: Bool) throws {
        if isOpen {
            outcome = nil
            if ending == .cancel {
                realm.cancelWrite()
            } else {
                do { try realm.commitWrite() } catch { outcome = error }
            }
        }
        switch ending {
        case .throw: try require(outcome is Thrown, "an error of the block became \(outcome as Any)")
        case .cancel: try require(outcome == nil, "a write that was cancelled threw \(outcome as Any)")
        case .commit, .mistake:
            try require((outcome is Realm.Error) == change.isDoomed, "a write ended with \(outcome as Any)")
        }
    }

    private func keepSome(_ change: RealmChange, _ seat: Seat) {
        seat.heldHubs += change.madeHubs.suffix(3)
        seat.heldLeaves += change.madeLeaves.suffix(3)
        seat.heldLists += change.madeLists.suffix(1)
        if seat.heldHubs.count > 12 { seat.heldHubs.removeFirst(6) }
        if seat.heldLeaves.count > 12 { seat.heldLeaves.removeFirst(6) }
        if seat.heldLists.count > 6 { seat.heldLists.removeFirst(3) }
    }
}
