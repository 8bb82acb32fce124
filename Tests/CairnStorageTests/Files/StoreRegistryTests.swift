import CairnLMDB
import CairnStorage
import Foundation
import Synchronization
import Testing

/// What stands for a store here.
private final class Value: Sendable {
    let file: StoreFile
    init(_ file: StoreFile) { self.file = file }
}

@Suite struct `The registry of stores` {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func open(
        _ make: (StoreFile) throws(StorageError) -> Value = { Value($0) }
    ) throws(StorageError) -> Value {
        try StoreRegistry<Value>.open(StoreOptions(path: folder.file), make: make)
    }

    @Test func `gives the same value to all threads that open at once`() throws {
        let values = Mutex<[Value]>([])
        let makes = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 32) { _ in
            let value = try? open { file in
                makes.add(1, ordering: .relaxed)
                return Value(file)
            }
            if let value { values.withLock { $0.append(value) } }
        }
        let all = values.withLock { $0 }
        #expect(all.count == 32)
        #expect(all.allSatisfy { $0 === all.first })
        #expect(makes.load(ordering: .relaxed) == 1)
    }

    @Test func `holds no value`() throws {
        weak var old: Value?
        do {
            let value = try open()
            old = value
            #expect(try open() === value)
        }
        #expect(old == nil)
        #expect(try FileManager.default.attributesOfItem(atPath: folder.file)[.size] as? Int == 8192)
        _ = try open()
    }

    @Test func `makes a new value of a file that somebody still holds`() throws {
        var value: Value? = try open()
        let file = try #require(value?.file)
        value = nil
        #expect(try open().file === file)
    }

    @Test func `closes the file when its value cannot be made`() throws {
        struct Refused: Error {}
        for _ in 0..<2 {
            let code = storageCode { () throws(StorageError) in
                try open { _ throws(StorageError) in throw StorageError(.notFound, "no") }
            }
            #expect(code == .notFound)
        }
        #expect(try StoreFile.deleteFiles(at: folder.file))
    }

    // Two LMDB environments of one file in a process drop each other's locks, and commits get lost.
    @Test func `closes a file entirely before it opens it again`() throws {
        let failures = Mutex<[String]>([])
        let options = StoreOptions(path: folder.file, durability: .none)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<50 {
                do {
                    try StoreRegistry<Value>.open(options) { Value($0) }.file.append()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try open().file.entryCount() == 400)
    }
}
