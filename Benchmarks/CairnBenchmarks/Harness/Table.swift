internal import Foundation

/// The measurements of one size, for a person.
struct Table {
    let measurements: [Measurement]
    let machine: Machine
    let contenders: [String]

    private static let nameWidth = 21
    private static let width = 12

    func print() {
        let columns = ["cairn"] + contenders.filter { $0 != "cairn" && $0 != "engine" }
        Swift.print(
            Self.left("workload"), columns.map { Self.right($0) }.joined(), Self.right("cairn/sqlite"),
            Self.right("bar"), Self.right("reached"), Self.right("lmdb/sqlite"), separator: "")
        for measurement in measurements {
            for entry in measurement.workload.entries { printLine(of: entry, measurement, columns) }
        }
        Swift.print("Operations a second; size: bytes a row, and a ratio not to be passed. Names that end in")
        Swift.print("_engine: without objects; their bar is \(Workload.room) x that of the public API.")
        printScans()
        if measurements.contains(where: { $0.workload.isDurable }) {
            Swift.print("Beside small_tx: \(machine.flushDescription).")
        }
    }

    private func printLine(of entry: Workload.Entry, _ measurement: Measurement, _ columns: [String]) {
        let ratio = measurement.ratio(of: entry.contender, to: "sqlite")
        let figures = columns.map { column in
            measurement.median(of: column == "cairn" ? entry.contender : column).map(Self.short)
        }
        guard figures.contains(where: { $0 != nil }) else { return }
        Swift.print(
            Self.left(entry.name), figures.map { Self.right($0) }.joined(), Self.right(ratio.map(Self.ratio)),
            Self.right(entry.bar.map(Self.ratio)), Self.right(measurement.workload.reaches(entry.bar, ratio)),
            Self.right(measurement.ratio(of: "lmdb", to: "sqlite").map(Self.ratio)), separator: "")
    }

    /// How near the scans come to what memory allows.
    private func printScans() {
        for name in ["scan_engine", "scan_range"] {
            guard let scan = measurements.first(where: { $0.workload.name == name }) else { continue }
            Swift.print("Memory: \(machine.memoryDescription). Of that, \(name) reaches:")
            for contender in contenders {
                guard let reached = scan.median(of: contender) else { continue }
                Swift.print(
                    "  \(contender): \(Self.percent(reached / machine.doublesPerSecond)) of main memory,",
                    "\(Self.percent(reached / machine.doublesPerSecondOfColumn)) of a column of this length")
            }
        }
    }

    private static func left(_ text: String) -> String {
        text.padding(toLength: nameWidth, withPad: " ", startingAt: 0)
    }

    private static func right(_ text: String?) -> String {
        let text = text ?? "-"
        return String(repeating: " ", count: max(1, width - text.count)) + text
    }

    private static func ratio(_ ratio: Double) -> String {
        String(format: ratio < 10 ? "%.2fx" : "%.1fx", ratio)
    }

    private static func percent(_ share: Double) -> String {
        String(format: "%.1f %%", share * 100)
    }

    /// Three digits and a unit.
    static func short(_ number: Double) -> String {
        let (scaled, unit) =
            switch number {
            case 1e9...: (number / 1e9, " G")
            case 1e6...: (number / 1e6, " M")
            case 1e3...: (number / 1e3, " k")
            default: (number, "  ")
            }
        return String(format: scaled < 10 ? "%.2f%@" : scaled < 100 ? "%.1f%@" : "%.0f%@", scaled, unit)
    }
}
