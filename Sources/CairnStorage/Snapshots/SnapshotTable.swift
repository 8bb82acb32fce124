/// One table at one version: its definition, its state and where its chunks are.
package final class SnapshotTable: Sendable {
    package let definition: TableDefinition
    package let state: TableState
    /// The directory's, then one a column, in the definition's order.
    let columns: [SharedBlockTable]
    /// One an index; empty for ordered ones.
    let buckets: [SharedBlockTable]

    init(definition: TableDefinition, state: TableState) {
        self.definition = definition
        self.state = state
        columns = (0...definition.columns.count).map { _ in
            SharedBlockTable(firstBlock: state.firstBlock, blockLimit: state.blockLimit)
        }
        buckets = zip(definition.indexes, state.indexes).map { index, state in
            SharedBlockTable(firstBlock: 0, blockLimit: index.kind == .hash ? state.hash.bucketCount : 0)
        }
    }
}
