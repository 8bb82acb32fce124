internal import CairnPredicate

/// The parts of a chain of AND or of OR while it is put together: `a || b || c || …`.
///
/// Every operator gives a new value, of which the longer one is usually all that goes on. So the values of a chain
/// share one array, each with the number of parts that are its own, and the longest appends in place: a chain of n
/// parts takes O(n), where copying the parts at each operator took O(n²).
///
///     a || b          buffer [a, b]          count 2
///     (a || b) || c   buffer [a, b, c]       count 3, and the first is as it was
///     (a || b) || d   buffer [a, b, d]       another one, because the first has gone on
///
/// Used by one thread, as queries are.
struct QueryChain {
    private final class Buffer {
        var parts: [Condition]

        init(_ parts: [Condition]) { self.parts = parts }
    }

    /// Of OR; else of AND.
    let isOr: Bool
    private let buffer: Buffer
    private let count: Int

    private init(isOr: Bool, _ buffer: Buffer, _ count: Int) {
        self.isOr = isOr
        self.buffer = buffer
        self.count = count
    }

    init(isOr: Bool, _ parts: [Condition]) {
        self.init(isOr: isOr, Buffer(parts), parts.count)
    }

    /// - Complexity: O(parts that are added); O(all) where another chain has gone on from this one.
    func appending(_ parts: [Condition]) -> QueryChain {
        guard buffer.parts.count == count else {
            return QueryChain(isOr: isOr, Array(buffer.parts[..<count]) + parts)
        }
        buffer.parts.append(contentsOf: parts)
        return QueryChain(isOr: isOr, buffer, buffer.parts.count)
    }

    var condition: Condition {
        let parts = Array(buffer.parts[..<count])
        return isOr ? .or(parts) : .and(parts)
    }
}
