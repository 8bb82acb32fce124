/// A mission of the app the benchmarks are modelled on.
///
/// Its bytes belong to the ``Dataset`` and live as long as that.
struct Mission {
    /// An object id of 12 bytes: seconds, five bytes of the process, a counter; all big-endian, so that
    /// ids rise in the order they were made in, as real ones do.
    let key: UnsafeRawBufferPointer
    let todayDate: Double
    let wakeUpTime: Double?
    let startTime: Double
    let endTime: Double
    /// UTF-8, 8 to 16 bytes.
    let text: UnsafeRawBufferPointer
    let isComplete: Bool
}

/// The list of a day, with the missions that belong to it.
struct DateList {
    /// An object id of 12 bytes.
    let key: UnsafeRawBufferPointer
    let today: Double
    /// The places of its missions in ``Dataset/missions``.
    let missions: Range<Int>
}

/// What every contender stores and is asked for: the same for all, and the same in every run.
///
/// Everything is made before the clock runs; a contender never makes a key or a string.
final class Dataset {
    /// The number of missions that are stored before anything else happens.
    let rowCount: Int
    /// `rowCount` missions, and behind them those that the small transactions add.
    let missions: [Mission]
    let lists: [DateList]
    /// The places in ``missions`` that are looked up by key, in this order.
    let lookups: [Int]

    static let missionsPerList = 10
    static let keyByteCount = 12
    /// How many transactions of one mission are made.
    static let smallTransactionCount = 500
    private static let longestLookupCount = 100_000

    private let memory: UnsafeMutableRawBufferPointer

    init(rowCount: Int) {
        precondition(rowCount % (2 * Self.missionsPerList) == 0, "half the missions of a list must be whole")
        self.rowCount = rowCount
        let missionCount = rowCount + Self.smallTransactionCount
        let listCount = rowCount / Self.missionsPerList

        var random = SplitMix64(seed: 0xCA12_0001)
        var bytes = ByteWriter(
            capacity: (missionCount + listCount) * Self.keyByteCount + missionCount * 16)
        missions = (0..<missionCount).map { place in
            Mission(place: place, of: missionCount, random: &random, bytes: &bytes)
        }
        lists = (0..<listCount).map { place in
            let first = place * Self.missionsPerList
            return DateList(
                key: bytes.objectKey(place, process: 2), today: Mission.day(place),
                missions: first..<first + Self.missionsPerList)
        }
        let lookupCount = min(rowCount, Self.longestLookupCount)
        lookups = (0..<lookupCount).map { _ in Int.random(in: 0..<rowCount, using: &random) }
        memory = bytes.memory
    }

    deinit {
        memory.deallocate()
    }
}

extension Mission {
    /// Midnight of the n-th day, in seconds.
    fileprivate static func day(_ number: Int) -> Double {
        Double(600_000_000 + number % 4_000 * 86_400)
    }

    /// Times are whole quarters of a second, so that a sum of a million of them is exact whatever the
    /// order it was taken in. Start times are spread over all days: in rising order they would make
    /// any smallest-and-largest bookkeeping look better than it is.
    fileprivate init(
        place: Int, of count: Int, random: inout SplitMix64, bytes: inout ByteWriter
    ) {
        key = bytes.objectKey(place, process: 1)
        todayDate = Self.day(place / Dataset.missionsPerList)
        let wakeUp = Double.random(in: 0..<43_200, using: &random)
        wakeUpTime = Int.random(in: 0..<4, using: &random) == 0 ? nil : todayDate + (wakeUp * 4).rounded() / 4
        startTime = 600_000_000 + Double(Int.random(in: 0..<4_000 * 86_400 * 4, using: &random)) / 4
        endTime = startTime + Double(Int.random(in: 1..<7_200 * 4, using: &random)) / 4
        text = bytes.letters(Int.random(in: 8...16, using: &random), random: &random)
        isComplete = Bool.random(using: &random)
    }
}

/// Fills one piece of memory from front to back.
private struct ByteWriter {
    let memory: UnsafeMutableRawBufferPointer
    private var used = 0

    init(capacity: Int) {
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    mutating func objectKey(_ number: Int, process: UInt8) -> UnsafeRawBufferPointer {
        let seconds = UInt32(1_700_000_000 + number / 1_000)
        return append { target in
            target.storeBytes(of: seconds.bigEndian, as: UInt32.self)
            for index in 4..<8 { target[index] = 0x5A }
            target[8] = process
            target[9] = UInt8(truncatingIfNeeded: number >> 16)
            target[10] = UInt8(truncatingIfNeeded: number >> 8)
            target[11] = UInt8(truncatingIfNeeded: number)
        }
    }

    mutating func letters(_ count: Int, random: inout SplitMix64) -> UnsafeRawBufferPointer {
        append(count: count) { target in
            for index in 0..<count {
                target[index] = UInt8(ascii: "a") + UInt8(random.next() % 26)
            }
        }
    }

    private mutating func append(
        count: Int = Dataset.keyByteCount, _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) -> UnsafeRawBufferPointer {
        let target = UnsafeMutableRawBufferPointer(rebasing: memory[used..<used + count])
        fill(target)
        used += count
        return UnsafeRawBufferPointer(target)
    }
}

/// Steele, Lea and Flood's generator: the same numbers on every machine.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
