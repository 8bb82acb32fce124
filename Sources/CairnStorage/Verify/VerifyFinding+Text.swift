extension VerifyFinding: CustomStringConvertible {
    /// A sentence for a person.
    package var description: String {
        if case .page(let finding) = kind { return finding.description }
        let place = place.description
        let numbers = [expected.map { "expected \($0)" }, found.map { "found \($0)" }].compactMap(\.self)
        let sentence = ([kind.text] + numbers).joined(separator: ", ")
        return (place.isEmpty ? "" : "\(place): ") + "\(sentence)." + (reason.map { " \($0)" } ?? "")
    }
}

extension VerifyFinding.Place: CustomStringConvertible {
    package var description: String {
        let parts: [String?] = [
            space.map { "\($0)" }, block.map { "block \($0)" }, column.map { "\($0)" },
            row.map { "row \($0)" },
            otherRow.map { "linked row \($0)" }, value.map { "\($0)" }, version.map { "\($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension VerifyFinding.Kind {
    fileprivate var text: String {
        switch self {
        case .page(let finding): finding.description
        case .catalogRecord: "a record of the catalogue cannot be"
        case .catalogMissing: "a record of the catalogue is missing"
        case .catalogStray: "a record of the catalogue that belongs to nothing"
        case .schema: "the definitions do not fit each other"
        case .counter: "a number that its counter has not reached"
        case .chunkStray: "a chunk that belongs to nothing"
        case .chunkChecksum: "a chunk that does not match its checksum"
        case .chunkVersion: "a chunk from a later version"
        case .chunkInvalid: "a chunk that cannot be"
        case .chunkUnlisted: "a chunk that its directory does not list"
        case .chunkMissing: "a chunk is missing"
        case .directoryMissing: "chunks without a directory"
        case .directoryEmpty: "a directory without a row"
        case .rowOutside: "a row outside of what its table counts"
        case .slotCount: "too few slots"
        case .nullNotAllowed: "null where there is none"
        case .nullNotZero: "a null that is not zero"
        case .zoneMap: "a value outside the range that its chunk announces"
        case .textSlot: "a text and its slot do not agree"
        case .textEncoding: "a string that is not UTF-8"
        case .listElement: "an element that its list cannot hold"
        case .rowCount: "wrong number of rows"
        case .blockCount: "wrong number of blocks"
        case .firstBlock: "wrong first block"
        default: entryText
        }
    }

    private var entryText: String {
        switch self {
        case .valueMissing: "a large value is missing"
        case .valueUnused: "a large value that nobody uses"
        case .valueShared: "a large value that is used more than once"
        case .valueMismatch: "a large value of another kind or length than it is used as"
        case .valueChecksum: "a large value that does not match its checksum"
        case .valueInvalid: "a large value that cannot be"
        case .valueExcess: "more large values are used than there are, and some were not read"
        case .bucketMissing: "buckets are missing"
        case .bucketStray: "a bucket that its index does not have"
        case .entryMissing: "a row is missing in an index"
        case .entryStray: "an index entry that no row has"
        case .entryCount: "wrong number of entries"
        case .keyNotUnique: "two rows with one key"
        case .orderedStray: "an ordered entry that belongs to nothing"
        case .orderedInvalid: "an ordered entry that cannot be"
        case .linkDangling: "a link to a row that is not there"
        case .backlinkMissing: "a link that its target does not mirror"
        case .backlinkStray: "a backlink without its link"
        case .backlinkOrder: "backlinks out of order"
        case .backlinkCount: "wrong number of backlinks"
        case .changeVersion: "changes of a later version"
        case .changeInvalid: "a record of changes that cannot be"
        default: ""
        }
    }
}
