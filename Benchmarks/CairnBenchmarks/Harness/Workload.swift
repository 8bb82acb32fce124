/// A piece of work that every contender does, with what it must answer and how fast Cairn means to be.
struct Workload: Sendable {
    enum Kind: Sendable {
        /// Changes nothing: repeated until the time is long enough to be read off a clock.
        case reads
        /// Changes the database that the later workloads find.
        case changes
        /// Starts from an empty database of its own.
        case startsEmpty
        /// Answers with the size of the file; there is no time.
        case size
    }

    /// What it is called when Cairn does it through its public API.
    let name: String
    /// What it is called when the engine does it, without objects.
    let engineName: String
    let kind: Kind
    /// What Cairn's ratio to SQLite has to reach, through its public API; nil where there is no bar.
    let bar: Double?
    /// Whether the public API has it: what it lacks is the engine's alone.
    var isEngineOnly = false
    /// Whether it is for contenders that carry out queries: Cairn's public API and SQLite.
    var isQuery = false
    /// Whether dirty pages of earlier work must be on the disk before it starts.
    var isDurable = false
    /// How many operations one run is.
    let operationCount: @Sendable (Dataset) -> Int
    let run: @Sendable (any Contender) throws -> Answer
    let expect: @Sendable (inout Expectation) -> Answer

    /// The engine has to pass the bar by this factor, which is the object layer's room.
    static let room = 1.3
    static let openCount = 50

    /// What the engine's ratio has to reach; for the size, not to pass.
    var engineBar: Double? {
        kind == .size ? bar : bar.map { $0 * Self.room }
    }

    /// One line of the results: the workload as the public API or as the engine does it.
    struct Entry {
        let name: String
        /// Who stands for Cairn.
        let contender: String
        let bar: Double?
    }

    var entries: [Entry] {
        if isQuery { return [Entry(name: name, contender: "cairn", bar: bar)] }
        let engine = Entry(name: engineName, contender: "engine", bar: engineBar)
        return isEngineOnly ? [engine] : [Entry(name: name, contender: "cairn", bar: bar), engine]
    }

    /// `yes` or `NO`; nil where there is nothing to be reached.
    func reaches(_ bar: Double?, _ ratio: Double?) -> String? {
        guard let bar, let ratio else { return nil }
        return (kind == .size ? ratio <= bar : ratio >= bar) ? "yes" : "NO"
    }

    /// In the order they are run in: each finds what those before it have left.
    static let all: [Workload] =
        [
            Workload(
                name: "insert_bulk", engineName: "insert_bulk_engine", kind: .changes, bar: 4,
                operationCount: \.rowCount,
                run: { try $0.insertBulk() }, expect: { $0.insertBulk() }),
            Workload(
                name: "size", engineName: "size_engine", kind: .size, bar: 1, operationCount: \.rowCount,
                run: { try Answer(count: $0.byteCount()) }, expect: { _ in Answer() }),
            Workload(
                name: "open", engineName: "open_engine", kind: .reads, bar: 1,
                operationCount: { _ in openCount },
                run: { try $0.open(times: openCount) }, expect: { $0.open(times: openCount) }),
            Workload(
                name: "lookup_pk", engineName: "lookup_pk_engine", kind: .reads, bar: 6,
                operationCount: \.lookups.count,
                run: { try $0.lookUp() }, expect: { $0.lookUp() }),
            Workload(
                name: "scan_engine", engineName: "scan_engine", kind: .reads, bar: 100, isEngineOnly: true,
                operationCount: \.rowCount,
                run: { try $0.aggregate() }, expect: { $0.scan() }),
            Workload(
                name: "scan_objects", engineName: "scan_rows_engine", kind: .reads, bar: 3,
                operationCount: \.rowCount,
                run: { try $0.scanRows() }, expect: { $0.scan() }),
            Workload(
                name: "insert_lists", engineName: "insert_lists_engine", kind: .changes, bar: 8,
                operationCount: \.lists.count,
                run: { try $0.insertLists() }, expect: { $0.insertLists() }),
            Workload(
                name: "lists", engineName: "lists_engine", kind: .reads, bar: 3, operationCount: \.rowCount,
                run: { try $0.followLists() }, expect: { $0.followLists() }),
            Workload(
                name: "backlinks", engineName: "backlinks_engine", kind: .reads, bar: 6,
                operationCount: \.rowCount,
                run: { try $0.followBacklinks() }, expect: { $0.followBacklinks() }),
        ] + queries + [
            Workload(
                name: "small_tx", engineName: "small_tx_engine", kind: .changes, bar: 0.55, isDurable: true,
                operationCount: { _ in Dataset.smallTransactionCount },
                run: { try $0.insertSmall() }, expect: { $0.insertSmall() })
        ] + [concurrent] + [
            Workload(
                name: "update_each", engineName: "update_each_engine", kind: .changes, bar: 10,
                operationCount: \.missions.count,
                run: { try $0.updateEach() }, expect: { $0.updateEach() }),
            Workload(
                name: "delete_half", engineName: "delete_half_engine", kind: .changes, bar: 4,
                operationCount: { $0.rowCount / 2 },
                run: { try $0.deleteHalf() }, expect: { $0.deleteHalf() }),
            Workload(
                name: "insert_tx1000", engineName: "insert_tx1000_engine", kind: .startsEmpty, bar: 2.5,
                operationCount: \.rowCount,
                run: { try $0.insertInThousands() }, expect: { $0.insertBulk() }),
            Workload(
                name: "insert_bulk_2idx", engineName: "insert_bulk_2idx_engine", kind: .startsEmpty, bar: 3,
                operationCount: \.rowCount,
                run: { try $0.insertIndexed() }, expect: { $0.insertBulk() }),
        ]

    /// The workloads that have to run for those of the given names to find what they need: reads that
    /// nobody asked for are left out, changes before an asked-for one are not.
    static func plan(for names: Set<String>) -> [Workload] {
        guard let last = all.lastIndex(where: { names.contains($0.name) && $0.kind != .startsEmpty }) else {
            return all.filter { names.contains($0.name) }
        }
        let hasQuery = queries.contains { names.contains($0.name) }
        return all.enumerated().filter { index, workload in
            names.contains(workload.name)
                || (workload.kind == .changes && index < last && (hasQuery || !workload.isQuery))
        }.map(\.element)
    }
}
