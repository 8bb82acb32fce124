internal import CairnLMDB

/// An open LMDB file with its databases.
final class LMDBFile {
    let environment: Environment
    /// Row number to ``MissionRecord``.
    let missions: Database
    /// 12-byte key to row number.
    let missionKeys: Database
    /// Row number to ``ListRecord``.
    let lists: Database
    /// 12-byte key to row number.
    let listKeys: Database
    /// A mission's row number to that of its list.
    let backlinks: Database

    init(path: String) throws {
        // As SQLite's NORMAL: a power cut may undo the last commit and damages nothing.
        environment = try Environment.open(
            path: path, options: Environment.Options(mapByteCount: 8 << 30, syncs: .noMetaSync))
        let transaction = try environment.beginWrite()
        missions = try Self.database("missions", [.integerKeys], in: transaction)
        missionKeys = try Self.database("mission-keys", [], in: transaction)
        lists = try Self.database("lists", [.integerKeys], in: transaction)
        listKeys = try Self.database("list-keys", [], in: transaction)
        backlinks = try Self.database("backlinks", [.integerKeys], in: transaction)
        try transaction.commit()
    }

    private static func database(
        _ name: String, _ options: DatabaseOptions, in transaction: borrowing WriteTransaction
    ) throws -> Database {
        guard let database = try transaction.openDatabase(named: name, options.union(.create)) else {
            throw WrongResult(description: "LMDB does not make the database \(name)")
        }
        return database
    }
}

extension UnsafeRawBufferPointer {
    /// A row number that is stored as a value.
    var rowNumber: UInt64 { loadUnaligned(as: UInt64.self) }
}

extension Optional {
    /// The value, where its absence would be a fault of the contender.
    func orMissing(_ what: String) throws -> Wrapped {
        guard let value = self else { throw WrongResult(description: "LMDB has no \(what)") }
        return value
    }
}
