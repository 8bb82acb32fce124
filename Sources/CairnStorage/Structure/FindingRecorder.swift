/// Notes what is found, up to a limit: a file of garbage has a finding for every page.
struct FindingRecorder {
    /// More than anybody reads, and few enough to bound memory.
    static let limit = 1_000

    private(set) var findings: [StructureFinding] = []
    private(set) var omittedCount = 0
    /// How many of the findings, omitted ones included, are damage.
    private(set) var damageCount = 0

    mutating func note(_ finding: StructureFinding) {
        if finding.isDamage { damageCount += 1 }
        if findings.count < Self.limit {
            findings.append(finding)
        } else {
            omittedCount += 1
        }
    }
}
