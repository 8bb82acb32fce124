import CairnStorage
import TestSupport
import Testing

/// Rows at the borders of words and blocks.
let borderRows: [UInt64] = [0, 1, 63, 64, 447, 448, 449, 896]

/// A set of the rows with these numbers.
func rows(_ numbers: some Sequence<UInt64>) -> RowKeySet {
    RowKeySet(numbers.map { RowKey($0) })
}

/// The numbers of a set's rows.
func numbers(_ rows: RowKeySet) -> [UInt64] {
    rows.map(\.value)
}

/// All 256 sets of border rows.
let borderSubsets: [[UInt64]] = (0..<(1 << borderRows.count)).map { mask in
    borderRows.indices.filter { mask >> $0 & 1 == 1 }.map { borderRows[$0] }
}

@Suite struct RowKeySetTests {
    @Test func `a new set has no row`() {
        let empty = RowKeySet()
        #expect(empty.isEmpty && empty.count == 0 && empty.first == nil && empty.last == nil)
        #expect(numbers(empty).isEmpty && !empty.contains(RowKey(0)))
    }

    @Test func `rows come rising, whatever order they came in`() {
        #expect(numbers(rows(borderRows.reversed())) == borderRows)
        #expect(numbers(rows([896, 0, 449, 63, 0])) == [0, 63, 449, 896])
    }

    @Test func `inserting and removing tell whether they had an effect`() {
        var set = RowKeySet()
        #expect(set.insert(RowKey(448)) && !set.insert(RowKey(448)))
        #expect(!set.remove(RowKey(447)) && !set.remove(RowKey(10_000)))
        #expect(set.remove(RowKey(448)) && !set.remove(RowKey(448)))
        #expect(set == RowKeySet(), "a block that lost its last row leaves no entry")
    }

    @Test func `the last row a table can hand out fits`() {
        let last = RowKey(RowKey.limit - 1)
        #expect(numbers([last]) == [last.value])
        #expect(numbers(RowKeySet(last..<RowKey(RowKey.limit))) == [last.value])
    }

    @Test func `the first number that is no row key traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = RowKeySet([RowKey(RowKey.limit)])
        }
    }

    @Test func `ranges that end at any border have their rows`() {
        let ends = borderRows + borderRows.map { $0 + 1 }
        for lower in ends {
            for upper in ends where upper >= lower {
                let set = RowKeySet(RowKey(lower)..<RowKey(upper))
                #expect(numbers(set) == Array(lower..<upper))
            }
        }
    }

    @Test func `a million rows side by side take an entry a block`() {
        let million = RowKeySet(RowKey(5)..<RowKey(1_000_005))
        #expect(million.count == 1_000_000 && million.entries.count == 2_233)
        #expect(million.first == RowKey(5) && million.last == RowKey(1_000_004))
        var one = million
        one.subtract(RowKeySet(RowKey(5)..<RowKey(1_000_004)))
        #expect(numbers(one) == [1_000_004])
    }

    @Test func `rows of a block are added and read as a bitmap`() {
        var set = rows([450])
        set.insert(BlockBitmap(0..<2), of: 1)
        set.insert(BlockBitmap(447..<448), of: 0)
        set.insert(BlockBitmap(), of: 7)
        #expect(numbers(set) == [447, 448, 449, 450])
        #expect(set.rows(of: 1) == BlockBitmap(0..<3) && set.rows(of: 7).isEmpty)
        #expect(set.entries.map(\.block) == [0, 1])
    }

    @Test func `every pair of sets of border rows behaves like sets of numbers`() {
        let sets = borderSubsets.map { (set: rows($0), model: Set($0)) }
        for left in sets {
            for right in sets {
                let union = left.set.union(right.set)
                let rest = left.set.subtracting(right.set)
                let common = left.set.intersection(right.set)
                guard
                    numbers(union) == left.model.union(right.model).sorted(),
                    numbers(rest) == left.model.subtracting(right.model).sorted(),
                    numbers(common) == left.model.intersection(right.model).sorted(),
                    left.set.isDisjoint(with: right.set) == left.model.isDisjoint(with: right.model),
                    (left.set == right.set) == (left.model == right.model)
                else {
                    Issue.record("\(left.model.sorted()) and \(right.model.sorted())")
                    return
                }
            }
        }
    }

    @Test func `long random histories behave like a set of numbers`() {
        var random = SeededGenerator()
        for _ in 0..<60 {
            let limit = UInt64([10, 1_000, 100_000, RowKey.limit].randomElement(using: &random)!)
            var set = RowKeySet()
            var model: Set<UInt64> = []
            for _ in 0..<60 {
                apply(to: &set, &model, limit, &random)
                #expect(set.count == model.count)
            }
            #expect(numbers(set) == model.sorted(), "\(random.reproduction)")
            #expect(set == rows(model), "equal rows are equal entries; \(random.reproduction)")
            #expect(set.entries.allSatisfy { !$0.rows.isEmpty })
            #expect(model.allSatisfy { set.contains(RowKey($0)) })
            #expect(set.first?.value == model.min() && set.last?.value == model.max())
        }
    }

    /// One random operation on both.
    private func apply(
        to set: inout RowKeySet, _ model: inout Set<UInt64>, _ limit: UInt64,
        _ random: inout SeededGenerator
    ) {
        let row = UInt64.random(in: 0..<limit, using: &random)
        let range = row..<min(limit, row + UInt64.random(in: 0...1_000, using: &random))
        let others = Set((0..<20).map { _ in UInt64.random(in: 0..<limit, using: &random) })
        switch Int.random(in: 0..<7, using: &random) {
        case 0: #expect(set.insert(RowKey(row)) == model.insert(row).inserted)
        case 1: #expect(set.remove(RowKey(row)) == (model.remove(row) != nil))
        case 2:
            set.insert(RowKey(range.lowerBound)..<RowKey(range.upperBound))
            model.formUnion(range)
        case 3:
            set.formUnion(rows(others))
            model.formUnion(others)
        case 4:
            set.subtract(rows(others.union(range)))
            model.subtract(others.union(range))
        case 5:
            #expect(set.contains(RowKey(row)) == model.contains(row))
            #expect(set.isDisjoint(with: rows(range)) == model.isDisjoint(with: range))
        default:
            guard random.oneIn(4) else { return }
            set.formIntersection(rows(others.union(range)))
            model.formIntersection(others.union(range))
        }
    }
}
