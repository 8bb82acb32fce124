/// Notes what is found, up to a limit.
final class VerifyRecorder {
    /// More than anybody reads, and few enough to bound memory.
    static let limit = 1_000

    private(set) var findings: [VerifyFinding] = []
    private(set) var omittedCount = 0
    /// How many of the findings, omitted ones included, are damage.
    private(set) var damageCount = 0
    /// While a second pass looks for the places of what the first has only counted, what both meet is noted
    /// once.
    var isMuted = false

    func note(_ finding: VerifyFinding) {
        guard !isMuted else { return }
        if finding.isDamage { damageCount += 1 }
        if findings.count < Self.limit {
            findings.append(finding)
        } else {
            omittedCount += 1
        }
    }

    func note(
        _ kind: VerifyFinding.Kind, _ place: VerifyFinding.Place = VerifyFinding.Place(),
        expected: UInt64? = nil,
        found: UInt64? = nil, reason: String? = nil
    ) {
        guard !isMuted else { return }
        note(VerifyFinding(kind, at: place, expected: expected, found: found, reason: reason))
    }

    /// Notes that there are more findings than could be looked for.
    func noteOmitted(_ count: Int) {
        omittedCount += count
        damageCount += count
    }
}
