internal import Foundation

/// The measurements for a program: one JSON object a line.
struct JSONLines {
    /// Its fields are what the file promises; a contender that took no part is null.
    private struct Line: Encodable {
        let test: String
        let n: Int
        let cairn: Double?
        let sqlite: Double?
        let lmdb: Double?
        let ratio: Double?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(test, forKey: .test)
            try container.encode(n, forKey: .n)
            try container.encode(cairn, forKey: .cairn)
            try container.encode(sqlite, forKey: .sqlite)
            try container.encode(lmdb, forKey: .lmdb)
            try container.encode(ratio, forKey: .ratio)
        }

        private enum CodingKeys: CodingKey {
            case test, n, cairn, sqlite, lmdb, ratio
        }
    }

    let measurements: [Measurement]

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var text = Data()
        for measurement in measurements {
            for entry in measurement.workload.entries {
                let line = Line(
                    test: entry.name, n: measurement.rowCount, cairn: measurement.median(of: entry.contender),
                    sqlite: measurement.median(of: "sqlite"), lmdb: measurement.median(of: "lmdb"),
                    ratio: measurement.ratio(of: entry.contender, to: "sqlite"))
                text += try encoder.encode(line) + Data("\n".utf8)
            }
        }
        try text.write(to: URL(fileURLWithPath: path))
    }
}
