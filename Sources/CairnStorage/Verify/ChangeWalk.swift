internal import CairnLMDB

/// Goes through the database `changes`. Nothing depends on a record being there, so none is missed.
enum ChangeWalk {
    static func run(_ context: VerifyContext) throws(StorageError) {
        let newest = context.reader.version
        try context.reader.forEachEntry(of: context.reader.contents.changes) { entry throws(StorageError) in
            context.counts.changes += 1
            context.step()
            guard entry.key.count == 8 else { return }
            let version = Version(entry.integerKey)
            let place = VerifyFinding.Place(version: version)
            if version > newest || version.value == 0 {
                context.recorder.note(.changeVersion, place, expected: newest.value, found: version.value)
            }
            guard let record = context.opened(entry.value, key: version.value, .changeInvalid, place) else {
                return
            }
            do throws(StorageError) {
                _ = try ChangeSet(decoding: record, version: version)
            } catch {
                context.recorder.note(.changeInvalid, place, reason: error.message)
            }
        }
    }
}
