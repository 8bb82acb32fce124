internal import CairnStorage

/// A condition on the row that a to-one link leads to.
final class LinkNode: MaskNode {
    private let table: SessionTable
    private let position: Int
    private let target: TargetMatcher
    private let whenNil: Bool

    init(_ table: SessionTable, _ position: Int, _ target: TargetMatcher, whenNil: Bool) {
        self.table = table
        self.position = position
        self.target = target
        self.whenNil = whenNil
        super.init(cost: 10 + target.cost)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        let slots = table.chunk(position, block) + ChunkLayout.slots
        return candidates.filtered { slot in
            let word = slots.loadUnaligned(fromByteOffset: slot &* 8, as: UInt64.self)
            return word == 0 ? whenNil : target.matches(RowKey(word &- 1))
        }
    }
}

/// The objects of a list, or those that link to a row, one after the other.
struct ElementReader {
    let table: SessionTable
    let position: Int
    private let isBacklinks: Bool
    let context: QueryContext

    init(_ table: SessionTable, _ position: Int, _ context: QueryContext) {
        self.table = table
        self.position = position
        isBacklinks = table.definition.columns[position].kind == .backlinks
        self.context = context
    }

    /// The number of elements.
    func count(_ row: RowKey) -> Int {
        if isBacklinks { return table.backlinkCount(row, position) }
        do throws(StorageError) {
            return try table.listCount(row, position)
        } catch {
            context.note(error)
            return 0
        }
    }

    /// Calls the body with each element until it answers false.
    @inline(__always)
    func forEach(_ row: RowKey, while body: (RowKey) -> Bool) {
        if isBacklinks { return table.forEachBacklink(row, position, while: body) }
        if let elements = table.plainListElements(row, position, width: 8) {
            var offset = 0
            while offset < elements.count {
                let element = RowKey(elements.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                guard body(element) else { return }
                offset &+= 8
            }
            return
        }
        forEachInPieces(row, body)
    }

    @inline(never)
    private func forEachInPieces(_ row: RowKey, _ body: (RowKey) -> Bool) {
        do throws(StorageError) {
            var isWanted = true
            try table.forEachRun(row, position) { run, _ throws(StorageError) in
                for index in 0..<run.count where isWanted {
                    guard let element = run.element(at: index) else { continue }
                    isWanted = body(RowKey(element.loadUnaligned(as: UInt64.self)))
                }
            }
        } catch {
            context.note(error)
        }
    }

    /// Calls the body with the bytes of each value of a list of values, nil for null, until it answers false.
    func forEachValue(_ row: RowKey, while body: (UnsafeRawBufferPointer?) -> Bool) {
        do throws(StorageError) {
            var isWanted = true
            try table.forEachRun(row, position) { run, _ throws(StorageError) in
                for index in 0..<run.count where isWanted { isWanted = body(run.element(at: index)) }
            }
        } catch {
            context.note(error)
        }
    }
}

/// Some object of a collection fits.
final class AnyElementNode: MaskNode {
    private let elements: ElementReader
    private let target: TargetMatcher

    init(_ elements: ElementReader, _ target: TargetMatcher) {
        self.elements = elements
        self.target = target
        super.init(cost: 60 + target.cost)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        candidates.filtered { slot in
            var found = false
            elements.forEach(RowKey(block: block, slot: slot)) { element in
                found = target.matches(element)
                return !found
            }
            return found
        }
    }
}

/// A collection is not empty, or is: what `@count > 0` comes down to, without counting.
final class EmptinessNode: MaskNode {
    private let elements: ElementReader
    private let isEmpty: Bool

    init(_ elements: ElementReader, isEmpty: Bool) {
        self.elements = elements
        self.isEmpty = isEmpty
        super.init(cost: 8)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        candidates.filtered { slot in
            (elements.count(RowKey(block: block, slot: slot)) == 0) == isEmpty
        }
    }
}

/// Some value of a list of values fits.
final class AnyValueNode: MaskNode {
    private let elements: ElementReader
    private let matcher: ValueMatcher

    init(_ elements: ElementReader, _ test: ValueTest) {
        self.elements = elements
        matcher = ValueMatcher(test)
        super.init(cost: 80)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        candidates.filtered { slot in
            var found = false
            elements.forEachValue(RowKey(block: block, slot: slot)) { value in
                found = matcher.matches(value)
                return !found
            }
            return found
        }
    }
}

/// The number of elements, or of those that fit.
final class CountNode: MaskNode {
    private let elements: ElementReader
    private let target: TargetMatcher?
    private let matcher: ValueMatcher

    init(_ elements: ElementReader, _ target: TargetMatcher?, _ test: ValueTest) {
        self.elements = elements
        self.target = target
        matcher = ValueMatcher(test)
        super.init(cost: 20 + (target.map { 60 + $0.cost } ?? 0))
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        candidates.filtered { slot in
            let row = RowKey(block: block, slot: slot)
            return matcher.matches(count: elements.count(row, matching: target))
        }
    }
}

extension ElementReader {
    /// The number of elements that fit.
    func count(_ row: RowKey, matching target: TargetMatcher?) -> Int {
        guard let target else { return count(row) }
        var count = 0
        forEach(row) { element in
            if target.matches(element) { count += 1 }
            return true
        }
        return count
    }
}
