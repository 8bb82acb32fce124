internal import Glibc

/// SplitMix64: random numbers that a seed repeats.
///
/// A test makes one without a seed and names `reproduction` in the message of each expectation; the
/// same numbers come again when the environment variable `CAIRN_SEED` is set to the seed.
package struct SeededGenerator: RandomNumberGenerator {
    /// What the numbers were started from.
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// A generator of the seed in `CAIRN_SEED`, else of a random one.
    package init() {
        let wanted = getenv("CAIRN_SEED").flatMap { UInt64(String(cString: $0)) }
        self.init(seed: wanted ?? .random(in: 0...UInt64.max))
    }

    /// How to get the same run again.
    package var reproduction: String { "CAIRN_SEED=\(seed)" }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True in one of `count` cases.
    package mutating func oneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }
}
