internal import CairnStorage

// The workloads of Cairn that change something.
extension EngineContender {
    private func insert(_ places: some Sequence<Int>, into missions: SessionTable) throws {
        for place in places {
            let mission = data.missions[place]
            let row = try missions.insert(key: mission.key)
            try missions.set(row, Columns.todayDate, mission.todayDate)
            if let time = mission.wakeUpTime {
                try missions.set(row, Columns.wakeUpTime, time)
            } else {
                try missions.setNull(row, Columns.wakeUpTime)
            }
            try missions.set(row, Columns.startTime, mission.startTime)
            try missions.set(row, Columns.endTime, mission.endTime)
            try missions.setText(row, Columns.mission, mission.text)
            try missions.setBool(row, Columns.missionComplete, mission.isComplete)
        }
    }

    func insertBulk() throws -> Answer {
        try write { try insert(0..<data.rowCount, into: missions($0)) }
        return Answer(count: data.rowCount)
    }

    func insertIndexed() throws -> Answer {
        try write { session in
            let missions = try missions(session)
            for position in [Columns.startTime, Columns.mission] {
                let column = missions.definition.columns[position].id
                try session.addIndex(.ordered, on: [column], of: missions.definition.space)
            }
        }
        return try insertBulk()
    }

    func insertInThousands() throws -> Answer {
        for first in stride(from: 0, to: data.rowCount, by: 1_000) {
            try write { try insert(first..<min(first + 1_000, data.rowCount), into: missions($0)) }
        }
        return Answer(count: data.rowCount)
    }

    func insertSmall() throws -> Answer {
        let places = data.rowCount..<data.missions.count
        for place in places {
            try write(durability: .full) { try insert(CollectionOfOne(place), into: missions($0)) }
        }
        return Answer(count: places.count)
    }

    func insertLists() throws -> Answer {
        try write { session in
            let lists = try lists(session)
            _ = try missions(session)
            var targets: [RowKey] = []
            for list in data.lists {
                let row = try lists.insert(key: list.key)
                try lists.set(row, Columns.today, list.today)
                targets.removeAll(keepingCapacity: true)
                for place in list.missions { targets.append(RowKey(UInt64(place))) }
                try lists.appendLinks(row, Columns.listMissions, targets)
            }
        }
        return Answer(count: data.lists.count)
    }

    func updateEach() throws -> Answer {
        try write { session in
            let missions = try missions(session)
            for (place, mission) in data.missions.enumerated() {
                try missions.setBool(RowKey(UInt64(place)), Columns.missionComplete, !mission.isComplete)
            }
        }
        return Answer(count: data.missions.count)
    }

    func deleteHalf() throws -> Answer {
        var answer = Answer()
        try write { session in
            let missions = try missions(session)
            for place in stride(from: 0, to: data.rowCount, by: 2) {
                try session.delete(RowKey(UInt64(place)), from: missions)
                answer.count += 1
            }
        }
        return answer
    }
}
