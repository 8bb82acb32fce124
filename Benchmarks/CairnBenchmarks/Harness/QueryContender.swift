/// An engine that carries out queries. The answers are as in `Contender`.
protocol QueryContender: Contender {
    /// Stores `rowCount` readings, with indexes on label and time.
    func insertReadings() throws -> Answer

    /// Count of the missions whose text begins with "ab" and that are complete; there is no index.
    func countWhere() throws -> Answer
    /// The same, and the sum of their start times, read one by one.
    func materialiseWhere() throws -> Answer
    /// Count of the readings whose value is in the given range; there is no index.
    func countRange() throws -> Answer
    /// Sum of the readings' values, and count of those with the flag.
    func aggregateReadings() throws -> Answer
    /// Sum of the values of the readings with the flag, and their count; their mean, smallest and largest
    /// value as well, which are not in the answer.
    func aggregateWhere() throws -> Answer
    /// Sum of the values of the readings whose time is in the given range, in the order of their times.
    func rangeSorted() throws -> Answer
    /// The readings with each of the labels of the given places; sum of their values.
    func equalLabels() throws -> Answer
    /// Sum of the start times of the first hundred missions by their text, out of all of them sorted.
    func sortFirst() throws -> Answer
    /// The same with a limit of a hundred.
    func sortLimit() throws -> Answer
    /// Count of the missions with one of the keys of the given places.
    func membership() throws -> Answer
    /// Count of the lists with a mission that is complete.
    func anyInList() throws -> Answer
    /// Count of the missions that are in a list of after the given day.
    func anyBacklink() throws -> Answer
}

/// What is stored and asked for besides missions and lists.
extension Dataset {
    /// About eleven readings have the same label.
    private var labelCount: Int { rowCount / 11 }

    /// The mission whose text is the label of a reading.
    func labelPlace(_ reading: Int) -> Int { reading &* 7_919 % labelCount }

    /// One in a hundred of the times.
    var timeRange: ClosedRange<Double> {
        let times = 4_000.0 * 86_400
        return (600_000_000 + times * 0.4)...(600_000_000 + times * 0.41)
    }

    /// Half of the values.
    var valueRange: ClosedRange<Double> {
        let values = 4_000.0 * 86_400
        return (600_000_000 + values * 0.25)...(600_000_000 + values * 0.75)
    }

    /// Whose labels are asked for, one after the other.
    var askedLabels: [Int] { (0..<1_000).map { $0 * 31 % labelCount } }

    /// Whose keys are asked for at once.
    var askedKeys: [Int] {
        let count = min(40_000, rowCount / 2)
        return (0..<count).map { $0 * (rowCount / count) }
    }

    /// Half of the days lie behind it.
    var askedDay: Double { lists.map(\.today).sorted()[lists.count / 2] }

    static let firstCount = 100
}
