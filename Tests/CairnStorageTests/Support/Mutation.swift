import TestSupport

/// Damage as it comes: bits, bytes, numbers at their limits, cut and repeated pieces.
enum Mutation {
    static func apply(to bytes: inout [UInt8], using random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...3, using: &random) { applyOne(to: &bytes, using: &random) }
    }

    private static func applyOne(to bytes: inout [UInt8], using random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        // Half of the damage falls on the header and what follows it closely.
        let reach = Bool.random(using: &random) ? min(bytes.count, 120) : bytes.count
        let place = Int.random(in: 0..<reach, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 3: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
        case 4:
            for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
        case 5: bytes.removeSubrange(place..<min(place + Int.random(in: 1...9, using: &random), bytes.count))
        case 6: bytes.insert(contentsOf: bytes[place..<min(place + 4, bytes.count)], at: place)
        default: bytes[place] &+= Bool.random(using: &random) ? 1 : 255
        }
    }
}
