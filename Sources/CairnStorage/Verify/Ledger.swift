/// Something that two parts of a file must agree on: a row and its place in an index, a link and its mirror.
struct Fact: Hashable, Comparable {
    /// What findings are told by: a row, a link's target, a value id.
    var subject: UInt64
    /// The rest, or a hash of it.
    var detail: UInt64

    static func < (left: Fact, right: Fact) -> Bool {
        (left.subject, left.detail) < (right.subject, right.detail)
    }
}

/// Compares two collections of facts that come in different orders, however many they are, without keeping
/// them.
///
/// One part of the file *owes* facts, the other has to be *found* to have the very same, each as often. Both
/// are summed up: a fact's hash, under a random seed, is added for one side and taken off for the other, so
/// equal collections leave zero. The sums are kept apart in 1,024 partitions, chosen by the hash. Where one
/// is not zero, the same facts are posted a second time, and only those partitions' are kept and compared.
///
///     pass 1   owe, find ──→ sums                      all zero: the sides are equal
///     pass 2   owe, find ──→ facts of the others ──→ differences
///
/// Unequal collections leave zero with a probability of 2⁻⁶⁴; nobody who writes the file knows the seed.
final class Ledger {
    /// A fact that is owed more often than found, or the other way round.
    struct Difference {
        let fact: Fact
        /// How often it is owed beyond being found; negative where it is found too often.
        let excess: Int
    }

    /// Facts that a second pass may keep, a ledger.
    static let collectionLimit = 1 << 18
    private static let partitionBitCount = 10

    private let seed: UInt64
    @exclusivity(unchecked) private var sums: [UInt64]
    @exclusivity(unchecked) private var factCount = 0
    /// The partitions whose facts are kept, in the second pass.
    @exclusivity(unchecked) private var isWanted: [Bool]?
    @exclusivity(unchecked) private var collected: [Fact: Int] = [:]
    /// Partitions that differ and are more than a second pass may keep.
    private(set) var omittedPartitionCount = 0
    /// Whether a part of the file that posts facts could not be read: then differences mean nothing.
    private(set) var isIncomplete = false

    init(seed: UInt64 = UInt64.random(in: 0...UInt64.max)) {
        self.seed = seed
        sums = Array(repeating: 0, count: 1 << Self.partitionBitCount)
    }

    /// Says that facts are missing because what posts them could not be read.
    func noteIncomplete() {
        isIncomplete = true
    }

    func owe(_ subject: UInt64, _ detail: UInt64, times: Int = 1) {
        post(Fact(subject: subject, detail: detail), times)
    }

    func find(_ subject: UInt64, _ detail: UInt64, times: Int = 1) {
        post(Fact(subject: subject, detail: detail), -times)
    }

    private func post(_ fact: Fact, _ weight: Int) {
        let hash = Self.mix(Self.mix(fact.subject ^ seed) ^ fact.detail)
        let partition = Int(truncatingIfNeeded: hash >> UInt64(64 - Self.partitionBitCount))
        if let isWanted {
            if isWanted[partition] { collected[fact, default: 0] &+= weight }
            return
        }
        factCount &+= 1
        sums[partition] &+= Self.mix(hash &+ seed) &* UInt64(bitPattern: Int64(weight))
    }

    /// The finalizer of SplitMix64.
    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether both sides have posted the same, as far as could be read.
    var isSettled: Bool { isIncomplete || sums.allSatisfy { $0 == 0 } }

    /// Begins the second pass.
    func beginCollecting() {
        let isSettled = isSettled
        // Facts are spread evenly: so many partitions hold the limit, or less.
        var left = max(1, sums.count * Self.collectionLimit / max(factCount, Self.collectionLimit))
        isWanted = sums.map { sum in
            guard sum != 0, !isSettled else { return false }
            left -= 1
            if left < 0 { omittedPartitionCount += 1 }
            return left >= 0
        }
    }

    /// What the second pass has found, by rising subject.
    func differences() -> [Difference] {
        guard !isIncomplete else { return [] }
        return collected.filter { $0.value != 0 }.map { Difference(fact: $0.key, excess: $0.value) }
            .sorted { $0.fact < $1.fact }
    }
}
