internal import Foundation

/// The bytes of a data file in memory, to be looked into and damaged.
///
/// It knows just enough of the format to find a place, and knows it by itself: the numbers stand here a
/// second time on purpose, so that a wrong constant of the check shows.
struct FileImage {
    var bytes: [UInt8]
    static let pageByteCount = 4096
    static let headByteCount = 16

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(_ path: String) throws {
        bytes = Array(try Data(contentsOf: URL(filePath: path)))
    }

    func write(to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    var pageCount: Int { bytes.count / Self.pageByteCount }

    func number<Number: FixedWidthInteger>(_ page: Int, _ offset: Int, as: Number.Type) -> Number {
        bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: page * Self.pageByteCount + offset, as: Number.self)
        }
    }

    mutating func set<Number: FixedWidthInteger>(_ page: Int, _ offset: Int, _ number: Number) {
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(
                of: number, toByteOffset: page * Self.pageByteCount + offset, as: Number.self)
        }
    }

    mutating func flip(bit: Int) {
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }

    /// The newer meta page.
    var meta: Int {
        number(0, 144, as: UInt64.self) < number(1, 144, as: UInt64.self) ? 1 : 0
    }

    var transaction: UInt64 { number(meta, 144, as: UInt64.self) }
    var lastPage: UInt64 { number(meta, 136, as: UInt64.self) }

    /// Where a tree's record begins.
    struct Record {
        var page: Int
        var offset: Int
    }

    var freeRecord: Record { Record(page: meta, offset: 40) }
    var mainRecord: Record { Record(page: meta, offset: 88) }

    /// The record of a named database, in a main tree of one page.
    func record(_ name: String) -> Record {
        let page = root(mainRecord)
        for index in 0..<nodeCount(page) {
            let node = node(page, index)
            if bytes(page, node + 8, keySize(page, node)) == Array(name.utf8) {
                return Record(page: page, offset: node + 8 + keySize(page, node))
            }
        }
        preconditionFailure("There is no database \(name).")
    }

    func root(_ record: Record) -> Int {
        Int(truncatingIfNeeded: number(record.page, record.offset + 40, as: UInt64.self))
    }

    func depth(_ record: Record) -> Int { Int(number(record.page, record.offset + 6, as: UInt16.self)) }

    func flags(_ page: Int) -> UInt16 { number(page, 10, as: UInt16.self) }
    func upper(_ page: Int) -> Int { Int(number(page, 14, as: UInt16.self)) }
    func nodeCount(_ page: Int) -> Int { (Int(number(page, 12, as: UInt16.self)) - 16) / 2 }
    func node(_ page: Int, _ index: Int) -> Int { Int(number(page, 16 + 2 * index, as: UInt16.self)) }
    func nodeFlags(_ page: Int, _ node: Int) -> UInt16 { number(page, node + 4, as: UInt16.self) }
    func keySize(_ page: Int, _ node: Int) -> Int { Int(number(page, node + 6, as: UInt16.self)) }
    func valueSize(_ page: Int, _ node: Int) -> Int { Int(number(page, node, as: UInt32.self)) }
    func child(_ page: Int, _ index: Int) -> Int {
        let node = node(page, index)
        return Int(number(page, node, as: UInt32.self)) | Int(nodeFlags(page, node)) << 32
    }

    func bytes(_ page: Int, _ offset: Int, _ count: Int) -> [UInt8] {
        let start = page * Self.pageByteCount + offset
        return Array(bytes[start..<start + count])
    }

    /// The pages of a tree that have a head: all but the later pages of its runs.
    func pages(_ record: Record) -> [Int] {
        depth(record) == 0 ? [] : pages(below: root(record)).map(\.lowerBound)
    }

    /// All pages of a tree, in pieces.
    func wholePages(_ record: Record) -> [Range<Int>] {
        depth(record) == 0 ? [] : pages(below: root(record))
    }

    private func pages(below page: Int) -> [Range<Int>] {
        guard flags(page) & 1 == 0 else {
            return [page..<page + 1] + (0..<nodeCount(page)).flatMap { pages(below: child(page, $0)) }
        }
        let runs = (0..<nodeCount(page)).map { node(page, $0) }.filter { nodeFlags(page, $0) & 1 != 0 }
        return [page..<page + 1] + runs.map { run(page, $0) }
    }

    /// The pages of a node's value.
    func run(_ page: Int, _ node: Int) -> Range<Int> {
        let first = Int(number(page, node + 8 + keySize(page, node), as: UInt64.self))
        return first..<first + Int(number(first, 12, as: UInt32.self))
    }

    /// The first leaf of a tree.
    func firstLeaf(_ record: Record) -> Int {
        var page = root(record)
        while flags(page) & 1 != 0 { page = child(page, 0) }
        return page
    }
}
