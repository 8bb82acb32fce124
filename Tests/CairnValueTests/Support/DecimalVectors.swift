import Foundation
import Testing

/// What Python's decimal module says about decimal128 numbers: see `Vectors/make-vectors.py`.
struct DecimalVectors {
    /// Each line's words behind its kind.
    private let lines: [String: [[String]]]

    init() throws {
        let url = try #require(Bundle.module.url(forResource: "decimal", withExtension: "txt"))
        let rows = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: " ").map(String.init) }
        lines = Dictionary(grouping: rows) { $0[0] }.mapValues { $0.map { Array($0.dropFirst()) } }
    }

    /// The lines of a kind, of which there must be at least so many.
    func of(_ kind: String, atLeast count: Int) throws -> [[String]] {
        let found = lines[kind] ?? []
        try #require(found.count >= count, "\(found.count) lines are \(kind)")
        return found
    }
}
