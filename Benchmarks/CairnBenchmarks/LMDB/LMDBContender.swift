internal import CairnLMDB
internal import Foundation

/// Bare LMDB with a record a row, encoded by hand: about as fast as a row store on LMDB can be.
///
/// No schema, no checks, no change tracking: a floor, not a database. A row's number is its place in
/// the data set.
final class LMDBContender: Contender {
    static let name = "lmdb"

    let data: Dataset
    /// Where records are put together before LMDB copies them.
    let scratch = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(MissionRecord.longestByteCount, ListRecord.longestByteCount), alignment: 16)
    private let path: String
    private var openFile: LMDBFile?

    init(directory: String, data: Dataset) throws {
        self.data = data
        path = "\(directory)/lmdb.db"
        openFile = try LMDBFile(path: path)
    }

    deinit {
        scratch.deallocate()
    }

    /// The open file.
    func file() throws -> LMDBFile {
        try openFile.orMissing("open file")
    }

    func open(times: Int) throws -> Answer {
        openFile = nil
        var answer = Answer()
        for time in 0..<times {
            let environment = try Environment.open(
                path: path, options: Environment.Options(mapByteCount: 8 << 30, syncs: .noMetaSync))
            let transaction = try environment.beginRead()
            let keys = try transaction.openDatabase(named: "mission-keys", []).orMissing("keys")
            let missions = try transaction.openDatabase(named: "missions", .integerKeys).orMissing("missions")
            let row = try transaction.get(keys, data.missions[data.lookups[time]].key).orMissing("key")
            let record = try transaction.get(missions, row.rowNumber).orMissing("mission")
            answer.sum += MissionRecord(bytes: record).startTime
            answer.count += 1
        }
        openFile = try LMDBFile(path: path)
        return answer
    }

    func byteCount() throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    func close() throws {
        openFile = nil
    }
}
