/// Running sums of the pieces' counts, which find the piece of an element (Fenwick 1994).
///
/// Node i, from 1, holds the sum of the last `i & -i` counts up to the i-th. So a count changes, and
/// an element is found, in O(log pieces), and the end can be cut off and added to without a look at
/// what stands before it.
struct PieceCounts {
    private var nodes: [Int] = []
    /// The sum of all counts.
    private(set) var total = 0

    /// Adds to the count of a piece.
    mutating func add(_ difference: Int, to piece: Int) {
        total += difference
        var node = piece + 1
        while node <= nodes.count {
            nodes[node - 1] += difference
            node += node & -node
        }
    }

    /// Adds a piece behind the last. Amortised O(1).
    mutating func append(_ count: Int) {
        let node = nodes.count + 1
        var sum = count
        var below = 1
        while below < node & -node {
            sum += nodes[node - below - 1]
            below *= 2
        }
        nodes.append(sum)
        total += count
    }

    /// Forgets the pieces from `piece` on. O(log pieces).
    mutating func cut(from piece: Int) {
        nodes.removeLast(nodes.count - piece)
        total = start(of: piece)
    }

    /// The number of elements before a piece. O(log pieces).
    func start(of piece: Int) -> Int {
        var sum = 0
        var node = piece
        while node > 0 {
            sum += nodes[node - 1]
            node &= node - 1
        }
        return sum
    }

    /// The piece of an element, and the element's place in it. O(log pieces).
    ///
    /// - Precondition: `index` is in `0..<total`, and no count is 0.
    func locate(_ index: Int) -> (piece: Int, offset: Int) {
        precondition(index >= 0 && index < total, "There is no such element.")
        var piece = 0
        var offset = index
        var step = 1 << (Int.bitWidth - 1 - nodes.count.leadingZeroBitCount)
        while step > 0 {
            if piece + step <= nodes.count, nodes[piece + step - 1] <= offset {
                piece += step
                offset -= nodes[piece - 1]
            }
            step /= 2
        }
        return (piece, offset)
    }
}
