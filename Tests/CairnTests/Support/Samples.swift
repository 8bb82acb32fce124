import Cairn
import Foundation

/// Values at the borders of every type.
enum Samples {
    static let texts = [
        "", "a", "exactly 12 b", "exactly 13 by", "ä", "e\u{301}", "👩‍👩‍👧‍👦", "\0", "a\0b",
        String(repeating: "x", count: 1_024), String(repeating: "y", count: 1_025),
        String(repeating: "z", count: 70_000),
    ]
    static let datas = [
        Data(), Data([0]), Data(repeating: 7, count: 12), Data(repeating: 8, count: 13),
        Data(repeating: 9, count: 1_024), Data(repeating: 1, count: 5_000),
    ]
    static let dates = [
        Date.distantPast, Date.distantFuture, Date(timeIntervalSince1970: 0),
        Date(timeIntervalSince1970: -0.5), Date(timeIntervalSince1970: -1e-9),
        Date(timeIntervalSince1970: 1_700_000_000.447), Date(timeIntervalSinceReferenceDate: 1e17),
        Date(timeIntervalSinceReferenceDate: -1e17),
        // 1901-12-13, where 32 bits of seconds end.
        Date(timeIntervalSince1970: -2_147_483_649),
    ]
    static let doubles = [
        0, -0.0, 1.5, -1.5, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    static let floats: [Float] = [0, 1.5, -.infinity, .infinity, .leastNonzeroMagnitude]
    static let uuids = [UUID(), UUID(uuidString: "00000000-0000-0000-0000-000000000000") ?? UUID()]
    static let objectIds = [ObjectId(), ObjectId.generate()]
    static let decimals: [Decimal128] = [
        0, 1, "-1.10", "1E-6176", "9999999999999999999999999999999999", Decimal128.max, Decimal128.min,
    ]
}

/// The n-th element of an array, counted round and round.
func pick<Element>(_ elements: [Element], _ index: Int) -> Element { elements[index % elements.count] }

extension AllTypes {
    /// Sets everything but the key to the n-th sample of its type.
    func fill(_ index: Int) {
        int = pick([0, 1, -1, Int.min, Int.max], index)
        int8 = pick([0, Int8.min, Int8.max], index)
        int16 = pick([0, Int16.min, Int16.max], index)
        int32 = pick([0, Int32.min, Int32.max], index)
        int64 = pick([0, Int64.min, Int64.max], index)
        bool = index.isMultiple(of: 2)
        float = pick(Samples.floats, index)
        double = pick(Samples.doubles, index)
        string = pick(Samples.texts, index)
        data = pick(Samples.datas, index)
        date = pick(Samples.dates, index)
        uuid = pick(Samples.uuids, index)
        objectId = pick(Samples.objectIds, index)
        decimal = pick(Samples.decimals, index)
        mood = pick([.calm, .wild], index)
        colour = pick([.green, .red], index)
    }

    /// Everything but the key, to be compared; strings as bytes.
    var values: [AnyHashable] {
        [
            int, int8, int16, int32, int64, bool, float, double, Array(string.utf8), data, date, uuid,
            objectId, decimal.stringValue, mood, colour,
        ]
    }
}

extension AllOptionals {
    /// Sets everything but the key and the link; every third is nil.
    func fill(_ index: Int) {
        let isNil = index % 3 == 0
        int = isNil ? nil : pick([0, Int.min, Int.max], index)
        int8 = isNil ? nil : pick([0, Int8.min, Int8.max], index)
        int16 = isNil ? nil : pick([0, Int16.min, Int16.max], index)
        int32 = isNil ? nil : pick([0, Int32.min, Int32.max], index)
        int64 = isNil ? nil : pick([0, Int64.min, Int64.max], index)
        bool = isNil ? nil : index.isMultiple(of: 2)
        float = isNil ? nil : pick(Samples.floats, index)
        double = isNil ? nil : pick(Samples.doubles, index)
        string = isNil ? nil : pick(Samples.texts, index)
        data = isNil ? nil : pick(Samples.datas, index)
        date = isNil ? nil : pick(Samples.dates, index)
        uuid = isNil ? nil : pick(Samples.uuids, index)
        objectId = isNil ? nil : pick(Samples.objectIds, index)
        decimal = isNil ? nil : pick(Samples.decimals, index)
        mood = isNil ? nil : pick([.calm, .wild], index)
        colour = isNil ? nil : pick([.green, .red], index)
    }

    var values: [AnyHashable?] {
        [
            int, int8, int16, int32, int64, bool, float, double, string.map { Array($0.utf8) }, data, date,
            uuid, objectId, decimal?.stringValue, mood, colour,
        ]
    }
}

extension AllLists {
    /// Fills every list with the same number of elements; every third of the optional ones is nil.
    func fill(_ count: Int) {
        for index in 0..<count {
            let isNil = index % 3 == 0
            ints.append(pick([0, Int.min, Int.max], index))
            int8s.append(isNil ? nil : Int8(index % 100))
            int16s.append(Int16(index % 1_000))
            int32s.append(isNil ? nil : Int32(index))
            int64s.append(Int64(index))
            bools.append(index.isMultiple(of: 2))
            optionalBools.append(isNil ? nil : index.isMultiple(of: 2))
            floats.append(Float(index))
            doubles.append(isNil ? nil : Double(index))
            strings.append(pick(Samples.texts.dropLast(1) + ["end"], index))
            optionalStrings.append(isNil ? nil : "text \(index)")
            datas.append(pick(Samples.datas, index))
            dates.append(isNil ? nil : pick(Samples.dates, index))
            uuids.append(pick(Samples.uuids, index))
            objectIds.append(pick(Samples.objectIds, index))
            decimals.append(isNil ? nil : pick(Samples.decimals, index))
            moods.append(pick([.calm, .wild], index))
            colours.append(isNil ? nil : pick([.green, .red], index))
        }
    }

    /// The elements of every list but that of objects.
    var values: [[AnyHashable?]] {
        [
            ints.map { $0 }, int8s.map { $0 }, int16s.map { $0 }, int32s.map { $0 }, int64s.map { $0 },
            bools.map { $0 }, optionalBools.map { $0 }, floats.map { $0 }, doubles.map { $0 },
            strings.map { Array($0.utf8) }, optionalStrings.map { $0.map { Array($0.utf8) } },
            datas.map { $0 }, dates.map { $0 }, uuids.map { $0 }, objectIds.map { $0 },
            decimals.map { $0?.stringValue }, moods.map { $0 }, colours.map { $0 },
        ]
    }
}
