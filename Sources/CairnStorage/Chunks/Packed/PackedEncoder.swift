/// Packs one plain chunk: first decides how, then writes it.
struct PackedEncoder {
    /// What was decided about the values.
    private enum Choice {
        case none
        case bits(SlotSet, SlotSetForm)
        case bytes(ByteScheme)
        case dictionary
        case integers(IntegerScheme)
        case decimals(UInt8, RankedSlots<UInt64>, IntegerScheme)
        case texts(TextStream)
        case textDictionary
        case lists(ListScheme)
        case backlinks(BacklinkScheme)

        var scheme: PackedScheme {
            switch self {
            case .none: .none
            case .bits: .bits
            case .bytes: .bytes
            case .dictionary: .dictionary
            case .integers: .integers
            case .decimals: .decimals
            case .texts: .texts
            case .textDictionary: .textDictionary
            case .lists: .lists
            case .backlinks: .backlinks
            }
        }
    }

    private let plain: UnsafeRawBufferPointer
    private let shape: SlotShape
    private let slotCount: Int
    private let valued: SlotSet
    private let valuedForm: SlotSetForm
    private let null: SlotSet
    private let nullForm: SlotSetForm
    /// Where the values are by rank, and how many.
    private let values: UnsafeRawPointer
    private let valueCount: Int
    /// Room for the integers of the scheme `decimals`.
    private let integers: UnsafeMutablePointer<UInt64>
    private var dictionary: SlotDictionary
    private var choice = Choice.none
    private var heapByteCount = 0

