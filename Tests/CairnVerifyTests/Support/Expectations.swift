import CairnStorage
import Testing

/// Expects a report without findings, and shows what it has instead.
func expectSound(_ report: VerifyReport, sourceLocation: SourceLocation = #_sourceLocation) {
    let text = report.findings.prefix(20).map(\.description).joined(separator: "\n")
    #expect(report.isSound && report.findings.isEmpty, "\(text)", sourceLocation: sourceLocation)
}

extension VerifyReport {
    /// The kinds of the findings, each once, in the order in which they were met.
    var kinds: [VerifyFinding.Kind] {
        var known: Set<VerifyFinding.Kind> = []
        return findings.map(\.kind).filter { known.insert($0).inserted }
    }
}
