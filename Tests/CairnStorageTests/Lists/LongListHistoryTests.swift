import CairnStorage
import TestSupport
import Testing

/// Long random histories against a plain array, with pieces so small that they are cut and joined all
/// the time, and lists that go to the heap and come back.
@Suite struct LongListHistoryTests {
    @Test(arguments: ListElementLayout.all)
    func `a list is the array that was changed in the same way`(layout: ListElementLayout) throws {
        for seed in UInt64(1)...3 {
            var history = ListHistory(layout, seed: seed)
            do {
                for _ in 0..<500 { try history.step() }
                try history.finish()
            } catch {
                Issue.record("\(layout), seed \(seed): \(error)")
            }
        }
    }
}

/// A list, the array it has to be, and the layers that may be undone.
private struct ListHistory {
    /// What a layer keeps to be undone by.
    private struct Layer {
        let list: LongList
        let model: [Element]
        let records: [ValueID: [UInt8]]
    }

    private let layout: ListElementLayout
    private let seed: UInt64
    private let limits: ListLimits
    private let store = RecordStore()
    private var random: SeededGenerator
    private var list: LongList
    private var model: [Element] = []
    private var layers: [Layer] = []

    init(_ layout: ListElementLayout, seed: UInt64) {
        self.layout = layout
        self.seed = seed
        random = SeededGenerator(seed: seed)
        limits = ListLimits(
            pieceTarget: [64, 64, 40, 200][Int(seed % 4)], heapLimit: [48, 100][Int(seed % 2)])
        list = LongList(layout: layout, limits: limits, source: store)
    }

    mutating func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: try changeOne()
        case 40..<55: try replaceSome()
        case 55..<58: try removeMany()
        case 58..<64: try move()
        case 64..<70: try replaceBySequence()
        case 70..<78: try flush(reload: false)
        case 78..<84: try flush(reload: true)
        case 84..<90: layers.append(Layer(list: list, model: model, records: store.records))
        case 90..<95: try undoOrKeepLayer()
        default: try readSome()
        }
        #expect(list.count == model.count, "seed \(seed)")
    }

    mutating func finish() throws {
        while !layers.isEmpty { try undoOrKeepLayer() }
        try flush(reload: true)
        try list.removeAll()
        model = []
        try flush(reload: false)
        #expect(store.records.isEmpty)
    }

    private mutating func changeOne() throws {
        let element = layout.randomElement(&random)
        let index = Int.random(in: 0...model.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
            try withBytes(element) { try list.append($0) }
            model.append(element)
        case 2:
            try withBytes(element) { try list.insert($0, at: index) }
            model.insert(element, at: index)
        case 3 where index < model.count:
            try withBytes(element) { try list.set($0, at: index) }
            model[index] = element
        case 4 where index < model.count:
            try list.remove(at: index)
            model.remove(at: index)
        default: break
        }
    }

    private mutating func replaceSome() throws {
        let range = randomRange(most: 12)
        let new = layout.randomElements(Int.random(in: 0..<25, using: &random), &random)
        try list.replace(range, withElementsOf: buffer(new, layout))
        model.replaceSubrange(range, with: new)
    }

    private mutating func removeMany() throws {
        let range = randomRange(most: model.count)
        try list.removeSubrange(range)
        model.removeSubrange(range)
    }

    private mutating func replaceBySequence() throws {
        let range = randomRange(most: 5)
        let new = layout.randomElements(Int.random(in: 0..<6, using: &random), &random)
        let arena = try buffer(new, layout)
        try list.replace(range, with: (0..<new.count).lazy.map { arena.payload.element(at: $0) })
        model.replaceSubrange(range, with: new)
    }

    private mutating func move() throws {
        guard model.count > 0 else { return }
        let (from, to) = (randomIndex(), randomIndex())
        try list.move(from: from, to: to)
        model.insert(model.remove(at: from), at: to)
        // An element of the list itself is as good as any other.
        try list.append(list.element(at: to))
        model.append(model[to])
    }

    private mutating func flush(reload: Bool) throws {
        let flushed = try store.flush(&list)
        try store.expectExactly(flushed, layout)
        let payload = expectedPayload(model, layout)
        switch flushed {
        case .inHeap(let bytes, let count):
            #expect(bytes == payload && count == model.count, "seed \(seed)")
            guard reload else { break }
            list = try bytes.withUnsafeBytes {
                try LongList(ListPayload($0, count: count, layout: layout), limits: limits, source: store)
            }
        case .inPieces(let directory, let count):
            #expect(count == model.count)
            let reader = try LongListReader(layout: layout, directory: directory, count: count, source: store)
            try expectElements {
                try reader.element(at: $0)
            } runs: {
                try reader.forEachRun(in: $0, $1)
            }
            guard reload else { break }
            list = try LongList(
                layout: layout, directory: directory, count: count, limits: limits, source: store)
        }
        try readSome()
    }

    private mutating func undoOrKeepLayer() throws {
        guard let layer = layers.popLast() else { return }
        if Bool.random(using: &random) {
            list = layer.list
            model = layer.model
            store.records = layer.records
        }
        try readSome()
    }

    private mutating func readSome() throws {
        let list = list
        try expectElements {
            try list.element(at: $0)
        } runs: {
            try list.forEachRun(in: $0, $1)
        }
    }

    private mutating func expectElements(
        _ element: (Int) throws -> UnsafeRawBufferPointer?,
        runs: (Range<Int>, (ListRun, Int) throws(StorageError) -> Void) throws -> Void
    ) throws {
        for _ in 0..<min(model.count, 5) {
            let index = randomIndex()
            #expect(try element(index).map(Array.init) == model[index], "seed \(seed)")
        }
        let range = randomRange(most: model.count)
        var elements: [Element] = []
        try runs(range) { run, first in
            #expect(first == range.lowerBound + elements.count)
            elements += run.elements
        }
        #expect(elements == Array(model[range]), "seed \(seed)")
    }

    private mutating func randomIndex() -> Int { Int.random(in: 0..<model.count, using: &random) }

    private mutating func randomRange(most: Int) -> Range<Int> {
        let lower = Int.random(in: 0...model.count, using: &random)
        return lower..<Int.random(in: lower...min(model.count, lower + most), using: &random)
    }
}
