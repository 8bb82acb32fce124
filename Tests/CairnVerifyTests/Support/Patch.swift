import CairnLMDB
import CairnStorage

/// Changes a closed data file behind the engine's back, through LMDB: what is stored is sound for LMDB, and
/// carries the right checksum unless it is asked not to.
final class Patch {
    enum Name: String, CaseIterable {
        case catalog, chunks, ordered, values, changes

        var options: DatabaseOptions { self == .catalog || self == .ordered ? [] : .integerKeys }
    }

    private let environment: Environment
    private var databases: [Name: Database] = [:]

    /// - Parameter path: a data file that nobody has open.
    init(_ path: String) throws {
        environment = try Environment.open(
            path: path, options: .init(mapByteCount: 1 << 28, syncs: .noSync, usesLockFile: false))
        let transaction = try environment.beginRead()
        for name in Name.allCases {
            databases[name] = try transaction.openDatabase(named: name.rawValue, name.options)
        }
    }

    /// Makes an LMDB file that is no Cairn database.
    static func makeForeignFile(_ path: String) throws {
        let environment = try Environment.open(
            path: path, options: .init(mapByteCount: 1 << 28, usesLockFile: false))
        let transaction = try environment.beginWrite()
        _ = try transaction.openDatabase(named: "somebody's", .create)
        try transaction.commit()
    }

    private func database(_ name: Name) -> Database {
        guard let database = databases[name] else { preconditionFailure("the file has no \(name)") }
        return database
    }

    // MARK: By any key

    /// The keys of a database, in order.
    func keys(_ name: Name) throws -> [[UInt8]] {
        let transaction = try environment.beginRead()
        var keys: [[UInt8]] = []
        var cursor = try transaction.cursor(database(name))
        while let entry = try cursor.next() { keys.append(Array(entry.key)) }
        return keys
    }

    func bytes(_ name: Name, _ key: [UInt8]) throws -> [UInt8]? {
        let transaction = try environment.beginRead()
        return try key.withBytes { key throws(LMDBError) in
            try transaction.get(database(name), key).map(Array.init)
        }
    }

    func put(_ name: Name, _ key: [UInt8], _ value: [UInt8]) throws {
        let transaction = try environment.beginWrite()
        try key.withBytes { key throws(LMDBError) in
            try value.withBytes { value throws(LMDBError) in try transaction.put(database(name), key, value) }
        }
        try transaction.commit()
    }

    func remove(_ name: Name, _ key: [UInt8]) throws {
        let transaction = try environment.beginWrite()
        try key.withBytes { key throws(LMDBError) in _ = try transaction.delete(database(name), key) }
        try transaction.commit()
    }

    // MARK: Sealed records

    static func seed(_ name: Name, _ key: [UInt8]) -> UInt64 {
        name == .catalog ? key.withUnsafeBytes { ByteHash.hash($0, seed: 0) } : key.load(at: 0)
    }

    /// Changes a record, and closes it again.
    func edit(_ name: Name, _ key: [UInt8], isSealed: Bool = true, _ change: (inout [UInt8]) -> Void) throws {
        guard var record = try bytes(name, key) else {
            preconditionFailure("there is no such record in \(name)")
        }
        change(&record)
        if isSealed { RecordSeal.close(&record, seed: Self.seed(name, key)) }
        try put(name, key, record)
    }

    func add(_ name: Name, _ key: [UInt8], _ record: [UInt8]) throws {
        var record = record
        RecordSeal.close(&record, seed: Self.seed(name, key))
        try put(name, key, record)
    }

    static func key(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
    static func key(_ chunk: ChunkKey) -> [UInt8] { key(chunk.value) }

    static func key(_ tag: Character, _ space: SpaceID) -> [UInt8] {
        [tag.asciiValue ?? 0, UInt8(space.value >> 8), UInt8(truncatingIfNeeded: space.value)]
    }

    func edit(_ chunk: ChunkKey, isSealed: Bool = true, _ change: (inout [UInt8]) -> Void) throws {
        try edit(.chunks, Self.key(chunk), isSealed: isSealed, change)
    }

    func bytes(_ chunk: ChunkKey) throws -> [UInt8] { try bytes(.chunks, Self.key(chunk)) ?? [] }
}
