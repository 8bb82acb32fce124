internal import CairnStorage

/// Making nodes of bound conditions.
extension QueryContext {
    func node(_ condition: BoundCondition, _ table: SessionTable) throws(StorageError) -> MaskNode {
        switch condition {
        case .constant(let value): return ConstantNode(value)
        case .not(let inner): return NotNode(try node(inner, table))
        case .and(let parts): return AndNode(try nodes(parts, table))
        case .or(let parts): return OrNode(try nodes(parts, table))
        case .rows(let rows): return RowsNode(rows)
        case .value(let column, let bound):
            return columnNode(table, try position(of: column, in: table), bound.test)
        case .link(let column, let target, let inner, let whenNil):
            return LinkNode(
                table, try position(of: column, in: table), try matcher(inner, target), whenNil: whenNil)
        case .anyElement(let elements, let inner):
            guard let target = elements.target else {
                preconditionFailure("a condition on objects was bound to values")
            }
            return AnyElementNode(try reader(elements, table), try matcher(inner, target))
        case .anyValue(let column, let bound):
            return AnyValueNode(
                ElementReader(table, try position(of: column, in: table), self), bound.test)
        case .count(let elements, let inner, let bound):
            return try countNode(elements, inner, bound.test, table)
        case .aggregate(let aggregate, let bound):
            return AggregateNode(try AggregateReader(aggregate, table, self), bound.test)
        case .comparison(let left, let relation, let right, let folding):
            return ComparisonNode(
                try ScalarReader(left, table, self), relation, try ScalarReader(right, table, self), folding)
        }
    }

    private func nodes(_ parts: [BoundCondition], _ table: SessionTable) throws(StorageError) -> [MaskNode] {
        var result: [MaskNode] = []
        for part in parts { result.append(try node(part, table)) }
        return result
    }

    private func reader(_ elements: BoundElements, _ table: SessionTable) throws(StorageError)
        -> ElementReader
    {
        ElementReader(table, try position(of: elements.column, in: table), self)
    }

    private func countNode(
        _ elements: BoundElements, _ inner: BoundCondition?, _ test: ValueTest, _ table: SessionTable
    ) throws(StorageError) -> MaskNode {
        let reader = try reader(elements, table)
        if let emptiness = test.emptiness {
            guard let inner, let target = elements.target else {
                return EmptinessNode(reader, isEmpty: emptiness)
            }
            // Whether one fits, and not how many.
            let any = AnyElementNode(reader, try matcher(inner, target))
            return emptiness ? NotNode(any) : any
        }
        var target: TargetMatcher?
        if let inner, let space = elements.target { target = try matcher(inner, space) }
        return CountNode(reader, target, test)
    }

    private func columnNode(_ table: SessionTable, _ position: Int, _ test: ValueTest) -> MaskNode {
        let kind = table.definition.columns[position].kind
        switch test.kind {
        case .nothing where kind == .link, .everything where kind == .link:
            return WordSetNode(
                table, position, [],
                ValueTest(
                    .nothing, isNegated: (test.kind == .everything) != test.isNegated,
                    acceptsNull: test.acceptsNull),
                isLink: true)
        case .nothing: return EveryValueNode(table, position, false, test)
        case .everything: return EveryValueNode(table, position, true, test)
        case .bool(let wanted): return BoolNode(table, position, wanted, test)
        case .int(let range): return IntRangeNode(table, position, range, test)
        case .double(let range): return DoubleRangeNode(table, position, range, test)
        case .float(let range): return FloatRangeNode(table, position, range, test)
        case .words(let words): return WordSetNode(table, position, words, test, isLink: kind == .link)
        case .text(let text):
            return text.folding.isEmpty
                ? TextNode(table, position, text, test) : FoldedTextNode(table, position, text, test, folded)
        case .bytes(let identifiers):
            return IdentifierSetNode(
                table, position, identifiers, test, width: kind.elementByteCount ?? 16)
        case .doubles, .decimal, .decimals:
            return FixedNode(
                table, position, test, width: kind.elementByteCount ?? 8)
        }
    }
}

extension ValueTest {
    /// For a test of a count: true where it asks for none, false where it asks for one or more, nil for
    /// anything else.
    var emptiness: Bool? {
        guard case .int(let range) = kind else { return nil }
        let takesZero = range.contains(0)
        let takesOthers = range.upperBound == .max && range.lowerBound <= 1
        let takesNoOthers = range.upperBound <= 0
        if takesZero, takesNoOthers { return !isNegated }
        if !takesZero, takesOthers { return isNegated }
        return nil
    }
}
