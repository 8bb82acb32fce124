import CairnStorage
import TestSupport
import Testing

/// Whatever the records of a list say, reading and changing it throws or goes on: it never traps, and
/// never reads outside them.
@Suite struct LongListDamageTests {
    private let limits = ListLimits(pieceTarget: 64, heapLimit: 48)

    @Test(arguments: ListElementLayout.all)
    func `damaged records never trap`(layout: ListElementLayout) throws {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<60 {
            let store = RecordStore()
            var list = LongList(layout: layout, limits: limits, source: store)
            try list.replace(0..<0, withElementsOf: buffer(layout.randomElements(60, &random), layout))
            guard case .inPieces(let directory, let count) = try store.flush(&list) else {
                Issue.record("Sixty elements of \(layout) are in the heap")
                return
            }
            damage(store, directory, &random)
            var damaged: LongList?
            attempt {
                damaged = try LongList(
                    layout: layout, directory: directory, count: count, limits: limits, source: store)
            }
            if let damaged { use(damaged, layout, &random) }
        }
    }

    /// Changes some bytes of one record, or its length.
    private func damage(_ store: RecordStore, _ directory: ValueID, _ random: inout SeededGenerator) {
        let ids = store.records.keys.sorted()
        let id = Bool.random(using: &random) ? directory : ids[Int.random(in: 0..<ids.count, using: &random)]
        guard var record = store.records[id] else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: record.removeLast(Int.random(in: 1...record.count, using: &random))
        case 1: record += [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
        default:
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let offset = Int.random(in: 8..<record.count, using: &random)
                record[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        store.records[id] = record
    }

    /// Reads everything and changes things everywhere; each may throw that something is damaged.
    private func use(_ list: LongList, _ layout: ListElementLayout, _ random: inout SeededGenerator) {
        var list = list
        for index in 0..<list.count { attempt { _ = try list.element(at: index).map(Array.init) } }
        attempt { try list.forEachRun(in: 0..<list.count) { run, _ in _ = run.elements } }
        for _ in 0..<60 {
            let element = layout.randomElement(&random)
            let index = Int.random(in: 0...list.count, using: &random)
            let removed = index..<Int.random(in: index...min(list.count, index + 9), using: &random)
            let expected = [list.count + 1, list.count - removed.count]
            attempt {
                try withBytes(element) { try list.insert($0, at: index) }
                #expect(list.count == expected[0])
                try list.removeSubrange(index..<(index + 1))
            }
            let count = list.count
            attempt {
                try list.removeSubrange(removed)
            } orElse: {
                #expect(list.count == count)
            }
        }
        attempt {
            _ = try list.flush(
                newID: { () throws(StorageError) in ValueID(1000) }, write: { _, _ in }, remove: { _ in })
        }
    }

    private func attempt(_ body: () throws -> Void, orElse: () -> Void = {}) {
        do {
            try body()
        } catch {
            #expect((error as? StorageError)?.code == .damaged)
            orElse()
        }
    }

    @Test func `a directory whose counts do not add up is damage`() throws {
        let store = RecordStore()
        let layout = ListElementLayout(kind: .int, isNullable: false)
        var list = LongList(layout: layout, limits: limits, source: store)
        try list.replace(
            0..<0, withElementsOf: buffer((0..<16).map { [UInt8](repeating: $0, count: 8) }, layout))
        guard case .inPieces(let directory, let count) = try store.flush(&list) else { return }
        func open(_ count: Int) throws {
            _ = try LongListReader(layout: layout, directory: directory, count: count, source: store)
        }
        try open(count)
        expectDamage { try open(count + 1) }
        store.records[directory]?[24] -= 1
        expectDamage { try open(count) }
        store.records[directory] = nil
        expectDamage { try open(count) }
    }
}
