import CairnLMDB
import CairnStorage
import Foundation

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Prints "ok", or the code of what `body` throws.
func report(_ body: () throws -> Void) {
    do {
        try body()
        say("ok")
    } catch let error as StorageError {
        say(error.code.description)
    } catch {
        say("\(error)")
    }
}

extension StoreFile {
    /// Adds a value of so many bytes under the next key, in a commit of its own.
    func append(byteCount: Int = 8) throws(StorageError) {
        let transaction = try beginWrite()
        do {
            guard let database = try transaction.openDatabase(named: "test", [.create, .integerKeys]) else {
                preconditionFailure("a database was not made")
            }
            let key = UInt64(try transaction.statistics(database).entryCount)
            let room = try transaction.reserve(database, key, byteCount: byteCount)
            room.initializeMemory(as: UInt8.self, repeating: 7)
            try transaction.commit()
        } catch {
            throw self.error(error, .writing)
        }
    }
}
