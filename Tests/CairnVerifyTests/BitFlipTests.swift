import CairnStorage
import Foundation
import TestSupport
import Testing

/// The promise about damage: with `verifyChecksums`, what is damaged when the file is opened gives an error or
/// the right data. Where reading alone cannot tell, verify does.
@Suite struct BitFlipTests {
    private static var isLong: Bool { ProcessInfo.processInfo.environment["CAIRN_LONG"] != nil }

    #if DEBUG
    private static let flipCount = 40
    #else
    private static let flipCount = 250
    #endif

    private enum Outcome: String, CaseIterable { case refused, failed, right, wrong }

    @Test(arguments: [1, UInt64.random(in: .min ... .max)], SoundFileTests.Limits.allCases)
    func `a flipped bit gives an error or a finding or changes nothing`(
        seed: UInt64, limits: SoundFileTests.Limits
    ) throws {
        let sample = try SampleStore(limits: limits.limits, rowCount: 40)
        let image = try [UInt8](reading: sample.options.path)
        let content = try SampleContent(sample.options)
        var chance = SeededGenerator(seed: seed)
        var outcomes: [Outcome: Int] = [:]
        let folder = try TestFolder()
        for _ in 0..<(Self.isLong ? Self.flipCount * 20 : Self.flipCount) {
            let bit = Int.random(in: 0..<(image.count * 8), using: &chance)
            var damaged = image
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            try folder.write(damaged)
            var options = StoreOptions.testing(folder.file, limits: limits.limits)
            options.verifyChecksums = true
            let outcome = Self.read(options, expecting: content)
            let report = Result { try Verify.run(options) }
            if outcome == .wrong, let report = try? report.get() {
                #expect(!report.isSound, "bit \(bit) of seed \(seed) is read wrongly, and nobody says so")
            }
            if outcome == .failed || outcome == .refused, let report = try? report.get() {
                #expect(
                    !report.isSound, "bit \(bit) of seed \(seed) cannot be read, and verify finds nothing")
            }
            outcomes[outcome, default: 0] += 1
        }
        let counts = Outcome.allCases.map { "\($0.rawValue) \(outcomes[$0, default: 0])" }
        print("bit flips of seed \(seed), \(limits): \(counts.joined(separator: ", "))")
        #expect(outcomes[.right, default: 0] > 0)
    }

    private static func read(_ options: StoreOptions, expecting content: SampleContent) -> Outcome {
        guard let store = try? Store.open(options) else { return .refused }
        guard let read = try? SampleContent(store) else { return .failed }
        return read == content ? .right : .wrong
    }
}

/// Everything that a reader sees of a sample, digested.
struct SampleContent: Equatable {
    private var rows: [String: [UInt64: [UInt64]]] = [:]
    private var orders: [[UInt64]] = []

    init(_ options: StoreOptions) throws {
        try self.init(Store.open(options))
    }

    init(_ store: Store) throws {
        let session = try store.makeSession()
        for definition in session.schema.tables {
            let table = try session.table(definition.space)
            var content: [UInt64: [UInt64]] = [:]
            try table.forEachRow { row in
                content[row.value] = try definition.columns.indices.map { try Self.digest(row, $0, table) }
            }
            rows[definition.name] = content
            try readIndexes(table)
        }
        try session.throwDamage()
    }

    /// Reads the rows through their indexes: in order, and by the keys they have.
    private mutating func readIndexes(_ table: SessionTable) throws {
        for (place, index) in table.definition.indexes.enumerated() {
            if index.kind == .ordered {
                orders.append(try table.rows(ordered: place).map(\.value))
            } else if index.isUnique {
                var found: [UInt64] = []
                try table.forEachRow { row in
                    let key: Int64 = table.value(row, 0)
                    found.append(try table.row(index: place, key: key)?.value ?? .max)
                }
                orders.append(found)
            }
        }
    }

    private static func digest(_ row: RowKey, _ position: Int, _ table: SessionTable) throws -> UInt64 {
        let column = table.definition.columns[position]
        if column.collection != .none {
            var digest: UInt64 = 0
            try table.forEachRun(row, position) { run, _ throws(StorageError) in
                for index in 0..<run.count {
                    digest = hash(run.element(at: index), digest)
                }
            }
            return digest
        }
        if column.isNullable, table.isNull(row, position) { return 1 }
        switch column.shape {
        case .bits: return table.bool(row, position) ? 3 : 2
        case .text: return hash(table.text(row, position), 0)
        case .backlinks:
            return table.backlinks(row, position).reduce(0) { digest, origin in
                withUnsafeBytes(of: origin.value) { hash($0, digest) }
            }
        default: return hash(table.bytes(row, position, count: column.shape.slotByteCount), 0)
        }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer?, _ seed: UInt64) -> UInt64 {
        guard let bytes else { return seed &* 31 &+ 7 }
        return ByteHash.hash(bytes, seed: seed &+ UInt64(bytes.count))
    }
}
