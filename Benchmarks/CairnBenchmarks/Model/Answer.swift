/// What a workload found out. Every contender must give the same one.
struct Answer: Equatable, CustomStringConvertible {
    /// A sum of times. They are whole quarters, so it is exact in whatever order it was taken.
    var sum = 0.0
    /// How many things were counted or changed.
    var count = 0

    var description: String { "sum \(sum), count \(count)" }
}

/// What a database holds, in a few numbers that do not depend on the order of reading.
///
/// Every field of every record goes into the hashes: a contender that stores less than the others, or
/// stores it wrongly, is found out.
struct Digest: Equatable, CustomStringConvertible {
    private(set) var missionCount = 0
    private(set) var listCount = 0
    private(set) var linkCount = 0
    private(set) var backlinkCount = 0
    private var hash: UInt64 = 0

    mutating func add(_ mission: Mission, isComplete: Bool) {
        missionCount += 1
        var record = RecordHash(kind: 1)
        record.add(mission.key)
        record.add(mission.todayDate.bitPattern)
        record.add(mission.wakeUpTime?.bitPattern ?? .max)
        record.add(mission.startTime.bitPattern)
        record.add(mission.endTime.bitPattern)
        record.add(mission.text)
        record.add(isComplete ? 1 : 0)
        hash &+= record.value
    }

    mutating func add(listKey: UnsafeRawBufferPointer, today: Double) {
        listCount += 1
        var record = RecordHash(kind: 2)
        record.add(listKey)
        record.add(today.bitPattern)
        hash &+= record.value
    }

    /// - Parameter place: the mission's place in the list, counted without gaps.
    mutating func addLink(
        from listKey: UnsafeRawBufferPointer, place: Int, to missionKey: UnsafeRawBufferPointer
    ) {
        linkCount += 1
        var record = RecordHash(kind: 3)
        record.add(listKey)
        record.add(UInt64(place))
        record.add(missionKey)
        hash &+= record.value
    }

    /// What following a link backwards gives: the list that the mission is in.
    mutating func addBacklink(from missionKey: UnsafeRawBufferPointer, to listKey: UnsafeRawBufferPointer) {
        backlinkCount += 1
        var record = RecordHash(kind: 4)
        record.add(missionKey)
        record.add(listKey)
        hash &+= record.value
    }

    var description: String {
        """
        \(missionCount) missions, \(listCount) lists, \(linkCount) links, \(backlinkCount) back, \
        hash \(String(hash, radix: 16))
        """
    }
}

/// FNV-1a over the fields of one record.
private struct RecordHash {
    private(set) var value: UInt64

    init(kind: UInt8) {
        value = 0xCBF2_9CE4_8422_2325
        add(UInt64(kind))
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
        }
    }

    mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number) { add($0) }
    }
}
