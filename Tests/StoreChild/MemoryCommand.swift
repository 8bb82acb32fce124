import CairnStorage
import Foundation

/// Many small transactions, alone in a process, so that nothing else changes its memory.
enum MemoryCommand {
    /// Arguments: the path, the number of transactions. Prints by how many bytes `RssAnon` has grown.
    static func run(_ arguments: [String]) {
        report {
            let store = try Store.open(StoreOptions(path: arguments[0], durability: .none))
            let session = try store.makeSession()
            try store.write(session) { try makeTable(session) }
            try write(2_000, store, session)
            let before = try anonymousByteCount()
            try write(Int(arguments[1]) ?? 0, store, session)
            say("grown by: \(try anonymousByteCount() - before)")
        }
    }

    private static func makeTable(_ session: Session) throws {
        let table = try session.createTable("T")
        try session.addColumn(.init("n", .int), to: table.definition.space)
        try session.addColumn(.init("text", .string), to: table.definition.space)
        try session.addIndex(.ordered, on: [table.definition.columns[0].id], of: table.definition.space)
        for _ in 0..<1_000 { _ = try table.insert() }
    }

    private static func write(_ count: Int, _ store: Store, _ session: Session) throws {
        for number in 0..<count {
            try store.write(session) {
                guard let table = try session.table(named: "T") else { return }
                let row = RowKey(UInt64(number % 1_000))
                try table.set(row, 0, Int64(number))
                let length = number % 97 == 0 ? 1_200 : number % 100
                try table.setText(row, 1, String(repeating: "x", count: length))
            }
            guard number % 10 == 0, let table = try session.table(named: "T") else { continue }
            // Read, so that snapshots hold what they decode.
            _ = try table.rows(ordered: 0, limit: 5)
            _ = table.string(RowKey(500), 1)
        }
    }

    /// `RssAnon`: pages of mapped files do not count.
    private static func anonymousByteCount() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
            let kilobytes = Int(line.split(separator: " ")[1])
        else { return 0 }
        return kilobytes << 10
    }
}
