/// A mission as one value, under its row number:
///
///     0   key                12 bytes
///     12  flags              1 byte: 1 = complete, 2 = has a wake-up time
///     13  length of the text 1 byte, then 2 bytes of nothing
///     16  todayDate, wakeUpTime, startTime, endTime   8 bytes each
///     48  text
struct MissionRecord {
    let bytes: UnsafeRawBufferPointer

    static let longestByteCount = 48 + 255
    private static let complete: UInt8 = 1
    private static let wokeUp: UInt8 = 2

    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<Dataset.keyByteCount]) }
    var isComplete: Bool { bytes[12] & Self.complete != 0 }
    var startTime: Double { bytes.loadUnaligned(fromByteOffset: 32, as: Double.self) }
    var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[48..<48 + Int(bytes[13])]) }

    var mission: Mission {
        let wakeUpTime = bytes.loadUnaligned(fromByteOffset: 24, as: Double.self)
        return Mission(
            key: key, todayDate: bytes.loadUnaligned(fromByteOffset: 16, as: Double.self),
            wakeUpTime: bytes[12] & Self.wokeUp != 0 ? wakeUpTime : nil, startTime: startTime,
            endTime: bytes.loadUnaligned(fromByteOffset: 40, as: Double.self), text: text,
            isComplete: isComplete)
    }

    /// Writes a mission into the buffer; what it takes of it.
    static func encode(
        _ mission: Mission, into buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        buffer.copyMemory(from: mission.key)
        buffer[12] =
            (mission.isComplete ? complete : 0) | (mission.wakeUpTime == nil ? 0 : wokeUp)
        buffer[13] = UInt8(mission.text.count)
        buffer.storeBytes(of: 0, toByteOffset: 14, as: UInt16.self)
        buffer.storeBytes(of: mission.todayDate, toByteOffset: 16, as: Double.self)
        buffer.storeBytes(of: mission.wakeUpTime ?? 0, toByteOffset: 24, as: Double.self)
        buffer.storeBytes(of: mission.startTime, toByteOffset: 32, as: Double.self)
        buffer.storeBytes(of: mission.endTime, toByteOffset: 40, as: Double.self)
        UnsafeMutableRawBufferPointer(rebasing: buffer[48...]).copyMemory(from: mission.text)
        return UnsafeRawBufferPointer(rebasing: buffer[..<(48 + mission.text.count)])
    }

    /// Copies the record into the buffer with another `isComplete`.
    func encode(
        isComplete: Bool, into buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        buffer.copyMemory(from: bytes)
        buffer[12] = bytes[12] & ~Self.complete | (isComplete ? Self.complete : 0)
        return UnsafeRawBufferPointer(rebasing: buffer[..<bytes.count])
    }
}

/// A list as one value, under its row number:
///
///     0   key    12 bytes, then 4 bytes of nothing
///     16  today  8 bytes
///     24  the row numbers of its missions, 8 bytes each
struct ListRecord {
    let bytes: UnsafeRawBufferPointer

    static let longestByteCount = 24 + 8 * Dataset.missionsPerList

    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<Dataset.keyByteCount]) }
    var today: Double { bytes.loadUnaligned(fromByteOffset: 16, as: Double.self) }
    var missionCount: Int { (bytes.count - 24) / 8 }

    func mission(_ index: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: 24 + 8 * index, as: UInt64.self)
    }

    static func encode(
        _ list: DateList, into buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        buffer.copyMemory(from: list.key)
        buffer.storeBytes(of: 0, toByteOffset: 12, as: UInt32.self)
        buffer.storeBytes(of: list.today, toByteOffset: 16, as: Double.self)
        for (index, place) in list.missions.enumerated() {
            buffer.storeBytes(of: UInt64(place), toByteOffset: 24 + 8 * index, as: UInt64.self)
        }
        return UnsafeRawBufferPointer(rebasing: buffer[..<(24 + 8 * list.missions.count)])
    }

    /// Copies the record into the buffer without one of its missions.
    func encode(
        without mission: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<24]))
        var end = 24
        for index in 0..<missionCount where self.mission(index) != mission {
            buffer.storeBytes(of: self.mission(index), toByteOffset: end, as: UInt64.self)
            end += 8
        }
        return UnsafeRawBufferPointer(rebasing: buffer[..<end])
    }
}
