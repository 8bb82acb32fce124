import CairnStorage
import TestSupport

/// An element as the tests' models keep it: nil is null.
typealias Element = [UInt8]?

extension ListElementLayout {
    /// Every kind of element a list can have, nullable and not.
    static let all: [ListElementLayout] = ValueKind.allCases.filter { $0 != .backlinks }.flatMap { kind in
        let layouts = [false, true].map { ListElementLayout(kind: kind, isNullable: $0) }
        return kind == .link ? [layouts[0]] : layouts
    }

    /// An element the layout allows. Texts are mostly short, and sometimes longer than a test's piece.
    func randomElement(_ random: inout SeededGenerator) -> Element {
        if isNullable, Int.random(in: 0..<4, using: &random) == 0 { return nil }
        let longest = [0, 3, 12, 20, 90][Int.random(in: 0..<5, using: &random)]
        let byteCount = holdsTexts ? Int.random(in: 0...longest, using: &random) : width
        return (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    func randomElements(_ count: Int, _ random: inout SeededGenerator) -> [Element] {
        (0..<count).map { _ in randomElement(&random) }
    }
}

/// Calls `body` with the bytes of an element.
func withBytes<R>(_ element: Element, _ body: (UnsafeRawBufferPointer?) throws -> R) rethrows -> R {
    guard let element else { return try body(nil) }
    // An empty array may have no address, which must not make a null of an empty text.
    return try (element + [0]).withUnsafeBytes {
        try body(UnsafeRawBufferPointer(rebasing: $0[0..<element.count]))
    }
}

/// The elements in a buffer of the layout.
func buffer(_ elements: [Element], _ layout: ListElementLayout) throws -> ListBuffer {
    let buffer = ListBuffer(layout: layout)
    for element in elements { try withBytes(element) { try buffer.append($0) } }
    return buffer
}

/// The payload of the elements.
func payloadBytes(_ elements: [Element], _ layout: ListElementLayout) throws -> [UInt8] {
    let buffer = try buffer(elements, layout)
    var bytes = [UInt8](repeating: 0xEE, count: buffer.byteCount)
    bytes.withUnsafeMutableBytes { buffer.write(to: $0, at: 0) }
    return bytes
}

/// What the format's page says the payload of the elements is, written down the slow way.
func expectedPayload(_ elements: [Element], _ layout: ListElementLayout) -> [UInt8] {
    var nulls = [UInt8](repeating: 0, count: layout.isNullable ? (elements.count + 7) / 8 : 0)
    var entries: [UInt8] = []
    var texts: [UInt8] = []
    for (index, element) in elements.enumerated() {
        if element == nil { nulls[index / 8] |= 1 << UInt8(index % 8) }
        if layout.holdsTexts {
            texts += element ?? []
            entries += (0..<4).map { UInt8(truncatingIfNeeded: texts.count >> ($0 * 8)) }
        } else {
            entries += element ?? [UInt8](repeating: 0, count: layout.width)
        }
    }
    return nulls + entries + texts
}

extension ListPayload {
    /// The elements, read one by one.
    var elements: [Element] { (0..<count).map { element(at: $0).map(Array.init) } }
}

extension ListRun {
    /// The elements, read one by one.
    var elements: [Element] { (0..<count).map { element(at: $0).map(Array.init) } }
}
