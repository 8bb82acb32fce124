extension Workload {
    /// The workloads of queries. They find the missions and lists as they were inserted.
    static let queries: [Workload] = [
        query("insert_readings", kind: .changes, nil, \.rowCount, { try $0.insertReadings() }) {
            Answer(count: $0.data.rowCount)
        },
        query("count_where", 25, \.rowCount, { try $0.countWhere() }) { Answer(count: $0.matching.count) },
        query("materialise_where", 12, \.rowCount, { try $0.materialiseWhere() }) { $0.sum($0.matching) },
        query("scan_range", nil, \.rowCount, { try $0.countRange() }) { expectation in
            let range = expectation.data.valueRange
            let missions = expectation.data.missions[..<expectation.data.rowCount]
            return Answer(count: missions.count { range.contains($0.startTime) })
        },
        query("scan_aggregate", 100, \.rowCount, { try $0.aggregateReadings() }) { $0.readings() },
        query("scan_aggregate_where", nil, \.rowCount, { try $0.aggregateWhere() }) { $0.readingsWithFlag() },
        query("index_range_sorted", 3, { $0.inRange.count }, { try $0.rangeSorted() }) { expectation in
            expectation.sum(expectation.data.inRange)
        },
        query("index_eq_string", 6.5, { $0.askedLabels.count }, { try $0.equalLabels() }) {
            $0.equalLabels()
        },
        query("sort_first100", 4, \.rowCount, { try $0.sortFirst() }) { $0.sum($0.first) },
        query("sort_limit100", 5, \.rowCount, { try $0.sortLimit() }) { $0.sum($0.first) },
        query("in_40000", 2, { $0.askedKeys.count }, { try $0.membership() }) {
            Answer(count: $0.data.askedKeys.count)
        },
        query("any_list", 2, \.lists.count, { try $0.anyInList() }) { $0.anyInList() },
        query("any_backlink", 2, \.rowCount, { try $0.anyBacklink() }) { $0.anyBacklink() },
    ]

    private static func query(
        _ name: String, kind: Kind = .reads, _ bar: Double?, _ count: @escaping @Sendable (Dataset) -> Int,
        _ run: @escaping @Sendable (any QueryContender) throws -> Answer,
        expect: @escaping @Sendable (Expectation) -> Answer
    ) -> Workload {
        Workload(
            name: name, engineName: name, kind: kind, bar: bar, isQuery: true, operationCount: count,
            run: { contender in
                guard let contender = contender as? any QueryContender else { throw DoesNotTakePart() }
                return try run(contender)
            }, expect: { expect($0) })
    }
}

extension Dataset {
    /// The places of the readings within the range of times. Their times are the missions' end times.
    var inRange: [Int] {
        let range = timeRange
        return (0..<rowCount).filter { range.contains(missions[$0].endTime) }
    }
}

/// What the queries must answer.
extension Expectation {
    var matching: [Int] {
        (0..<data.rowCount).filter {
            data.missions[$0].isComplete && data.missions[$0].text.starts(with: [0x61, 0x62])
        }
    }

    /// The places of the first missions by their text; of equal texts the earlier mission.
    var first: ArraySlice<Int> {
        (0..<data.rowCount).map { place in
            (text: String(decoding: data.missions[place].text, as: UTF8.self), place: place)
        }.sorted { ($0.text, $0.place) < ($1.text, $1.place) }.map(\.place)[..<Dataset.firstCount]
    }

    func sum(_ places: some Sequence<Int>) -> Answer {
        places.reduce(into: Answer()) { answer, place in
            answer.sum += data.missions[place].startTime
            answer.count += 1
        }
    }

    func readings() -> Answer {
        var answer = sum(0..<data.rowCount)
        answer.count = data.missions[..<data.rowCount].count(where: \.isComplete)
        return answer
    }

    func readingsWithFlag() -> Answer { sum((0..<data.rowCount).filter { data.missions[$0].isComplete }) }

    func equalLabels() -> Answer {
        var readings: [Int: Answer] = [:]
        for place in 0..<data.rowCount {
            readings[data.labelPlace(place), default: Answer()].sum += data.missions[place].startTime
            readings[data.labelPlace(place), default: Answer()].count += 1
        }
        return data.askedLabels.reduce(into: Answer()) { answer, label in
            answer.sum += readings[label]?.sum ?? 0
            answer.count += readings[label]?.count ?? 0
        }
    }

    func anyInList() -> Answer {
        Answer(count: data.lists.count { list in list.missions.contains { data.missions[$0].isComplete } })
    }

    func anyBacklink() -> Answer {
        let day = data.askedDay
        return Answer(count: data.lists.filter { $0.today > day }.reduce(0) { $0 + $1.missions.count })
    }
}
