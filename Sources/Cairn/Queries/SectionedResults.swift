public import Foundation

/// The elements of a collection in sections of equal keys, as lists on a screen show them.
///
/// ```swift
/// let byLetter = realm.objects(Person.self).sectioned(by: { $0.name.prefix(1).uppercased() }, sortDescriptors: ["name"])
/// for section in byLetter {
///     print(section.key)
///     for person in section { print("  \(person.name)") }
/// }
/// ```
///
/// The elements are sorted; a new section begins the first time that a key is met, and later elements with that
/// key join it. Live as `Results` are: the sections are made anew when something was changed.
///
/// - Complexity: the first use after a change reads every element's key, O(n); then O(1).
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue> {
    let source: SectionedSource<Key, SectionElement>

    init(_ source: SectionedSource<Key, SectionElement>) {
        self.source = source
    }

    /// The keys of all sections, in their order.
    public var allKeys: [Key] { source.sections().keys }

    /// An element by its section and its place within that.
    public subscript(indexPath: IndexPath) -> SectionElement {
        self[indexPath.section][indexPath.item]
    }
}

extension SectionedResults: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { source.sections().keys.count }

    /// A section. An index that is out of bounds is misuse.
    public subscript(index: Int) -> ResultsSection<Key, SectionElement> {
        let keys = source.sections().keys
        guard keys.indices.contains(index) else {
            let error = RealmError(
                .misuse,
                "Index \(index) is out of bounds (must be less than \(keys.count)) in SectionedResults.")
            Misuse.reportFatal(error)
            preconditionFailure(error.message)
        }
        return ResultsSection(source, key: keys[index])
    }

    public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
        SectionedResultsIterator(source)
    }
}

/// Goes through the sections that there were when the loop began.
public struct SectionedResultsIterator<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
    IteratorProtocol
{
    private let source: SectionedSource<Key, SectionElement>
    private var keys: ArraySlice<Key>

    init(_ source: SectionedSource<Key, SectionElement>) {
        self.source = source
        keys = source.sections().keys[...]
    }

    public mutating func next() -> ResultsSection<Key, SectionElement>? {
        keys.popFirst().map { ResultsSection(source, key: $0) }
    }
}

/// What `SectionedResults` and its sections have in common.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable {
    /// The Realm of the elements.
    var realm: Realm? { get }
    /// Whether it can be read no more.
    var isInvalidated: Bool { get }
    /// Whether it never changes, and may be read on every thread.
    var isFrozen: Bool { get }
    /// The same as it is now, for every thread.
    func freeze() -> Self
    /// The live one on the calling thread; nil where what it began from is gone.
    func thaw() -> Self?
}

extension SectionedResults: RealmSectionedResult {
    public var realm: Realm? { source.results.realm }
    public var isInvalidated: Bool { source.results.isInvalidated }
    public var isFrozen: Bool { source.results.isFrozen }

    public func freeze() -> SectionedResults { isFrozen ? self : SectionedResults(source.frozen()) }

    public func thaw() -> SectionedResults? {
        isFrozen ? source.thawed().map { SectionedResults($0) } : self
    }

    /// Whether both are copies of one.
    public static func == (left: SectionedResults, right: SectionedResults) -> Bool {
        left.source === right.source
    }
}

extension SectionedResults: CustomStringConvertible {
    public var description: String {
        map { section in "\(section.key): \(section.count)" }.joined(separator: "\n")
    }
}

extension IndexPath {
    /// A place by its section, and its place within that. Foundation has it on Apple's systems only.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The first of two indexes.
    public var section: Int { self[0] }
    /// The second of two indexes.
    public var item: Int { self[1] }
}
