internal import CairnStorage

/// Which objects count as modified by a change.
///
/// Found from the rows that were changed backwards along the links that lead to them, so that work follows the
/// change and not what is observed: a cycle is walked once.
struct ModificationRule {
    private let table: SpaceID
    /// nil: whatever changed in an object, or in one that is at most three links away.
    private let paths: [ObservedPath]?

    /// How far a change is seen through links where no paths are given, as in Realm.
    private static let depth = 3

    /// - Parameter paths: the properties that matter; nil for all.
    init(_ table: SpaceID, _ paths: [ObservedPath]?) {
        self.table = table
        self.paths = paths
    }

    /// The rows of the class that count as modified; also such as were deleted or inserted meanwhile.
    func modifiedRows(_ changes: ChangeSet, _ engine: Session) throws(StorageError) -> RowKeySet {
        guard let paths else { return try anythingNear(changes, engine) }
        var result = RowKeySet()
        for path in paths { result.formUnion(try Self.rows(at: path, changes, engine)) }
        return result
    }

    /// The rows from which a path leads to what has changed.
    static func rows(
        at path: ObservedPath, _ changes: ChangeSet, _ engine: Session
    ) throws(StorageError) -> RowKeySet {
        var result = RowKeySet()
        for place in path.steps.indices.reversed() {
            let step = path.steps[place]
            if let changed = changes.changes(of: step.table).modified[step.column] {
                result.formUnion(changed)
            }
            guard place > 0, !result.isEmpty else { continue }
            result = try before(path.steps[place - 1], result, engine)
        }
        return result
    }

    // MARK: Without paths

    private func anythingNear(_ changes: ChangeSet, _ engine: Session) throws(StorageError) -> RowKeySet {
        let links = Self.links(to: table, engine.schema)
        var result = RowKeySet()
        // What has changed in each class, and what leads there in so many steps.
        var near: [SpaceID: RowKeySet] = [:]
        for table in links.distances.keys {
            near[table] = Self.ownChanges(changes.changes(of: table), engine.schema[table])
        }
        result.formUnion(near[table] ?? RowKeySet())
        var seen = near
        for _ in 0..<Self.depth {
            var next: [SpaceID: RowKeySet] = [:]
            for link in links.steps {
                guard let target = link.target, let rows = near[target], !rows.isEmpty else { continue }
                let origins = try Self.before(link, rows, engine).subtracting(seen[link.table] ?? RowKeySet())
                guard !origins.isEmpty else { continue }
                next[link.table, default: RowKeySet()].formUnion(origins)
                seen[link.table, default: RowKeySet()].formUnion(origins)
            }
            result.formUnion(next[table] ?? RowKeySet())
            if next.isEmpty { break }
            near = next
        }
        return result
    }

    /// The rows that were changed in a column that the program sees.
    private static func ownChanges(_ changes: TableChanges, _ definition: TableDefinition?) -> RowKeySet {
        guard let definition else { return RowKeySet() }
        var result = RowKeySet()
        for (column, rows) in changes.modified {
            guard let position = definition.position(of: column), !definition.columns[position].isHidden
            else {
                continue
            }
            result.formUnion(rows)
        }
        return result
    }

    /// The links by which the objects of a class lead to others at most `depth` away, and those others'
    /// classes with their distances.
    private static func links(
        to table: SpaceID, _ schema: CairnStorage.Schema
    ) -> (steps: [ObservedPath.Step], distances: [SpaceID: Int]) {
        var distances = [table: 0]
        var steps: [ObservedPath.Step] = []
        var waiting = [table]
        while let origin = waiting.popLast() {
            guard let distance = distances[origin], distance < depth, let definition = schema[origin] else {
                continue
            }
            for column in definition.columns where column.holdsLinks {
                guard let target = column.target else { continue }
                let step = ObservedPath.Step(
                    table: origin, column: column.id, target: target, isInverse: false)
                if !steps.contains(step) { steps.append(step) }
                guard distances[target].map({ $0 > distance + 1 }) ?? true else { continue }
                distances[target] = distance + 1
                waiting.append(target)
            }
        }
        return (steps, distances)
    }

    // MARK: Backwards

    /// The rows of a step's class that lead to some rows of its target.
    private static func before(
        _ step: ObservedPath.Step, _ rows: RowKeySet, _ engine: Session
    ) throws(StorageError) -> RowKeySet {
        guard let target = step.target else { return RowKeySet() }
        let origins = try engine.table(step.table)
        let targets = try engine.table(target)
        guard let place = origins.definition.position(of: step.column) else { return RowKeySet() }
        let column = origins.definition.columns[place]
        var result = RowKeySet()
        if step.isInverse {
            // The target's own link leads here.
            guard let link = column.originColumn, let place = targets.definition.position(of: link) else {
                return result
            }
            for row in rows where targets.contains(row) {
                try insertTargets(of: row, place, targets, &result)
            }
        } else {
            guard let mirror = column.backlinkColumn, let place = targets.definition.position(of: mirror)
            else {
                return result
            }
            for row in rows where targets.contains(row) {
                for origin in targets.backlinks(row, place) { result.insert(origin) }
            }
        }
        return result
    }

    private static func insertTargets(
        of row: RowKey, _ position: Int, _ table: SessionTable, _ result: inout RowKeySet
    ) throws(StorageError) {
        if table.definition.columns[position].collection == .list {
            var found: [RowKey] = []
            try table.forEachLink(row, position) { target throws(StorageError) in found.append(target) }
            for target in found { result.insert(target) }
        } else if let target = table.link(row, position) {
            result.insert(target)
        }
    }
}
