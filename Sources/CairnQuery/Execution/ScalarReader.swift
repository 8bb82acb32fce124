internal import CairnStorage

/// Reads the value that a `ScalarPath` leads to, row by row.
struct ScalarReader {
    private let links: LinkChain
    private let leaf: Leaf

    private enum Leaf {
        case column(position: Int, kind: ValueKind)
        case count(ElementReader, TargetMatcher?)
        case aggregate(AggregateReader)
        case row
    }

    init(_ path: ScalarPath, _ table: SessionTable, _ context: QueryContext) throws(StorageError) {
        links = try LinkChain(path.links, from: table, context)
        let table = links.end
        switch path.leaf {
        case .column(let id):
            let position = try context.position(of: id, in: table)
            leaf = .column(position: position, kind: table.definition.columns[position].kind)
        case .count(let elements, let inner):
            let reader = ElementReader(
                table, try context.position(of: elements.column, in: table), context)
            var target: TargetMatcher?
            if let inner, let space = elements.target { target = try context.matcher(inner, space) }
            leaf = .count(reader, target)
        case .aggregate(let aggregate):
            leaf = .aggregate(try AggregateReader(aggregate, table, context))
        case .row: leaf = .row
        }
    }

    func value(_ row: RowKey) -> ScalarValue {
        guard let row = links.follow(row) else { return whenNil }
        switch leaf {
        case .column(let position, let kind):
            return ScalarValue(links.end.storedBytes(row, position), kind)
        case .count(let elements, let target): return .int(Int64(elements.count(row, matching: target)))
        case .aggregate(let reader): return reader.value(row)
        case .row: return .int(Int64(bitPattern: row.value &+ 1))
        }
    }

    /// What there is where a link is nil: nothing to count, and nothing to add.
    private var whenNil: ScalarValue {
        switch leaf {
        case .column, .row: .null
        case .count: .int(0)
        case .aggregate(let reader): reader.valueOfNothing
        }
    }
}

/// Calculates over the elements of a row's collection.
struct AggregateReader {
    private let elements: ElementReader
    private let operation: BoundAggregate.Operation
    /// The objects' table and column; nil where the elements are values.
    private let target: (table: SessionTable, position: Int)?
    private let kind: ValueKind

    init(
        _ aggregate: BoundAggregate, _ table: SessionTable, _ context: QueryContext
    ) throws(StorageError) {
        let position = try context.position(of: aggregate.elements.column, in: table)
        elements = ElementReader(table, position, context)
        operation = aggregate.operation
        if let space = aggregate.elements.target, let column = aggregate.column {
            let other = try context.session.table(space)
            let place = try context.position(of: column, in: other)
            target = (other, place)
            kind = other.definition.columns[place].kind
        } else {
            target = nil
            kind = table.definition.columns[position].kind
        }
    }

    func value(_ row: RowKey) -> ScalarValue {
        var calculation = Calculation(operation, kind)
        if let target {
            elements.forEach(row) { element in
                // Out of damaged bytes.
                guard element.value < target.table.rowKeyLimit else { return true }
                calculation.add(ScalarValue(target.table.storedBytes(element, target.position), kind))
                return true
            }
        } else {
            elements.forEachValue(row) { value in
                calculation.add(ScalarValue(value, kind))
                return true
            }
        }
        return calculation.value
    }

    var valueOfNothing: ScalarValue { Calculation(operation, kind).value }
}

/// A calculation over a collection, compared with a constant.
final class AggregateNode: MaskNode {
    private let reader: AggregateReader
    private let matcher: ValueMatcher

    init(_ reader: AggregateReader, _ test: ValueTest) {
        self.reader = reader
        matcher = ValueMatcher(test)
        super.init(cost: 150)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        candidates.filtered { slot in matcher.matches(reader.value(RowKey(block: block, slot: slot))) }
    }
}

/// Two properties.
final class ComparisonNode: MaskNode {
    private let left: ScalarReader
    private let right: ScalarReader
    private let relation: ScalarRelation
    private let folding: TextFolding

    init(_ left: ScalarReader, _ relation: ScalarRelation, _ right: ScalarReader, _ folding: TextFolding) {
        self.left = left
        self.right = right
        self.relation = relation
        self.folding = folding
        super.init(cost: folding.isEmpty ? 60 : 500)
    }

    override func mask(_ block: UInt32, _ candidates: BlockBitmap) -> BlockBitmap {
        candidates.filtered { slot in
            let row = RowKey(block: block, slot: slot)
            return ScalarValue.holds(left.value(row), relation, right.value(row), folding)
        }
    }
}

extension ValueMatcher {
    /// Whether a calculated number fits.
    func matches(_ value: ScalarValue) -> Bool {
        switch value {
        case .null: matches(nil as UnsafeRawBufferPointer?)
        case .int(let number): withUnsafeBytes(of: number) { matches($0) }
        case .double(let number):
            // The smallest and the largest of floats is a float.
            if case .float = test.kind {
                withUnsafeBytes(of: Float(number)) { matches($0) }
            } else {
                withUnsafeBytes(of: number) { matches($0) }
            }
        case .decimal(let number): withUnsafeBytes(of: (number.low, number.high)) { matches($0) }
        case .bytes(let bytes): matches(bytes)
        }
    }
}