    /// Lends an encoder for a chunk; false when its header is not that of a plain one.
    static func withEncoder(
        plain: UnsafeRawBufferPointer, live: SlotSet, _ body: (inout PackedEncoder) -> Bool
    ) -> Bool {
        guard let header = try? ChunkHeader(plain), header.encoding == .plain,
            let shape = SlotShape(rawValue: header.storedShape)
        else { return false }
        // Values of sixteen bytes and integers of eight for each slot, and a dictionary.
        let byteCount = Block.slotCount * 24 + SlotDictionary.byteCount
        return withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 16) { scratch in
            var encoder = PackedEncoder(plain, header, shape, live, scratch.baseAddress.unsafelyUnwrapped)
            return body(&encoder)
        }
    }

    private init(
        _ plain: UnsafeRawBufferPointer, _ header: ChunkHeader, _ shape: SlotShape, _ live: SlotSet,
        _ scratch: UnsafeMutableRawPointer
    ) {
        self.plain = plain
        self.shape = shape
        slotCount = header.slotCount
        let slots = plain.baseAddress.unsafelyUnwrapped + ChunkLayout.slots
        let stored = SlotSet(
            stored: UnsafeRawBufferPointer(rebasing: plain[ChunkLayout.bitmap..<ChunkLayout.slots]))
        let present = live.intersection(SlotSet(first: 0, count: slotCount))
        null = present.intersection(stored)
        let full = present.subtracting(null)
        valued = shape == .list || shape == .backlinks ? full.withoutEmpty(slots) : full
        valueCount = valued.count
        valuedForm = SlotSetForm(of: valued, slotCount: slotCount, valued: nil)
        nullForm = SlotSetForm(of: null, slotCount: slotCount, valued: valued)
        integers = (scratch + Block.slotCount * 16).assumingMemoryBound(to: UInt64.self)
        dictionary = SlotDictionary(in: scratch + Block.slotCount * 24)
        values = Gatherer.byRank(valued, slots, shape, scratch)
    }

    private func ranked<Slot: FixedSlot>(as type: Slot.Type = Slot.self) -> RankedSlots<Slot> {
        RankedSlots(start: values, count: valueCount)
    }

    /// Where the sets end and the values begin.
    private var valuesOffset: Int {
        PackedLayout.sets + valuedForm.byteCount(slotCount: slotCount)
            + nullForm.byteCount(slotCount: slotCount)
    }

    // MARK: Deciding

    /// The bytes of the packed chunk; nil when they would be more than half of the plain one's.
    mutating func plan() -> Int? {
        let budget = plain.count / 2 - valuesOffset
        guard budget >= 0 else { return nil }
        guard valueCount > 0 else { return valuesOffset }
        return choose(budget: budget).map { valuesOffset + $0 }
    }

    /// The bytes of the values in the scheme that is chosen, nil when none is within the budget.
    private mutating func choose(budget: Int) -> Int? {
        switch shape {
        case .bits: return chooseBits(budget: budget)
        case .four: return chooseFixed(budget: budget, as: UInt32.self)
        case .eight: return chooseEight(budget: budget)
        case .twelve: return chooseFixed(budget: budget, as: TwelveBytes.self)
        case .sixteen: return chooseFixed(budget: budget, as: SixteenBytes.self)
        case .text: return chooseTexts(budget: budget)
        case .list:
            let lists = ListScheme(ranked(), heap: heap)
            heapByteCount = lists.heapByteCount
            return take(.lists(lists), lists.byteCount, ifWithin: budget)
        case .backlinks:
            let backlinks = BacklinkScheme(ranked(), heap: heap)
            heapByteCount = backlinks.heapByteCount
            return take(.backlinks(backlinks), backlinks.byteCount, ifWithin: budget)
        }
    }

    private mutating func take(_ choice: Choice, _ byteCount: Int, ifWithin budget: Int) -> Int? {
        guard byteCount <= budget else { return nil }
        self.choice = choice
        return byteCount
    }

    private var heap: UnsafeRawPointer {
        plain.baseAddress.unsafelyUnwrapped + ChunkLayout.slots
            + shape.slotAreaByteCount(slotCount: slotCount)
    }

    private mutating func chooseBits(budget: Int) -> Int? {
        let bits = SlotSet(stored: UnsafeRawBufferPointer(rebasing: plain[ChunkLayout.slots...]))
            .intersection(valued)
        let form = SlotSetForm(of: bits, slotCount: slotCount, valued: valued)
        return take(.bits(bits, form), 1 + form.byteCount(slotCount: slotCount), ifWithin: budget)
    }

    /// Integers, else decimals, else bytes or a dictionary: the first that leaves a byte a value or less, else
    /// the smallest.
    private mutating func chooseEight(budget: Int) -> Int? {
        let ranked: RankedSlots<UInt64> = ranked()
        let goodEnough = min(budget, valueCount + 32)
        let integers = IntegerScheme(ranked)
        var best = take(.integers(integers), integers.byteCount(of: valueCount), ifWithin: budget)
        if let best, best <= goodEnough { return best }
        if let found = DecimalScheme.integers(of: ranked, into: self.integers) {
            let integers = IntegerScheme(found.integers)
            let choice = Choice.decimals(found.exponent, found.integers, integers)
            best =
                take(choice, 1 + integers.byteCount(of: valueCount), ifWithin: (best ?? budget + 1) - 1)
                ?? best
            if let best, best <= goodEnough { return best }
        }
        // Integers decode fastest: what is hardly smaller does not replace them.
        return chooseFixed(budget: best.map { $0 - $0 / 8 } ?? budget, as: UInt64.self) ?? best
    }

    private mutating func chooseFixed<Slot: FixedSlot>(budget: Int, as type: Slot.Type) -> Int? {
        let ranked: RankedSlots<Slot> = ranked()
        let bytes = ByteScheme(ranked)
        let best = take(.bytes(bytes), bytes.byteCount(of: valueCount), ifWithin: budget)
        // A constant, or so little that a dictionary could hardly take less.
        if let best, best <= valueCount / 8 + 32 { return best }
        let rest = (best ?? budget + 1) - 1
        guard let byteCount = DictionaryScheme.byteCount(of: ranked, budget: rest, dictionary: &dictionary)
        else {
            return best
        }
        choice = .dictionary
        return byteCount
    }

    private mutating func chooseTexts(budget: Int) -> Int? {
        let texts = TextPlan(ranked(), heap: heap)
        let stream = texts.stream()
        heapByteCount = stream.heapByteCount
        let best = take(.texts(stream), stream.byteCount, ifWithin: budget)
        if let best, best <= valueCount / 2 + 32 { return best }
        let rest = (best ?? budget + 1) - 1
        guard let byteCount = texts.dictionaryByteCount(budget: rest, dictionary: &dictionary) else {
            return best
        }
        choice = .textDictionary
        return byteCount
    }

    // MARK: Writing

    /// Writes what was planned.
    func write(to writer: inout PackedWriter) {
        writeHeader(to: &writer)
        valuedForm.write(valued, slotCount: slotCount, to: &writer)
        nullForm.write(null, slotCount: slotCount, to: &writer)
        switch choice {
        case .none: break
        case .bits(let bits, let form):
            writer.store(form.rawValue)
            form.write(bits, slotCount: slotCount, to: &writer)
        case .bytes(let scheme): writeBytes(scheme, to: &writer)
        case .dictionary: writeDictionary(to: &writer)
        case .integers(let scheme): scheme.write(ranked(), to: &writer)
        case .decimals(let exponent, let integers, let scheme):
            writer.store(exponent)
            scheme.write(integers, to: &writer)
        case .texts(let stream): TextPlan(ranked(), heap: heap).write(stream, to: &writer)
        case .textDictionary: TextPlan(ranked(), heap: heap).write(dictionary, to: &writer)
        case .lists(let scheme): scheme.write(to: &writer)
        case .backlinks(let scheme): scheme.write(to: &writer)
        }
    }

    private func writeHeader(to writer: inout PackedWriter) {
        let source = plain.baseAddress.unsafelyUnwrapped
        writer.store(UInt64(0))
        writer.copy(source + ChunkLayout.version, byteCount: ChunkLayout.encoding - ChunkLayout.version)
        writer.store(ChunkEncoding.packed.rawValue)
        writer.copy(source + ChunkLayout.shape, byteCount: ChunkLayout.extra - ChunkLayout.shape)
        writer.store(valuedForm.rawValue | nullForm.rawValue << 4)
        writer.store(choice.scheme.rawValue)
        writer.store(UInt32(heapByteCount))
        writer.store(UInt32(valueCount))
        writer.copy(
            source + ChunkLayout.zoneMinimum, byteCount: ChunkHeader.byteCount - ChunkLayout.zoneMinimum)
    }

    private func writeBytes(_ scheme: ByteScheme, to writer: inout PackedWriter) {
        switch shape {
        case .four: scheme.write(ranked(as: UInt32.self), to: &writer)
        case .eight: scheme.write(ranked(as: UInt64.self), to: &writer)
        case .twelve: scheme.write(ranked(as: TwelveBytes.self), to: &writer)
        default: scheme.write(ranked(as: SixteenBytes.self), to: &writer)
        }
    }

    private func writeDictionary(to writer: inout PackedWriter) {
        switch shape {
        case .four: DictionaryScheme.write(ranked(as: UInt32.self), dictionary: dictionary, to: &writer)
        case .eight: DictionaryScheme.write(ranked(as: UInt64.self), dictionary: dictionary, to: &writer)
        case .twelve:
            DictionaryScheme.write(ranked(as: TwelveBytes.self), dictionary: dictionary, to: &writer)
        default: DictionaryScheme.write(ranked(as: SixteenBytes.self), dictionary: dictionary, to: &writer)
        }
    }
}
