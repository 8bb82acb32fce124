/// Checks the main tree, whose entries are the records of the named databases, and those databases.
struct MainTreeCheck {
    private let version: CheckedVersion
    /// The databases that the file must have, with the order of their keys; nil: any.
    private let expected: [String: KeyOrder]?
    private var met: Set<String> = []

    /// Walks the main tree and, from each entry, the tree of a database.
    ///
    /// - Returns: What all these trees hold together.
    static func run(
        of version: CheckedVersion, expected: [String: KeyOrder]?
    ) throws(StorageError) -> TreeCounts {
        var check = MainTreeCheck(version: version, expected: expected)
        let record = version.meta.mainRecord
        var total = TreeCounts()
        let main = try TreeCheck.run(record, of: version) { node, leaf, _ throws(StorageError) in
            total.add(try check.checkDatabase(node, leaf))
        }
        check.noteMissing()
        total.add(main)
        return total
    }

    private init(version: CheckedVersion, expected: [String: KeyOrder]?) {
        self.version = version
        self.expected = expected
    }

    private mutating func checkDatabase(_ node: Node, _ leaf: LeafPage) throws(StorageError) -> TreeCounts {
        let name = String(decoding: node.key(in: leaf.bytes) ?? .init(start: nil, count: 0), as: UTF8.self)
        guard node.valueByteCount == RecordLayout.byteCount,
            let record = DatabaseRecord(
                .named(name), in: leaf.bytes, page: leaf.number, offset: node.valueOffset)
        else {
            version.isIncomplete = true
            leaf.note(
                .databaseRecord, at: node.offset, expected: .exactly(UInt64(RecordLayout.byteCount)),
                found: UInt64(node.valueByteCount), in: version)
            return TreeCounts()
        }
        for finding in record.findings(lastPage: version.meta.lastPage) { version.recorder.note(finding) }
        compareWithExpected(record, name)
        return try TreeCheck.run(record, of: version) { _, _, _ in }
    }

    private mutating func compareWithExpected(_ record: DatabaseRecord, _ name: String) {
        guard let expected else { return }
        guard let order = expected[name] else {
            version.recorder.note(record.finding(.databaseUnknown, at: 0, expected: .none, found: 0))
            return
        }
        met.insert(name)
        guard record.order != order else { return }
        let flags = order == .integers ? RecordFlags.integerKeys : 0
        version.recorder.note(
            record.finding(
                .treeFlags, at: RecordLayout.flags, expected: .exactly(UInt64(flags)),
                found: UInt64(record.flags)))
    }

    private func noteMissing() {
        guard let expected else { return }
        for name in expected.keys.sorted() where !met.contains(name) {
            let record = version.meta.mainRecord
            version.note(
                .databaseMissing, tree: .named(name), page: record.page, at: record.offset, found: 0)
        }
    }
}
