internal import CairnStorage

// The workloads of Cairn that read.
extension EngineContender {
    func lookUp() throws -> Answer {
        try read { session in
            let missions = try missions(session)
            var answer = Answer()
            for place in data.lookups {
                guard let row = try missions.row(index: 0, key: data.missions[place].key) else {
                    throw WrongResult(description: "a mission was not found")
                }
                answer.sum += missions.value(row, Columns.startTime, as: Double.self)
                answer.count += missions.bool(row, Columns.missionComplete) ? 1 : 0
                answer.count += missions.text(row, Columns.mission).count
            }
            return answer
        }
    }

    func aggregate() throws -> Answer {
        try read { session in
            let missions = try missions(session)
            return Answer(
                sum: missions.sum(Columns.startTime).double,
                count: missions.countTrue(Columns.missionComplete))
        }
    }

    func scanRows() throws -> Answer {
        try read { session in
            let missions = try missions(session)
            var answer = Answer()
            missions.forEachRow { row in
                answer.sum += missions.value(row, Columns.startTime, as: Double.self)
                if missions.bool(row, Columns.missionComplete) { answer.count += 1 }
            }
            return answer
        }
    }

    func followLists() throws -> Answer {
        try read { session in
            let missions = try missions(session)
            let lists = try lists(session)
            var answer = Answer()
            try lists.forEachRow { list in
                try lists.forEachLink(list, Columns.listMissions) { mission in
                    answer.sum += missions.value(mission, Columns.startTime, as: Double.self)
                    answer.count += 1
                }
            }
            return answer
        }
    }

    func followBacklinks() throws -> Answer {
        try read { session in
            let missions = try missions(session)
            let lists = try lists(session)
            var answer = Answer()
            for place in 0..<data.rowCount {
                guard let list = missions.firstBacklink(RowKey(UInt64(place)), Columns.main) else { continue }
                answer.sum += lists.value(list, Columns.today, as: Double.self)
                answer.count += 1
            }
            return answer
        }
    }

    func contents() throws -> Digest {
        try read { session in
            let missions = try missions(session)
            let lists = try lists(session)
            var digest = Digest()
            missions.forEachRow { row in
                let isComplete = missions.bool(row, Columns.missionComplete)
                let wakeUpTime =
                    missions.isNull(row, Columns.wakeUpTime)
                    ? nil : missions.value(row, Columns.wakeUpTime, as: Double.self)
                let key = missions.bytes(row, Columns.id, count: Dataset.keyByteCount)
                let mission = Mission(
                    key: key, todayDate: missions.value(row, Columns.todayDate), wakeUpTime: wakeUpTime,
                    startTime: missions.value(row, Columns.startTime),
                    endTime: missions.value(row, Columns.endTime),
                    text: missions.text(row, Columns.mission), isComplete: isComplete)
                digest.add(mission, isComplete: isComplete)
                for list in missions.backlinks(row, Columns.main) {
                    digest.addBacklink(
                        from: key, to: lists.bytes(list, Columns.listID, count: Dataset.keyByteCount))
                }
            }
            try lists.forEachRow { row in
                let key = lists.bytes(row, Columns.listID, count: Dataset.keyByteCount)
                digest.add(listKey: key, today: lists.value(row, Columns.today))
                var place = 0
                try lists.forEachLink(row, Columns.listMissions) { mission in
                    digest.addLink(
                        from: key, place: place,
                        to: missions.bytes(mission, Columns.id, count: Dataset.keyByteCount))
                    place += 1
                }
            }
            try session.throwDamage()
            return digest
        }
    }
}
