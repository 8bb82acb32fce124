import Cairn
import Foundation
import Testing

@Suite struct `An ObjectId` {
    @Test func `is its twelve bytes in memory`() throws {
        #expect(MemoryLayout<ObjectId>.size == 12)
        #expect(MemoryLayout<ObjectId>.stride == 12)
        #expect(MemoryLayout<ObjectId>.alignment <= 4)
        let id = ObjectId("0102030405060708090a0bFF")
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255]
        #expect(id.withBytes { Array($0) } == bytes)
        // At an odd address, as the slots of a column may be.
        ([0] + bytes).withUnsafeBytes { buffer in
            #expect(ObjectId(bytes: UnsafeRawBufferPointer(rebasing: buffer[1...])) == id)
            #expect(buffer.loadUnaligned(fromByteOffset: 1, as: ObjectId.self) == id)
        }
    }

    @Test func `is zero until it is generated`() {
        #expect(ObjectId().stringValue == "000000000000000000000000")
        #expect(ObjectId() == ObjectId("000000000000000000000000"))
        #expect(ObjectId.generate() != ObjectId())
    }

    @Test(arguments: [
        "1234567890abcdef12345678", "ffffffffffffffffffffffff", "000000000000000000000001",
        "80000000ffffffff0000000a",
    ])
    func `is its hexadecimal digits`(text: String) throws {
        let id = try ObjectId(string: text)
        #expect(id.stringValue == text)
        #expect("\(id)" == text)
        #expect(try ObjectId(string: text.uppercased()) == id)
        let json = try JSONEncoder().encode([id])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([ObjectId].self, from: json) == [id])
    }

    @Test(arguments: [
        "", "1234", "1234567890abcdef1234567", "1234567890abcdef123456789", "1234567890abcdef1234567g",
        "1234567890abcdef1234567 ", " 234567890abcdef12345678", "１234567890abcdef123456", "éééééééééééé",
        "-234567890abcdef12345678", "0x34567890abcdef12345678", "12345678\0abcdef123456789",
    ])
    func `is refused from any other text`(text: String) throws {
        let error = #expect(throws: RealmError.self) { try ObjectId(string: text) }
        #expect(error?.code == .invalidInput)
        let json = try JSONEncoder().encode([text])
        #expect(throws: RealmError.self) { try JSONDecoder().decode([ObjectId].self, from: json) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ObjectId].self, from: Data("[12]".utf8))
        }
    }

    @Test func `traps on a literal that is none`() async {
        await #expect(processExitsWith: .failure) { _ = ObjectId("123") }
    }

    @Test func `orders by its bytes`() {
        let sorted: [ObjectId] = [
            ObjectId(), ObjectId("000000000000000000000001"), ObjectId("000000000000000000000100"),
            ObjectId("000000000000000100000000"), ObjectId("00000000000000ff00000000"),
            ObjectId("000000000000010000000000"), ObjectId("000000010000000000000000"),
            ObjectId("7fffffff0000000000000000"), ObjectId("80000000000000000000000a"),
            ObjectId("ffffffffffffffffffffffff"),
        ]
        for (index, left) in sorted.enumerated() {
            for (other, right) in sorted.enumerated() {
                #expect((left < right) == (index < other))
                #expect((left <= right) == (index <= other))
                #expect((left == right) == (index == other))
                #expect((left < right) == (left.stringValue < right.stringValue))
            }
        }
        #expect(Set(sorted + sorted).count == sorted.count)
    }

    @Test func `says when it was made`() {
        let before = Date().timeIntervalSince1970.rounded(.down)
        let made = ObjectId.generate().timestamp.timeIntervalSince1970
        let after = Date().timeIntervalSince1970
        // time() may lag behind the fine clock by a tick, and so be of the second before.
        #expect(made >= before - 1 && made <= after)
        #expect(ObjectId("5f5e10000000000000000000").timestamp == Date(timeIntervalSince1970: 1_600_000_000))
        #expect(ObjectId("ffffffff0000000000000000").timestamp.timeIntervalSince1970 == 4_294_967_295)
    }

    @Test func `holds moment, machine and process`() {
        let moment = Date(timeIntervalSince1970: 1_600_000_000.75)
        let first = ObjectId(timestamp: moment, machineId: 0x01_0203, processId: 0x0405)
        let second = ObjectId(timestamp: moment, machineId: 0x01_0203, processId: 0x0405)
        #expect(first.stringValue.hasPrefix("5f5e1000" + "010203" + "0405"))
        #expect(first.timestamp == Date(timeIntervalSince1970: 1_600_000_000))
        #expect(first != second)
        let negative = ObjectId(timestamp: moment, machineId: -1, processId: -1)
        #expect(negative.stringValue.hasPrefix("5f5e1000" + "ffffff" + "ffff"))
    }

    @Test(arguments: [
        (-1.0, 0.0), (-.infinity, 0), (.nan, 0), (1e300, 4_294_967_295), (.infinity, 4_294_967_295),
        (4_294_967_295.9, 4_294_967_295),
    ])
    func `takes the nearest moment that it can say`(seconds: Double, said: Double) {
        let id = ObjectId(timestamp: Date(timeIntervalSince1970: seconds), machineId: 0, processId: 0)
        #expect(id.timestamp.timeIntervalSince1970 == said)
    }

    @Test func `follows the one before`() {
        let ids = (0..<10_000).map { _ in ObjectId.generate() }
        #expect(zip(ids, ids.dropFirst()).allSatisfy(<))
        let counts = ids.map { $0.withBytes { bytes in bytes[9...].reduce(0) { $0 << 8 | Int($1) } } }
        // Tests that run beside this one generate too, so that a count may be left out.
        #expect(zip(counts, counts.dropFirst()).allSatisfy { ($1 - $0) & 0xFF_FFFF < 1_000_000 })
    }

    @Test func `is made once only, on any number of threads`() async {
        let all = await withTaskGroup(of: [ObjectId].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<20_000).map { _ in ObjectId.generate() } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(all).count == 160_000)
        #expect(Set(all.map { $0.stringValue.dropFirst(8).prefix(8) }).count <= 2, "random once a process")
    }

    // The child has its parent's count: without a new one it would make its parent's identifiers.
    @Test func `is another in the child of a fork`() async {
        await #expect(processExitsWith: .success) {
            let pipe = Pipe()
            _ = ObjectId.generate()
            if Fork.call() == 0 {
                let ids = (0..<100).map { _ in ObjectId.generate().stringValue }
                pipe.fileHandleForWriting.write(Data(ids.joined(separator: " ").utf8))
                _exit(0)
            }
            let ids = (0..<100).map { _ in ObjectId.generate().stringValue.dropFirst(8) }
            try pipe.fileHandleForWriting.close()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let childs = text.split(separator: " ").map { $0.dropFirst(8) }
            exit(childs.count == 100 && Set(childs).isDisjoint(with: ids) ? 0 : 1)
        }
    }
}

private enum Fork {
    private typealias Function = @convention(c) () -> Int32

    /// `fork`, which Swift does not show.
    static func call() -> Int32 {
        guard let symbol = dlsym(nil, "fork") else { preconditionFailure("fork is not there") }
        return unsafeBitCast(symbol, to: Function.self)()
    }
}
