internal import Foundation

/// Runs the workloads of one size, round by round.
///
/// In each round every contender starts from an empty directory, and each workload is run by all of
/// them, one after the other, before the next one: what disturbs the machine disturbs them alike. Who
/// comes first changes with each workload and round. The first round is not counted; in it the contents
/// of all databases are compared too.
struct Runner {
    let contenders: [any Contender.Type]
    let plan: [Workload]
    let data: Dataset
    let roundCount: Int
    /// Where the databases are made. What is in it afterwards is removed.
    let directory: String

    /// The shortest time that is measured: reads are repeated until it has passed.
    private static let shortestTime = 0.02

    func run() throws -> [Measurement] {
        var measurements = plan.map { Measurement(workload: $0, rowCount: data.rowCount) }
        for round in 0...roundCount {
            let isWarmUp = round == 0
            let results = try runRound(round, comparesContents: isWarmUp)
            guard !isWarmUp else { continue }
            for (index, result) in results.enumerated() { measurements[index].add(result) }
        }
        return measurements
    }

    /// For each workload of the plan, what each contender reached.
    private func runRound(_ round: Int, comparesContents: Bool) throws -> [[String: Double]] {
        let root = "\(directory)/round"
        try? FileManager.default.removeItem(atPath: root)
        defer { try? FileManager.default.removeItem(atPath: root) }

        var shared = try contenders.map { try Participant($0, in: "\(root)/shared", data: data) }
        var expectation = Expectation(data: data)
        var results: [[String: Double]] = []
        for (index, workload) in plan.enumerated() {
            let startsEmpty = workload.kind == .startsEmpty
            var participants = shared
            if startsEmpty {
                // Only one database at a time: what is open takes memory from the others.
                for participant in shared { try participant.contender.close() }
                shared = []
                expectation = Expectation(data: data)
                participants = try contenders.map {
                    try Participant($0, in: "\(root)/\(workload.name)", data: data)
                }
            }
            let expected = workload.expect(&expectation)

            var result: [String: Double] = [:]
            var absent: Set<String> = []
            for turn in participants.indices {
                let participant = participants[(turn + round + index) % participants.count]
                do {
                    result[participant.name] = try measure(workload, participant, expected)
                } catch is DoesNotTakePart {
                    absent.insert(participant.name)
                }
            }
            results.append(result)

            if comparesContents && (workload.kind == .changes || startsEmpty) {
                try compareContents(
                    participants.filter { !absent.contains($0.name) }, with: expectation.digest,
                    after: workload)
            }
            if startsEmpty {
                for participant in participants { try participant.contender.close() }
            }
        }
        for participant in shared { try participant.contender.close() }
        return results
    }

    /// Operations a second; for the size, bytes a row.
    private func measure(_ workload: Workload, _ participant: Participant, _ expected: Answer) throws
        -> Double
    {
        if workload.kind == .size {
            return try Double(participant.contender.byteCount()) / Double(data.rowCount)
        }
        if workload.isDurable { sync() }
        var runCount = 0
        let start = ContinuousClock.now
        var seconds = 0.0
        repeat {
            let answer = try workload.run(participant.contender)
            seconds = (ContinuousClock.now - start) / .seconds(1)
            runCount += 1
            guard answer == expected else {
                throw WrongResult(
                    description: "\(workload.name): \(participant.name) answers \(answer), not \(expected)")
            }
        } while workload.kind == .reads && seconds < Self.shortestTime
        return Double(workload.operationCount(data) * runCount) / seconds
    }

    private func compareContents(
        _ participants: [Participant], with expected: Digest, after workload: Workload
    ) throws {
        for participant in participants {
            let contents = try participant.contender.contents()
            guard contents == expected else {
                throw WrongResult(
                    description:
                        "after \(workload.name), \(participant.name) holds \(contents), not \(expected)")
            }
        }
    }
}

/// One contender with its database.
private struct Participant {
    let name: String
    let contender: any Contender

    init(_ type: any Contender.Type, in root: String, data: Dataset) throws {
        name = type.name
        let directory = "\(root)/\(type.name)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        contender = try type.init(directory: directory, data: data)
    }
}
