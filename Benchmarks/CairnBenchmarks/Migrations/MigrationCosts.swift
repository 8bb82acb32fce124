internal import Cairn
internal import Foundation

/// What it costs to carry a file of missions over to other classes, beside what SQLite takes for the same.
///
/// Each figure is the median of several rounds, each on a fresh copy of one file. What is found
/// afterwards is compared.
struct MigrationCosts {
    private static let roundCount = 5

    let rowCount: Int
    let directory: String
    /// Whether SQLite does the same.
    let isCompared: Bool

    private var cairnPath: String { "\(directory)/cairn/objects.cairn" }
    private var sqlitePath: String { "\(directory)/sqlite/sqlite.db" }

    func run() throws {
        let data = Dataset(rowCount: rowCount)
        let contenders: [any Contender.Type] =
            [CairnContender.self] + (isCompared ? [SQLiteContender.self] : [])
        for type in contenders {
            let folder = "\(directory)/\(type.name)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let contender = try type.init(directory: folder, data: data)
            _ = try contender.insertBulk()
            _ = try contender.byteCount()
            try contender.close()
        }
        print("\(rowCount) rows, milliseconds, medians of \(Self.roundCount) rounds")
        print("migration                        cairn    sqlite     ratio")
        try report(
            "add a property", { try migrate([Wider.MissionData.self, Wider.DateListData.self]) },
            "ALTER TABLE mission ADD COLUMN startMinutes INTEGER NOT NULL DEFAULT 7")
        try report(
            "remove a property", { try migrate([Narrower.MissionData.self, Narrower.DateListData.self]) },
            "ALTER TABLE mission DROP COLUMN mission")
        try report(
            "add a class", { try migrate([MissionData.self, DateListData.self, NewClass.self]) },
            "CREATE TABLE new (number INTEGER NOT NULL, text TEXT NOT NULL)")
        // Of a class that is left out everything stays.
        try report("remove a class", { try migrate([NewClass.self]) }, nil)
        try report("copy a property into another type", copy, Self.copySQL)
        print(
            "RssAnon: \(memory.before >> 20) MiB before copying, at most \(memory.largest >> 20) MiB meanwhile"
        )
    }

    /// Anonymous memory: mapped pages of the file can be taken back by the system.
    private final class Memory: @unchecked Sendable {
        // @unchecked: used by the thread that migrates alone.
        var before = 0
        var largest = 0
    }

    private let memory = Memory()

    private static let copySQL = """
        ALTER TABLE mission ADD COLUMN startMinutes INTEGER NOT NULL DEFAULT 0;
        UPDATE mission SET startMinutes = CAST(startTime / 60 AS INTEGER)
        """

    // MARK: Measuring

    private func report(_ name: String, _ cairn: () throws -> Void, _ sql: String?) throws {
        var mine: [Double] = []
        var others: [Double] = []
        for _ in 0..<Self.roundCount {
            try refresh(cairnPath)
            mine.append(try milliseconds(cairn))
            guard let sql, isCompared else { continue }
            try refresh(sqlitePath)
            // Opening is a part of it for both.
            others.append(
                try milliseconds {
                    let connection = try connect()
                    try connection.transaction { try connection.run(sql) }
                })
        }
        if sql == Self.copySQL, isCompared { try compare() }
        let other = others.isEmpty ? "" : String(format: "%9.1f", median(others))
        let ratio = others.isEmpty ? "" : String(format: "%9.1f", median(others) / median(mine))
        print(
            name.padding(toLength: 34, withPad: " ", startingAt: 0)
                + String(format: "%9.1f", median(mine)) + other + ratio)
    }

    /// A fresh copy, whose pages are on the disk: what is measured begins with nothing to be written.
    private func refresh(_ path: String) throws {
        for suffix in ["", "-lock", "-presence", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + ".copy" + suffix)
        }
        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        sync()
    }

    private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

    // MARK: Doing it

    private func configuration(_ types: [ObjectBase.Type]) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: cairnPath + ".copy"), schemaVersion: 1, objectTypes: types)
        configuration.durability = .lastCommitAtRisk
        return configuration
    }

    private func migrate(_ types: [ObjectBase.Type]) throws {
        try Realm.performMigration(for: configuration(types))
    }

    private func copy() throws {
        memory.before = LargeWrite.anonymousByteCount()
        memory.largest = memory.before
        var configuration = configuration([Wider.MissionData.self, Wider.DateListData.self])
        configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "MissionData") { old, new in
                guard let start = old?["startTime"] as? Date else { return }
                new?["startMinutes"] = Int(start.timeIntervalSinceReferenceDate / 60)
            }
        }
        configuration.migrationProgress = { [memory] _, _ in
            memory.largest = max(memory.largest, LargeWrite.anonymousByteCount())
        }
        try Realm.performMigration(for: configuration)
        memory.largest = max(memory.largest, LargeWrite.anonymousByteCount())
    }

    private func connect() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: sqlitePath + ".copy")
        try connection.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        return connection
    }

    /// Both have the same in the copied property.
    private func compare() throws {
        let realm = try Realm(
            configuration: configuration([Wider.MissionData.self, Wider.DateListData.self]))
        var sum = 0
        for mission in realm.objects(Wider.MissionData.self) { sum += mission.startMinutes }
        let statement = try connect().prepare("SELECT sum(startMinutes) FROM mission")
        var expected = 0
        try statement.one { expected = statement.int(0) }
        guard sum == expected, sum != 0 else {
            throw WrongResult(description: "the copied property sums to \(sum), and to \(expected) in SQLite")
        }
    }
}

/// The missions with a property more.
private enum Wider {
    final class MissionData: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var todayDate: Date
        @Persisted var wakeUpTime: Date?
        @Persisted var startTime: Date
        @Persisted var endTime: Date
        @Persisted var mission: String
        @Persisted var missionComplete: Bool
        @Persisted var startMinutes = 7

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class DateListData: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var mission: List<MissionData>
        @Persisted var today: Date

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

/// The missions with a property less.
private enum Narrower {
    final class MissionData: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var todayDate: Date
        @Persisted var wakeUpTime: Date?
        @Persisted var startTime: Date
        @Persisted var endTime: Date
        @Persisted var missionComplete: Bool

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class DateListData: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var mission: List<MissionData>
        @Persisted var today: Date

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private final class NewClass: Object {
    @Persisted var number: Int
    @Persisted var text: String
}
