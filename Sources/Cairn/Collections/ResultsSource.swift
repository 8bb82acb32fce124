internal import CairnStorage

/// What the copies of a `Results` share: `ObjectResults`, `ValueResults`, or this itself, which is empty.
@usableFromInline
class ResultsSource {
    /// nil of the empty results of what is in no Realm.
    let session: RealmSession?

    /// Whether it is `ValueResults`: asked for each element, where a cast would cost more than the rest.
    let holdsValues: Bool

    init(_ session: RealmSession?, holdsValues: Bool = false) {
        self.session = session
        self.holdsValues = holdsValues
    }

    /// nil for objects.
    var values: ValueResults? { holdsValues ? unsafeDowncast(self, to: ValueResults.self) : nil }

    var count: Int { 0 }
    var isEmpty: Bool { true }
    var isInvalidated: Bool { false }
    var elementName: String { "Object" }
    /// What it was asked, for asking more.
    var query: _CollectionQuery { _CollectionQuery(.nothing) }

    /// The object at a place; nil out of bounds, which was reported.
    func object(at index: Int) -> ObjectBase? {
        reportOutOfBounds(index, 0)
        return nil
    }

    func firstObject() -> ObjectBase? { nil }
    func place(of object: ObjectBase) -> Int? { nil }
    func cursor() -> RowCursor? { nil }

    /// The same at the version as it is now, for every thread.
    func frozen() -> ResultsSource { self }
    /// The same on the calling thread; nil where it is not there any more.
    func thawed(in session: RealmSession) -> ResultsSource? { self }

    func reportOutOfBounds(_ index: Int, _ count: Int) {
        Misuse.report(
            RealmError(
                .misuse,
                "Index \(index) is out of bounds (must be less than \(count)) in Results of '\(elementName)'."
            ),
            session)
    }
}

extension RealmSession {
    /// Carries out something that the engine may fail at; nil after a failure, which was noted: by the write
    /// that is in progress, which throws it, else by the logger.
    func noting<Result>(_ body: () throws(StorageError) -> Result) -> Result? {
        do throws(StorageError) {
            return try body()
        } catch {
            let error = RealmError(error, file: settings.fileURL)
            if !isFrozen, confinement.isHere, isWriting {
                doom(error)
            } else {
                Logger.shared.log(.error, error.message)
            }
            return nil
        }
    }
}
