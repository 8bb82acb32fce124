internal import Foundation

/// Measures Cairn's engine beside SQLite and bare LMDB, on the same work in one run.
@main
enum CairnBenchmarks {
    static func main() {
        do {
            try run(Options(Array(CommandLine.arguments.dropFirst())))
        } catch let mistake as Options.Mistake {
            fail("\(mistake)\n\(Options.usage)", status: EX_USAGE)
        } catch {
            fail("\(error)", status: EXIT_FAILURE)
        }
    }

    private static func run(_ options: Options) throws {
        #if DEBUG
        print("This is a debug build: the figures mean nothing.")
        #endif
        try FileManager.default.createDirectory(atPath: options.directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: options.directory) }

        if let rowCount = options.largeWriteRowCount {
            return try LargeWrite(rowCount: rowCount, directory: options.directory).run()
        }
        if options.measuresAccessors {
            try AccessorCosts(directory: options.directory).run()
            return try QueryCosts(directory: options.directory).run()
        }
        if options.measuresMigrations {
            for rowCount in options.rowCounts {
                try MigrationCosts(
                    rowCount: rowCount, directory: "\(options.directory)/\(rowCount)",
                    isCompared: options.contenders.contains { $0 == SQLiteContender.self }
                ).run()
            }
            return
        }
        // Now, not after minutes: whether the file can be written.
        try writeLines(of: [], options)
        var all: [Measurement] = []
        for rowCount in options.rowCounts {
            print("\n\(rowCount) rows, medians of \(options.roundCount) rounds")
            fflush(nil)
            let runner = Runner(
                contenders: options.contenders, plan: Workload.plan(for: options.names),
                data: Dataset(rowCount: rowCount), roundCount: options.roundCount,
                directory: options.directory)
            let measurements = try runner.run().filter { options.names.contains($0.workload.name) }
            try Table(
                measurements: measurements,
                machine: Machine(rowCount: rowCount, directory: options.directory),
                contenders: options.contenders.map { $0.name }
            ).print()
            all += measurements
            // Each size as it is there: the larger one takes minutes.
            try writeLines(of: all, options)
        }
    }

    private static func writeLines(of measurements: [Measurement], _ options: Options) throws {
        guard let path = options.jsonPath else { return }
        do {
            try JSONLines(measurements: measurements).write(to: path)
        } catch {
            throw Options.Mistake(description: "--json: \(path) cannot be written")
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("CairnBenchmarks: \(message)\n".utf8))
        exit(status)
    }
}
