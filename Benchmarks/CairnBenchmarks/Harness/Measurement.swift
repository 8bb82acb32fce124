/// What the contenders reached in one workload, over all counted rounds.
struct Measurement {
    let workload: Workload
    let rowCount: Int
    private var rounds: [[String: Double]] = []

    init(workload: Workload, rowCount: Int) {
        self.workload = workload
        self.rowCount = rowCount
    }

    /// Adds a round: for each contender, operations a second.
    mutating func add(_ round: [String: Double]) {
        rounds.append(round)
    }

    /// The median over the rounds; nil where the contender did not take part.
    func median(of contender: String) -> Double? {
        rounds.compactMap { $0[contender] }.median
    }

    /// The median of the ratios of the rounds, each taken between neighbours in time.
    ///
    /// A noisy machine slows both of a round; the ratio of two medians may compare a fast round with a
    /// slow one.
    func ratio(of contender: String, to rival: String) -> Double? {
        rounds.compactMap { round in
            guard let reached = round[contender], let other = round[rival] else { return nil }
            return reached / other
        }.median
    }
}

extension [Double] {
    /// The middle one, or the mean of the two middle ones; nil for none.
    var median: Double? {
        guard !isEmpty else { return nil }
        let ordered = sorted()
        let middle = ordered.count / 2
        return ordered.count % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
    }
}
