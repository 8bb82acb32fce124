/// A key and its value, as an `OrderedSource` hands them out.
package struct OrderedPair {
    package let key: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer

    @inline(__always)
    package init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        self.key = key
        self.value = value
    }
}

/// Entries that are committed, in the order of their keys' bytes, and a place among them.
///
/// What is handed out stays valid as long as nothing is written through the transaction behind it,
/// and not only up to the next step.
package protocol OrderedSource: ~Copyable {
    /// Goes to the first entry whose key is `key` or comes after it; nil if there is none.
    mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(StorageError) -> OrderedPair?

    /// Goes to the last entry; nil if there is none.
    mutating func last() throws(StorageError) -> OrderedPair?

    /// Goes to the entry after this one; nil at the end. Only after one was found.
    mutating func next() throws(StorageError) -> OrderedPair?

    /// Goes to the entry before this one; nil at the beginning. Only after one was found.
    mutating func previous() throws(StorageError) -> OrderedPair?
}

extension OrderedSource where Self: ~Copyable {
    /// Goes to the last entry whose key comes before `key`; nil if there is none.
    @inline(__always)
    mutating func seek(before key: UnsafeRawBufferPointer) throws(StorageError) -> OrderedPair? {
        guard try seek(atOrAfter: key) != nil else { return try last() }
        return try previous()
    }
}

/// A source without entries: a file whose database has not been made yet.
package struct EmptyOrderedSource: OrderedSource {
    package init() {}
    package mutating func seek(atOrAfter key: UnsafeRawBufferPointer) -> OrderedPair? { nil }
    package mutating func last() -> OrderedPair? { nil }
    package mutating func next() -> OrderedPair? { nil }
    package mutating func previous() -> OrderedPair? { nil }
}
