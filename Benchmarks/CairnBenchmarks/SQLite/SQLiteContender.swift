internal import Foundation

/// SQLite through its C interface: prepared statements, WAL, `synchronous=NORMAL`, everything else as
/// it comes (a page cache of 2 MB, a checkpoint each 1,000 pages).
///
/// A table with an integer key of its own and an index on the 12-byte key, so that links are integers;
/// a row's integer key is its place in the data set plus one. Links are a table clustered by list, with
/// an index for the way back.
final class SQLiteContender: Contender {
    static let name = "sqlite"

    let data: Dataset
    private let path: String
    var connection: SQLiteConnection

    private static let schema = """
        CREATE TABLE mission (
            pk INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, todayDate REAL NOT NULL, wakeUpTime REAL,
            startTime REAL NOT NULL, endTime REAL NOT NULL, mission TEXT NOT NULL,
            missionComplete INTEGER NOT NULL);
        CREATE TABLE datelist (pk INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, today REAL NOT NULL);
        CREATE TABLE link (
            list INTEGER NOT NULL, position INTEGER NOT NULL, mission INTEGER NOT NULL,
            PRIMARY KEY (list, position)) WITHOUT ROWID;
        CREATE INDEX link_mission ON link (mission);
        CREATE TABLE reading (
            pk INTEGER PRIMARY KEY, value REAL NOT NULL, flag INTEGER NOT NULL, label TEXT NOT NULL,
            time REAL NOT NULL);
        CREATE INDEX reading_label ON reading (label);
        CREATE INDEX reading_time ON reading (time);
        """

    init(directory: String, data: Dataset) throws {
        self.data = data
        path = "\(directory)/sqlite.db"
        connection = try Self.connect(path)
        try connection.run(Self.schema)
    }

    /// Another connection to the same file.
    func connectAgain() throws -> SQLiteConnection { try Self.connect(path) }

    private static func connect(_ path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path)
        try connection.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        return connection
    }

    func open(times: Int) throws -> Answer {
        var answer = Answer()
        try reopen {
            for time in 0..<times {
                let another = try Self.connect(path)
                let statement = try another.prepare("SELECT startTime FROM mission WHERE id = ?")
                statement.bind(blob: data.missions[data.lookups[time]].key, at: 1)
                try statement.one { answer.sum += statement.double(0) }
                answer.count += 1
            }
        }
        return answer
    }

    /// Closes the database for as long as the body runs.
    private func reopen(_ body: () throws -> Void) throws {
        connection = try SQLiteConnection(path: ":memory:")
        try body()
        connection = try Self.connect(path)
    }

    func byteCount() throws -> Int {
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    func close() throws {
        connection = try SQLiteConnection(path: ":memory:")
    }

    func prepare(_ sql: String) throws -> SQLiteStatement {
        try connection.prepare(sql)
    }

    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.transaction(body)
    }

    /// Makes the commits of the body durable ones.
    func durably<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.run("PRAGMA synchronous = FULL")
        let result = try body()
        try connection.run("PRAGMA synchronous = NORMAL")
        return result
    }
}
