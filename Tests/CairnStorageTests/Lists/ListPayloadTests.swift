import CairnStorage
import TestSupport
import Testing

@Suite struct ListPayloadTests {
    @Test(arguments: ListElementLayout.all)
    func `a payload has the bytes of the format's page`(layout: ListElementLayout) throws {
        var random = SeededGenerator(seed: 1)
        for count in 0..<40 {
            let elements = layout.randomElements(count, &random)
            let bytes = try payloadBytes(elements, layout)
            #expect(bytes == expectedPayload(elements, layout))
            try bytes.withUnsafeBytes {
                let payload = try ListPayload($0, count: count, layout: layout)
                #expect(payload.elements == elements)
                #expect(payload.byteCount == bytes.count)
                #expect(payload.plainElements.map(Array.init) == (layout.isPlain ? bytes : nil))
            }
        }
    }

    @Test(arguments: ListElementLayout.all)
    func `every replacement, split and joint of short lists is right`(layout: ListElementLayout) throws {
        var random = SeededGenerator(seed: 2)
        var result: [UInt8] = []
        for count in [0, 1, 2, 7, 8, 9, 17] {
            let elements = layout.randomElements(count, &random)
            let new = layout.randomElements(19, &random)
            let (bytes, newBytes) = (try payloadBytes(elements, layout), try payloadBytes(new, layout))
            try bytes.withUnsafeBytes { bytes in
                try newBytes.withUnsafeBytes { newBytes in
                    let payload = try ListPayload(bytes, count: count, layout: layout)
                    let source = try ListPayload(newBytes, count: new.count, layout: layout)
                    for (range, newRange) in replacements(count, &random) {
                        let splice = payload.replacing(range, with: ListRun(source, newRange))
                        var expected = elements
                        expected.replaceSubrange(range, with: new[newRange])
                        splice.write(into: &result)
                        #expect(result == expectedPayload(expected, layout))
                        #expect(splice.count == expected.count)
                    }
                    for index in 0...count {
                        let (left, right) = payload.split(at: index)
                        left.write(into: &result)
                        #expect(result == expectedPayload(Array(elements[..<index]), layout))
                        right.write(into: &result)
                        #expect(result == expectedPayload(Array(elements[index...]), layout))
                    }
                    ListSplice(joining: payload, source).write(into: &result)
                    #expect(result == expectedPayload(elements + new, layout))
                }
            }
        }
    }

    /// Every range of a list of `count`, each with a random range of 19 new elements.
    private func replacements(
        _ count: Int, _ random: inout SeededGenerator
    ) -> [(Range<Int>, Range<Int>)] {
        (0...count).flatMap { lower in
            (lower...count).map { upper in
                let start = Int.random(in: 0...19, using: &random)
                return (lower..<upper, start..<Int.random(in: start...19, using: &random))
            }
        }
    }

    @Test(arguments: ListElementLayout.all)
    func `a part of a splice has the elements of that part`(layout: ListElementLayout) throws {
        var random = SeededGenerator(seed: 3)
        let elements = layout.randomElements(9, &random)
        let buffer = try buffer(elements, layout)
        let splice = buffer.payload.replacing(2..<4, with: ListRun(buffer.payload, 5..<8))
        let expected = elements[..<2] + elements[5..<8] + elements[4...]
        for lower in 0...splice.count {
            for upper in lower...splice.count {
                var result: [UInt8] = []
                splice[lower..<upper].write(into: &result)
                #expect(result == expectedPayload(Array(Array(expected)[lower..<upper]), layout))
            }
        }
        withExtendedLifetime(buffer) {}
    }

    @Test(arguments: ListElementLayout.all)
    func `a payload of another size is damage`(layout: ListElementLayout) throws {
        var random = SeededGenerator(seed: 4)
        let bytes = try payloadBytes(layout.randomElements(9, &random), layout)
        for size in 0..<bytes.count + 4 where size != bytes.count {
            let cut = Array((bytes + [1, 2, 3, 4])[..<size])
            expectDamage { try cut.withUnsafeBytes { _ = try ListPayload($0, count: 9, layout: layout) } }
        }
        expectDamage { try bytes.withUnsafeBytes { _ = try ListPayload($0, count: -1, layout: layout) } }
        expectDamage {
            try bytes.withUnsafeBytes { _ = try ListPayload($0, count: .max, layout: layout) }
        }
    }

    @Test func `end offsets that fall are damage, and reads through them stay inside`() throws {
        let layout = ListElementLayout(kind: .string, isNullable: false)
        var bytes = try payloadBytes([[1, 2], [3], [4, 5, 6]], layout)
        bytes[4] = 200
        expectDamage { try bytes.withUnsafeBytes { _ = try ListPayload($0, count: 3, layout: layout) } }
        try bytes.withUnsafeBytes {
            let payload = try ListPayload($0, count: 3, layout: layout, checksOffsets: false)
            #expect(payload.elements == [[1, 2], [3, 4, 5, 6], []])
        }
    }

    @Test func `links are never null`() {
        #expect(!ListElementLayout(kind: .link, isNullable: true).isNullable)
    }
}

/// Checks that `body` throws `damaged`.
func expectDamage(_ body: () throws -> Void) {
    let error = #expect(throws: StorageError.self, performing: body)
    #expect(error?.code == .damaged)
}
