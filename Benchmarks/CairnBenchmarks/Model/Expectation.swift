/// What the contents must be and what each workload must answer, worked out from plain arrays.
struct Expectation {
    let data: Dataset
    /// nil where there is no such mission (any more).
    private var isComplete: [Bool?]
    private var hasLists = false

    init(data: Dataset) {
        self.data = data
        isComplete = Array(repeating: nil, count: data.missions.count)
    }

    mutating func insertBulk() -> Answer {
        insert(0..<data.rowCount)
    }

    mutating func insertSmall() -> Answer {
        insert(data.rowCount..<data.missions.count)
    }

    mutating func insertFirst(_ count: Int) -> Answer { insert(0..<count) }

    private mutating func insert(_ places: Range<Int>) -> Answer {
        for place in places { isComplete[place] = data.missions[place].isComplete }
        return Answer(count: places.count)
    }

    mutating func insertLists() -> Answer {
        hasLists = true
        return Answer(count: data.lists.count)
    }

    mutating func updateEach() -> Answer {
        for place in isComplete.indices where isComplete[place] != nil {
            isComplete[place] = !data.missions[place].isComplete
        }
        return Answer(count: isComplete.count { $0 != nil })
    }

    mutating func deleteHalf() -> Answer {
        for place in stride(from: 0, to: data.rowCount, by: 2) { isComplete[place] = nil }
        return Answer(count: data.rowCount / 2)
    }

    func lookUp() -> Answer {
        data.lookups.reduce(into: Answer()) { answer, place in
            let mission = data.missions[place]
            answer.sum += mission.startTime
            answer.count += mission.text.count + (isComplete[place] == true ? 1 : 0)
        }
    }

    func scan() -> Answer {
        isComplete.indices.reduce(into: Answer()) { answer, place in
            guard let complete = isComplete[place] else { return }
            answer.sum += data.missions[place].startTime
            answer.count += complete ? 1 : 0
        }
    }

    func open(times: Int) -> Answer {
        (0..<times).reduce(into: Answer()) { answer, time in
            answer.sum += data.missions[data.lookups[time]].startTime
            answer.count += 1
        }
    }

    func followLists() -> Answer {
        data.lists.reduce(into: Answer()) { answer, list in
            for place in list.missions where isComplete[place] != nil {
                answer.sum += data.missions[place].startTime
                answer.count += 1
            }
        }
    }

    func followBacklinks() -> Answer {
        data.lists.reduce(into: Answer()) { answer, list in
            for place in list.missions where isComplete[place] != nil {
                answer.sum += list.today
                answer.count += 1
            }
        }
    }

    var digest: Digest {
        var digest = Digest()
        for (place, complete) in isComplete.enumerated() {
            guard let complete else { continue }
            digest.add(data.missions[place], isComplete: complete)
        }
        guard hasLists else { return digest }
        for list in data.lists {
            digest.add(listKey: list.key, today: list.today)
            for (place, mission) in list.missions.filter({ isComplete[$0] != nil }).enumerated() {
                digest.addLink(from: list.key, place: place, to: data.missions[mission].key)
                digest.addBacklink(from: data.missions[mission].key, to: list.key)
            }
        }
        return digest
    }
}
