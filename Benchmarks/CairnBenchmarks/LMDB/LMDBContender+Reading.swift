internal import CairnLMDB

// The workloads of LMDB that read. Cursors, not gets, where neighbours are read one after the other: a
// cursor looks at its own page first.
extension LMDBContender {
    func lookUp() throws -> Answer {
        let file = try file()
        let transaction = try file.environment.beginRead()
        var answer = Answer()
        for place in data.lookups {
            let row = try transaction.get(file.missionKeys, data.missions[place].key).orMissing("key")
            let bytes = try transaction.get(file.missions, row.rowNumber).orMissing("mission")
            let record = MissionRecord(bytes: bytes)
            answer.sum += record.startTime
            answer.count += record.text.count + (record.isComplete ? 1 : 0)
        }
        return answer
    }

    /// A row store has nothing better than its rows.
    func aggregate() throws -> Answer {
        try scanRows()
    }

    func scanRows() throws -> Answer {
        let file = try file()
        let transaction = try file.environment.beginRead()
        var rows = try transaction.cursor(file.missions)
        var answer = Answer()
        var entry = try rows.first()
        while let found = entry {
            let record = MissionRecord(bytes: found.value)
            answer.sum += record.startTime
            if record.isComplete { answer.count += 1 }
            entry = try rows.next()
        }
        return answer
    }

    func followLists() throws -> Answer {
        let file = try file()
        let transaction = try file.environment.beginRead()
        var lists = try transaction.cursor(file.lists)
        var missions = try transaction.cursor(file.missions)
        var answer = Answer()
        var entry = try lists.first()
        while let found = entry {
            let list = ListRecord(bytes: found.value)
            for index in 0..<list.missionCount {
                let mission = try missions.seek(exactly: list.mission(index)).orMissing("mission")
                answer.sum += MissionRecord(bytes: mission.value).startTime
                answer.count += 1
            }
            entry = try lists.next()
        }
        return answer
    }

    func followBacklinks() throws -> Answer {
        let file = try file()
        let transaction = try file.environment.beginRead()
        var backlinks = try transaction.cursor(file.backlinks)
        var lists = try transaction.cursor(file.lists)
        var answer = Answer()
        for place in 0..<data.rowCount {
            let backlink = try backlinks.seek(exactly: UInt64(place)).orMissing("backlink")
            let list = try lists.seek(exactly: backlink.value.rowNumber).orMissing("list")
            answer.sum += ListRecord(bytes: list.value).today
            answer.count += 1
        }
        return answer
    }

    func contents() throws -> Digest {
        let file = try file()
        let transaction = try file.environment.beginRead()
        var digest = Digest()
        var missions = try transaction.cursor(file.missions)
        var entry = try missions.first()
        while let found = entry {
            let mission = MissionRecord(bytes: found.value).mission
            digest.add(mission, isComplete: mission.isComplete)
            entry = try missions.next()
        }

        var lists = try transaction.cursor(file.lists)
        entry = try lists.first()
        while let found = entry {
            let list = ListRecord(bytes: found.value)
            digest.add(listKey: list.key, today: list.today)
            for index in 0..<list.missionCount {
                let mission = try missions.seek(exactly: list.mission(index)).orMissing("mission")
                digest.addLink(from: list.key, place: index, to: MissionRecord(bytes: mission.value).key)
            }
            entry = try lists.next()
        }

        var backlinks = try transaction.cursor(file.backlinks)
        entry = try backlinks.first()
        while let found = entry {
            let mission = try missions.seek(exactly: found.integerKey).orMissing("mission of a backlink")
            let list = try lists.seek(exactly: found.value.rowNumber).orMissing("list of a backlink")
            digest.addBacklink(
                from: MissionRecord(bytes: mission.value).key, to: ListRecord(bytes: list.value).key)
            entry = try backlinks.next()
        }
        return digest
    }
}
