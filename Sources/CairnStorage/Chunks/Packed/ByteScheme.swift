/// Scheme `bytes`: what is the same in all values stands once (`docs/file-format.md`, section 10.4).
struct ByteScheme {
    /// Bit i: byte i of the values differs among them.
    let mask: UInt16
    /// The bytes of a value.
    let width: Int

    private var varyingCount: Int { mask.nonzeroBitCount }

    init<Slot: FixedSlot>(_ values: RankedSlots<Slot>) {
        width = MemoryLayout<Slot>.size
        let first = values[0]
        var difference = Slot.zero
        for rank in 1..<max(values.count, 1) { difference = difference | (values[rank] ^ first) }
        mask = withUnsafeBytes(of: difference) { bytes in
            bytes.enumerated().reduce(0) { $1.element == 0 ? $0 : $0 | 1 << UInt16($1.offset) }
        }
    }

    func byteCount(of valueCount: Int) -> Int { 2 + width - varyingCount + valueCount * varyingCount }

    func write<Slot: FixedSlot>(_ values: RankedSlots<Slot>, to writer: inout PackedWriter) {
        writer.store(mask)
        guard varyingCount < width else { return writer.copy(values.start, byteCount: values.count * width) }
        let places = Self.places(mask: mask, width: width)
        for place in places.constant {
            writer.store(values.start.load(fromByteOffset: place, as: UInt8.self))
        }
        let target = writer.reserve(values.count * varyingCount)
        guard let start = target.baseAddress, varyingCount > 0 else { return }
        for (index, place) in places.varying.enumerated() {
            for rank in 0..<values.count {
                let byte = values.start.load(fromByteOffset: rank &* width &+ place, as: UInt8.self)
                start.storeBytes(of: byte, toByteOffset: rank &* varyingCount &+ index, as: UInt8.self)
            }
        }
    }

    /// Reads `count` values, at least one, into the area by rank.
    static func read<Slot: FixedSlot>(
        _ reader: inout ByteReader, count: Int, into area: SlotArea, as type: Slot.Type
    ) throws(StorageError) {
        let width = MemoryLayout<Slot>.size
        let mask = try reader.integer(UInt16.self)
        guard width == 16 || mask >> UInt16(width) == 0 else {
            throw reader.damage("has values with too many bytes")
        }
        let places = places(mask: mask, width: width)
        let constants = try reader.bytes(places.constant.count)
        let varyingCount = places.varying.count
        let source = try reader.bytes(count * varyingCount)
        guard varyingCount < width else {
            return area.start.copyMemory(from: source.baseAddress.unsafelyUnwrapped, byteCount: source.count)
        }
        var common = Slot.zero
        withUnsafeMutableBytes(of: &common) {
            for (index, place) in places.constant.enumerated() { $0[place] = constants[index] }
        }
        for rank in 0..<count { area.store(common, at: rank) }
        guard let start = source.baseAddress, varyingCount > 0 else { return }
        for (index, place) in places.varying.enumerated() {
            for rank in 0..<count {
                let byte = start.load(fromByteOffset: rank &* varyingCount &+ index, as: UInt8.self)
                area.start.storeBytes(of: byte, toByteOffset: rank &* width &+ place, as: UInt8.self)
            }
        }
    }

    private static func places(mask: UInt16, width: Int) -> (constant: [Int], varying: [Int]) {
        let all = Array(0..<width)
        return (all.filter { mask >> UInt16($0) & 1 == 0 }, all.filter { mask >> UInt16($0) & 1 == 1 })
    }
}
