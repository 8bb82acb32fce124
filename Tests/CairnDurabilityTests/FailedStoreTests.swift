import CairnLMDB
import CairnStorage
import DurabilityWorkload
import Foundation
import Testing

@Suite struct `A store whose LMDB refuses everything` {
    /// A write transaction that nobody ends any more.
    private final class Abandoned {
        private let transaction: WriteTransaction

        init(_ file: StoreFile) throws(StorageError) { transaction = try file.beginWrite() }
    }

    /// A thread that ends inside a write transaction of LMDB's fails the whole environment.
    private func fail(_ options: StoreOptions) throws {
        try Threads.run(1) { _ in
            _ = Unmanaged.passRetained(try Abandoned(try StoreFile.open(options)))
        }
        // LMDB's lock is waited for until the kernel has noticed that its thread has ended.
    }

    /// The store counted as sound, as only a commit that was refused would have marked it: whoever opened
    /// the file got it again, and could never write.
    @Test func `was given to whoever opened the file after it had failed`() throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        do {
            let store = try file.openWithTables()
            let session = try store.makeSession()
            try store.advance(file.ledger, rounds: 3)
            try store.refresh(session)
            try fail(file.options)
            #expect(try storageError { try store.beginWrite(session) }?.code == .storeFailed)
            // Reading goes on.
            #expect(try file.ledger.check(session) == 3)
            #expect(try file.ledger.check(try store.makeSession()) == 3)
            #expect(try storageError { try store.beginWrite(session) }?.code == .storeFailed)
            let error = try storageError { _ = try file.open() }
            #expect(error?.code == .storeFailed)
            #expect(error?.message.contains("open it again") == true)
        }
        #expect(try WholeFile.check(file) == 3)
        try file.open().advance(file.ledger)
        #expect(try WholeFile.check(file) == 4)
    }
}
