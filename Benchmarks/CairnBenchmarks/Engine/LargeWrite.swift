internal import CairnStorage
internal import Foundation

/// One write that inserts very many missions, and the anonymous memory it takes: what a write holds
/// besides mapped pages of the file, which the system can take back.
struct LargeWrite {
    let rowCount: Int
    let directory: String

    /// Inserts, commits, and prints the time and the largest `RssAnon` that was seen.
    func run() throws {
        let path = "\(directory)/large.cairn"
        let store = try Store.open(StoreOptions(path: path))
        let session = try store.makeSession()
        let before = Self.anonymousByteCount()
        var largest = before
        let clock = ContinuousClock()
        let start = clock.now
        try store.write(session, durability: .lastCommitAtRisk) {
            let missions = try makeTable(session)
            for number in 0..<rowCount {
                try insert(number, into: missions)
                if number % 100_000 == 0 { largest = max(largest, Self.anonymousByteCount()) }
            }
            largest = max(largest, Self.anonymousByteCount())
        }
        largest = max(largest, Self.anonymousByteCount())
        let seconds = (clock.now - start) / .seconds(1)
        let missions = try session.table(named: "MissionData")
        guard missions?.rowCount == rowCount else { throw WrongResult(description: "rows are missing") }
        print("\(rowCount) rows in one write: \(Int(seconds * 1e9) / rowCount) ns a row")
        print("RssAnon: \(before >> 20) MiB before, at most \(largest >> 20) MiB in the write")
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        print("file: \(size / rowCount) bytes a row")
    }

    private func makeTable(_ session: Session) throws -> SessionTable {
        let missions = try session.createTable("MissionData")
        let space = missions.definition.space
        for column in EngineContender.Columns.missions { try session.addColumn(column, to: space) }
        let id = missions.definition.columns[EngineContender.Columns.id].id
        try session.addIndex(.hash, on: [id], of: space, isUnique: true, isPrimaryKey: true)
        return missions
    }

    private func insert(_ number: Int, into missions: SessionTable) throws {
        let key = (UInt64(number / 1_000).bigEndian, UInt32(truncatingIfNeeded: number).bigEndian)
        let row = try withUnsafeBytes(of: key) { bytes in
            try missions.insert(key: UnsafeRawBufferPointer(rebasing: bytes[..<Dataset.keyByteCount]))
        }
        // Spread over the days by a multiplication: rising times would pack better than real ones do.
        let time = Double(UInt64(number) &* 0x9E37_79B9_7F4A_7C15 >> 34) / 4
        typealias Columns = EngineContender.Columns
        try missions.set(row, Columns.todayDate, time)
        if number % 4 == 0 {
            try missions.setNull(row, Columns.wakeUpTime)
        } else {
            try missions.set(row, Columns.wakeUpTime, time + 1)
        }
        try missions.set(row, Columns.startTime, time + 2)
        try missions.set(row, Columns.endTime, time + 3)
        try missions.setText(row, Columns.mission, "run \(number % 1_000_003) km")
        try missions.setBool(row, Columns.missionComplete, number % 3 == 0)
    }

    /// `RssAnon` of this process.
    static func anonymousByteCount() -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") })
        else { return 0 }
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
    }
}
