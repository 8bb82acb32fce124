import CairnLMDB
import CairnStorage
import Foundation

/// Committed entries in memory, for tests of the algorithms alone.
struct ArraySource: OrderedSource {
    /// Bytes that stay where they are until the last source of them has gone.
    private final class Memory {
        var pairs: [OrderedPair] = []
        private var blocks: [UnsafeMutableRawBufferPointer] = []

        func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
            let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            block.copyBytes(from: bytes)
            blocks.append(block)
            return UnsafeRawBufferPointer(block)
        }

        deinit { for block in blocks { block.deallocate() } }
    }

    private let memory = Memory()
    private var place = -1

    init(_ entries: [[UInt8]: [UInt8]]) {
        for (key, value) in entries.sorted(by: { $0.key.isBefore($1.key) }) {
            memory.pairs.append(OrderedPair(key: memory.copy(key), value: memory.copy(value)))
        }
    }

    private mutating func go(to index: Int) -> OrderedPair? {
        place = index
        return memory.pairs.indices.contains(index) ? memory.pairs[index] : nil
    }

    mutating func seek(atOrAfter key: UnsafeRawBufferPointer) -> OrderedPair? {
        let index = memory.pairs.firstIndex { !$0.key.lexicographicallyPrecedes(key) }
        return go(to: index ?? memory.pairs.count)
    }

    mutating func last() -> OrderedPair? { go(to: memory.pairs.count - 1) }
    mutating func next() -> OrderedPair? { go(to: place + 1) }
    mutating func previous() -> OrderedPair? { go(to: place - 1) }
}

/// An LMDB file in a folder of its own, removed at the end.
final class OrderedFile {
    private let folder: URL
    let environment: Environment
    let database: Database

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("cairn-ordered-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        environment = try Environment.open(
            path: folder.appendingPathComponent("data").path,
            options: .init(mapByteCount: 1 << 26, readerCount: 8, syncs: .noSync))
        let writing = try environment.beginWrite()
        guard let database = try writing.openDatabase(named: "ordered", .create) else {
            preconditionFailure("The database was not made.")
        }
        self.database = database
        try writing.commit()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Commits changes as a session does: in the order of the keys.
    func commit(_ delta: OrderedDelta, valuesHoldPayload: Bool) throws {
        let writing = try environment.beginWrite()
        try OrderedFile.write(delta, valuesHoldPayload: valuesHoldPayload, database, writing)
        try writing.commit()
    }

    static func write(
        _ delta: OrderedDelta, valuesHoldPayload: Bool, _ database: Database,
        _ writing: borrowing WriteTransaction
    ) throws {
        try delta.forEachSorted { key, change throws(LMDBError) in
            guard case .put(let payload) = change else {
                _ = try writing.delete(database, key)
                return
            }
            let value = valuesHoldPayload ? ValueModel.bytes(payload) : []
            try value.withUnsafeBufferPointer { value throws(LMDBError) in
                try writing.put(database, key, UnsafeRawBufferPointer(value))
            }
        }
    }
}
