internal import Foundation

/// What the command line asks for.
struct Options {
    var rowCounts = [100_000, 1_000_000]
    /// The workloads to measure.
    var names = Set(Workload.all.map(\.name))
    /// Who takes part; one alone is for a profiler.
    var contenders = Contenders.all
    var roundCount = 5
    var jsonPath: String?
    /// Instead of the workloads: insert that many rows in one write, and tell the memory it takes.
    var largeWriteRowCount: Int?
    /// Instead of the workloads: what a property and an object cost.
    var measuresAccessors = false
    /// Instead of the workloads: what carrying a file over to other classes costs.
    var measuresMigrations = false
    /// Where the databases are made. It decides what a durable write costs: name a disk, not a tmpfs.
    var directory = ".build/benchmark-files"

    static let usage = """
        usage: CairnBenchmarks [--n ROWS,...] [--only WORKLOAD,...] [--rounds COUNT] [--json FILE] \
        [--directory PATH] [--contenders NAME,...] [--large-write ROWS] [--accessors] [--migrations]
        ROWS: multiples of 20, at least 1000; COUNT: at least 5, after one that does not count.
        Workloads: \(Workload.all.map(\.name).joined(separator: ", "))
        """

    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--accessors" {
                measuresAccessors = true
                continue
            }
            if option == "--migrations" {
                measuresMigrations = true
                continue
            }
            guard let value = rest.popFirst() else { throw Mistake(description: "\(option) needs a value") }
            switch option {
            case "--n": rowCounts = try Self.numbers(value, for: option) { $0 >= 1_000 && $0 % 20 == 0 }
            case "--only": names = try Self.names(value)
            case "--contenders": contenders = try Self.contenders(value)
            case "--rounds": roundCount = try Self.numbers(value, for: option) { $0 >= 5 }[0]
            case "--json": jsonPath = value
            case "--directory": directory = value
            case "--large-write": largeWriteRowCount = try Self.numbers(value, for: option) { $0 >= 1_000 }[0]
            default: throw Mistake(description: "there is no option \(option)")
            }
        }
    }

    private static func numbers(
        _ text: String, for option: String, where isAllowed: (Int) -> Bool
    ) throws(Mistake) -> [Int] {
        var numbers: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Int(part.replacing("_", with: "")), isAllowed(number) else {
                throw Mistake(description: "\(option): \(part) is not allowed")
            }
            numbers.append(number)
        }
        return numbers
    }

    private static func names(_ text: String) throws(Mistake) -> Set<String> {
        var names: Set<String> = []
        for part in text.split(separator: ",") {
            // A workload is run for all that take part: its two names are one.
            guard let workload = Workload.all.first(where: { $0.name == part || $0.engineName == part })
            else {
                throw Mistake(description: "--only: there is no workload \(part)")
            }
            names.insert(workload.name)
        }
        guard !names.isEmpty else { throw Mistake(description: "--only: no workload is named") }
        return names
    }

    private static func contenders(_ text: String) throws(Mistake) -> [any Contender.Type] {
        let names = Set(text.split(separator: ",").map(String.init))
        let chosen = Contenders.all.filter { names.contains($0.name) }
        guard !chosen.isEmpty && chosen.count == names.count else {
            let all = Contenders.all.map { $0.name }
            throw Mistake(description: "--contenders: only \(all.joined(separator: ", ")) are known")
        }
        return chosen
    }
}
