import CairnStorage
import TestSupport
import Testing

@Suite struct LongListTests {
    private let store = RecordStore()
    private let links = ListElementLayout(kind: .link, isNullable: false)
    private let strings = ListElementLayout(kind: .string, isNullable: true)

    private func list(_ layout: ListElementLayout, _ elements: [Element]) throws -> LongList {
        var list = LongList(layout: layout, source: store)
        try list.replace(0..<0, withElementsOf: buffer(elements, layout))
        return list
    }

    private func elements(_ list: LongList) throws -> [Element] {
        var elements: [Element] = []
        try list.forEachRun(in: 0..<list.count) { run, _ in elements += run.elements }
        return elements
    }

    private func link(_ number: Int) -> Element {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// The element counts of the pieces that are written.
    private func writtenCounts() -> [Int] {
        store.written.compactMap { store.records[$0] }.filter { $0[9] == 2 }.map {
            Int($0[12]) | Int($0[13]) << 8
        }
    }

    @Test func `a list that only grows has full pieces`() throws {
        var list = LongList(layout: links, source: store)
        for number in 0..<2500 { try withBytes(link(number)) { try list.append($0) } }
        _ = try store.flush(&list)
        #expect(writtenCounts() == [1020, 1020, 460])
    }

    @Test func `an element in the middle of a large list writes one piece and the directory`() throws {
        var list = try list(links, (0..<100_000).map(link))
        _ = try store.flush(&list)
        let reads = store.readCount
        try withBytes(link(7)) { try list.set($0, at: 50_000) }
        #expect(store.readCount == reads + 1)
        _ = try store.flush(&list)
        #expect(store.written.count == 2)
        try withBytes(link(8)) { try list.insert($0, at: 50_000) }
        _ = try store.flush(&list)
        #expect(writtenCounts() == [511, 510], "A full piece is split into halves")
    }

    @Test func `a flush without changes writes nothing`() throws {
        var list = try list(links, (0..<1000).map(link))
        let first = try store.flush(&list)
        #expect(try store.flush(&list) == first)
        #expect(store.written.isEmpty)
    }

    @Test func `a list that is cleared or replaced as a whole reads no piece`() throws {
        var list = try list(strings, (0..<5000).map { [UInt8](repeating: 1, count: $0 % 30) })
        _ = try store.flush(&list)
        let reads = store.readCount
        try list.replace(0..<5000, withElementsOf: buffer([[1], nil], strings))
        #expect(store.readCount == reads)
        let flushed = try store.flush(&list)
        #expect(flushed == .inHeap(payload: expectedPayload([[1], nil], strings), count: 2))
        #expect(store.records.isEmpty)
    }

    @Test func `a small piece is joined with its neighbour`() throws {
        var list = try list(links, (0..<2500).map(link))
        try list.removeSubrange(0..<900)
        try list.removeSubrange(130..<1100)
        _ = try store.flush(&list)
        #expect(writtenCounts() == [630])
    }

    @Test func `an element larger than a piece is a piece of its own`() throws {
        let huge = [UInt8](repeating: 3, count: 100_000)
        var expected: [Element] = (0..<600).map { _ in [1, 2] }
        var list = try list(strings, expected)
        try withBytes(huge) { try list.insert($0, at: 300) }
        expected.insert(huge, at: 300)
        _ = try store.flush(&list)
        #expect(writtenCounts() == [300, 1, 300])
        #expect(try elements(list) == expected)
        try withBytes([9]) { try list.set($0, at: 300) }
        expected[300] = [9]
        #expect(try elements(list) == expected)
    }

    @Test(arguments: ListElementLayout.all)
    func `full-sized pieces take edits of any size`(layout: ListElementLayout) throws {
        var random = SeededGenerator(seed: 11)
        var expected = layout.randomElements(6000, &random)
        var list = try list(layout, expected)
        for _ in 0..<30 {
            let lower = Int.random(in: 0...expected.count, using: &random)
            let upper = min(expected.count, lower + [0, 1, 3, 700][Int.random(in: 0..<4, using: &random)])
            let count = [0, 1, 8, 70, 900][Int.random(in: 0..<5, using: &random)]
            let new = layout.randomElements(count, &random)
            try list.replace(lower..<upper, withElementsOf: buffer(new, layout))
            expected.replaceSubrange(lower..<upper, with: new)
        }
        #expect(try elements(list) == expected)
        let flushed = try store.flush(&list)
        try store.expectExactly(flushed, layout)
        #expect(try elements(list) == expected)
    }

    @Test func `a sequence longer than a batch arrives in order`() throws {
        var list = try list(links, (0..<10).map(link))
        let arena = try buffer((0..<30_000).map(link), links)
        try list.replace(5..<5, with: (0..<30_000).lazy.map { arena.payload.element(at: $0) })
        #expect(try elements(list) == (Array(0..<5) + Array(0..<30_000) + Array(5..<10)).map(link))
    }

    @Test func `a copy is not changed by what happens to the other`() throws {
        var list = try list(links, (0..<3000).map(link))
        let atFirst = list
        try withBytes(link(9)) { try list.set($0, at: 1500) }
        let later = list
        try list.removeSubrange(10..<2900)
        _ = try store.flush(&list)
        #expect(try elements(atFirst) == (0..<3000).map(link))
        #expect(try elements(later) == (Array(0..<1500) + [9] + Array(1501..<3000)).map(link))
    }

    @Test func `a change is kept though the small piece's neighbour cannot be read`() throws {
        let long = [UInt8](repeating: 5, count: 1500)
        var list = try list(strings, (0..<20).map { _ in long })
        _ = try store.flush(&list)
        for _ in 0..<4 { try list.remove(at: 0) }
        store.records[store.written[1]] = nil
        try list.set(nil, at: 0)
        #expect(list.count == 16)
        #expect(try list.element(at: 0) == nil)
        expectDamage { _ = try list.element(at: 1) }
    }
}
