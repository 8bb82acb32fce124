import CairnStorage
import TestSupport
import Testing

@Suite struct `Pending changes of ordered entries` {
    private typealias Model = [[UInt8]: OrderedDelta.Change]

    private func sorted(_ delta: OrderedDelta) -> [([UInt8], OrderedDelta.Change)] {
        var all: [([UInt8], OrderedDelta.Change)] = []
        delta.forEachSorted { key, change in all.append((Array(key), change)) }
        return all
    }

    private func expect(_ delta: OrderedDelta, holds model: Model) {
        let found = sorted(delta)
        let expected = model.sorted { $0.key.isBefore($1.key) }
        #expect(found.map(\.0) == expected.map(\.key), "\(TestSeed.comment)")
        #expect(found.map(\.1) == expected.map(\.value), "\(TestSeed.comment)")
        #expect(!delta.isEmpty || model.isEmpty)
    }

    @Test func `agree with a dictionary after any sequence of changes, marks and returns`() {
        var generator = TestSeed.generator(600)
        for round in 0..<12 {
            let delta = OrderedDelta()
            let keys = (0..<200).map { _ in
                indexKey(.string, ValueModel.random(.string, &generator), RowKey(generator.next() % 4))
            }
            var model: Model = [:]
            var marks: [(mark: OrderedDelta.Mark, model: Model)] = []
            for _ in 0..<600 {
                let key = keys.randomElement(using: &generator)!
                switch Int.random(in: 0..<(round.isMultiple(of: 2) ? 100 : 40), using: &generator) {
                case 0:
                    marks.append((delta.mark(), model))
                case 1 where !marks.isEmpty:
                    let depth = Int.random(in: 0..<marks.count, using: &generator)
                    delta.rollBack(to: marks[depth].mark)
                    model = marks[depth].model
                    marks.removeSubrange(depth...)
                case 2 where !marks.isEmpty:
                    let depth = Int.random(in: 0..<marks.count, using: &generator)
                    delta.release(marks[depth].mark)
                    marks.removeSubrange(depth...)
                case 3:
                    expect(delta, holds: model)
                case 4..<9:
                    #expect(key.withUnsafeBytes { delta.change(of: $0) } == model[key], "\(TestSeed.comment)")
                case 9..<20:
                    key.withUnsafeBytes { delta.remove($0) }
                    model[key] = .removal
                default:
                    let payload = UInt32(truncatingIfNeeded: generator.next())
                    key.withUnsafeBytes { delta.put($0, payload: payload) }
                    model[key] = .put(payload)
                }
            }
            expect(delta, holds: model)
            while let (mark, before) = marks.popLast() {
                delta.rollBack(to: mark)
                expect(delta, holds: before)
            }
        }
    }

    @Test func `stay cheap when each is followed by a read`() {
        var generator = TestSeed.generator(700)
        let delta = OrderedDelta()
        var model: Model = [:]
        for _ in 0..<3_000 {
            let key = indexKey(.int, ValueModel.bytes(Int64(generator.next() % 30_000)), RowKey(1))
            key.withUnsafeBytes { delta.put($0) }
            model[key] = .put(0)
            #expect(key.withUnsafeBytes { delta.change(of: $0) } == .put(0))
        }
        expect(delta, holds: model)
    }

    @Test func `are forgotten by a reset, with their memory and their marks`() {
        let delta = OrderedDelta()
        let empty = delta.byteCount
        for row in 0..<10_000 as Range<UInt64> {
            indexKey(.bool, [1], RowKey(row)).withUnsafeBytes { delta.put($0) }
        }
        _ = delta.mark()
        #expect(delta.byteCount > 10_000 * (12 + 24))
        #expect(!delta.isEmpty)
        delta.reset()
        #expect(delta.isEmpty)
        #expect(delta.byteCount == empty)
        expect(delta, holds: [:])
    }

    @Test func `stay right when thousands come before a read, many of them twice`() {
        var generator = TestSeed.generator(750)
        let delta = OrderedDelta()
        var model: Model = [:]
        var marks: [(mark: OrderedDelta.Mark, model: Model)] = []
        for round in 0..<5 as Range<UInt32> {
            marks.append((delta.mark(), model))
            for _ in 0..<4000 {
                let key = indexKey(.int, ValueModel.bytes(Int64(generator.next() % 3000)), RowKey(1))
                key.withUnsafeBytes { delta.put($0, payload: round) }
                model[key] = .put(round)
            }
            expect(delta, holds: model)
        }
        for (mark, before) in [marks[3], marks[1]] {
            delta.rollBack(to: mark)
            expect(delta, holds: before)
        }
    }

    @Test func `with one key in two layers give the older change back`() {
        let delta = OrderedDelta()
        let key = indexKey(.bool, [1], RowKey(1))
        key.withUnsafeBytes { key in
            delta.put(key, payload: 1)
            let mark = delta.mark()
            delta.remove(key)
            #expect(delta.change(of: key) == .removal)
            delta.rollBack(to: mark)
            #expect(delta.change(of: key) == .put(1))
        }
    }

    @Test func `trap when a mark is used after its end`() async {
        await #expect(processExitsWith: .failure) {
            let delta = OrderedDelta()
            let mark = delta.mark()
            delta.release(mark)
            _ = delta.mark()
            delta.rollBack(to: mark)
        }
    }
}
