package import CairnStorage

/// Carries a query out in a session.
package struct QueryEvaluation {
    let query: QueryDescription
    let context: QueryContext
    let table: SessionTable

    /// - Throws: `notFound` where the class is gone.
    package init(_ query: QueryDescription, _ context: QueryContext) throws(StorageError) {
        self.query = query
        self.context = context
        table = try context.session.table(query.table)
    }

    /// The rows, in their order.
    ///
    /// - Complexity: O(rows of the class), at some nanoseconds a row; with an index, O(rows found).
    package func rows() throws(StorageError) -> [RowKey] {
        if let rows = try indexedOrder() { return rows }
        var rows = try matchingRows()
        var steps = query.steps[...]
        while let step = steps.popFirst() {
            switch step {
            case .sort(let keys):
                var limit = Int.max
                if case .limit(let offset, let count)? = steps.first { limit = offset.addingClamped(count) }
                rows = try RowSorter(keys, rows, table, context).sorted(limit: limit)
            case .distinct(let paths):
                var grouper = try RowGrouper(paths, table, context)
                rows = rows.filter { grouper.group(of: $0).isNew }
            case .limit(let offset, let count):
                let start = min(offset, rows.count)
                rows = Array(rows[start..<min(rows.count, start.addingClamped(count))])
            }
        }
        try context.throwFailure()
        return rows
    }

    /// The number of rows, without making them where that can be helped.
    package func count() throws(StorageError) -> Int {
        let keepsCount = query.steps.allSatisfy { if case .sort = $0 { true } else { false } }
        guard keepsCount else { return try rows().count }
        if query.base == .table, query.condition == .constant(true) { return table.rowCount }
        guard query.base == .table, let scan = try plan().scan else { return try matchingRows().count }
        var count = 0
        scan.forEachMask { _, mask in
            count &+= mask.count
            return true
        }
        try context.throwFailure()
        return count
    }

    /// The first row, without looking for the others where that can be helped.
    package func first() throws(StorageError) -> RowKey? {
        guard query.steps.isEmpty, query.base == .table, let scan = try plan().scan else {
            return try QueryEvaluation(query.adding(.limit(offset: 0, count: 1)), context).rows().first
        }
        var first: RowKey?
        scan.forEachMask { block, mask in
            first = mask.first.map { RowKey(block: block, slot: $0) }
            return first == nil
        }
        try context.throwFailure()
        return first
    }

    // MARK: Finding

    /// The rows that fit, in the order of the base.
    func matchingRows() throws(StorageError) -> [RowKey] {
        if let base = try baseRows() {
            if query.condition == .constant(true) { return base }
            let matcher = try context.matcher(query.condition, query.table)
            let rows = base.filter { matcher.matches($0) }
            try context.throwFailure()
            return rows
        }
        let plan = try plan()
        if let found = plan.found { return found }
        var rows: [RowKey] = []
        plan.scan?.forEachMask { block, mask in
            rows.append(contentsOf: mask, of: block)
            return true
        }
        try context.throwFailure()
        return rows
    }

    /// The rows that the query begins with; nil for all of the class.
    private func baseRows() throws(StorageError) -> [RowKey]? {
        switch query.base {
        case .table: return nil
        case .query(let inner): return try QueryEvaluation(inner.query, context).rows()
        case .elements(let owner, let row, let column):
            let owner = try context.session.table(owner)
            guard owner.contains(row) else { return [] }
            let reader = ElementReader(owner, try context.position(of: column, in: owner), context)
            var rows: [RowKey] = []
            reader.forEach(row) { element in
                // A link out of damaged bytes may name a row that there never was.
                if element.value < table.rowKeyLimit { rows.append(element) }
                return true
            }
            try context.throwFailure()
            return rows
        }
    }

    /// How the rows of a class are found.
    struct Plan {
        /// By an index: the rows that fit.
        var found: [RowKey]?
        /// Block by block.
        var scan: Scan?
        /// In words, where they were wanted.
        let text: [String]
    }

    /// - Parameter isExplaining: whether it is wanted in words.
    func plan(isExplaining: Bool = false) throws(StorageError) -> Plan {
        let limit = max(64, table.rowCount / QueryLimits.scanRowsPerIndexRow)
        let search = IndexSearch(context: context)
        guard query.condition != .constant(true),
            let candidates = try search.candidates(query.condition, table, limit: limit)
        else {
            let node = try context.node(query.condition, table)
            var text: [String] = []
            if isExplaining {
                text = ["scan all rows of \(table.definition.name)"]
                if query.condition != .constant(true) {
                    text += PlanText(context).lines(query.condition, table, node)
                }
            }
            return Plan(scan: Scan(table: table, node: node), text: text)
        }
        var text = isExplaining ? ["find rows of \(table.definition.name) \(candidates.text())"] : []
        guard let remaining = candidates.remaining else { return Plan(found: candidates.rows, text: text) }
        let node = try context.node(remaining, table)
        if isExplaining { text += PlanText(context).lines(remaining, table, node) }
        return Plan(found: Scan(table: table, node: node).filter(candidates.rows), text: text)
    }

    /// The rows of an ordered index, where the query is the first ones in its order.
    private func indexedOrder() throws(StorageError) -> [RowKey]? {
        guard let index = try orderedIndex(), case .limit(let offset, let count)? = query.steps.last else {
            return nil
        }
        let wanted = offset.addingClamped(count)
        let rows = try table.rows(
            ordered: index.place, .all, descending: !index.key.isAscending, limit: wanted)
        return Array(rows.dropFirst(offset))
    }

    /// An index in whose order the query's first rows are wanted; nil where sorting is as good.
    func orderedIndex() throws(StorageError) -> (place: Int, key: SortKey)? {
        guard query.base == .table, query.condition == .constant(true), query.steps.count == 2,
            case .sort(let keys) = query.steps[0], keys.count == 1, let key = keys.first,
            case .limit(let offset, let count) = query.steps[1],
            offset.addingClamped(count) <= max(64, table.rowCount / QueryLimits.scanRowsPerIndexRow),
            key.path.links.isEmpty, key.collation == .bytes, key.nilPlace == .automatic
        else { return nil }
        for (place, index) in table.definition.indexes.enumerated()
        where index.kind == .ordered && index.columns == [key.path.column] {
            return (place, key)
        }
        return nil
    }
}

extension Int {
    /// The sum, or the largest integer where that is too large.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
