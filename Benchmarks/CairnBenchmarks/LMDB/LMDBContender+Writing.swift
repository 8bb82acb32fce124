internal import CairnLMDB

// The workloads of LMDB that change something.
extension LMDBContender {
    /// Puts missions behind those that are there.
    private func insert(_ places: Range<Int>) throws {
        let file = try file()
        let transaction = try file.environment.beginWrite()
        // The cursor finds its place again where the keys come in order, as ids mostly do; row numbers
        // always rise.
        var keys = try transaction.cursor(file.missionKeys)
        for place in places {
            let mission = data.missions[place]
            let row = UInt64(place)
            try withUnsafeBytes(of: row) { row in
                try keys.put(mission.key, row)
                let record = MissionRecord.encode(mission, into: scratch)
                try transaction.put(file.missions, row, record, append: true)
            }
        }
        try transaction.commit()
    }

    func insertBulk() throws -> Answer {
        try insert(0..<data.rowCount)
        return Answer(count: data.rowCount)
    }

    /// What an index of a row store costs depends on how it is written: there is no one floor.
    func insertIndexed() throws -> Answer { throw DoesNotTakePart() }

    func insertInThousands() throws -> Answer {
        for first in stride(from: 0, to: data.rowCount, by: 1_000) {
            try insert(first..<min(first + 1_000, data.rowCount))
        }
        return Answer(count: data.rowCount)
    }

    func insertSmall() throws -> Answer {
        let file = try file()
        try file.environment.setSyncMode(.full)
        for place in data.rowCount..<data.missions.count { try insert(place..<place + 1) }
        try file.environment.setSyncMode(.noMetaSync)
        return Answer(count: data.missions.count - data.rowCount)
    }

    func insertLists() throws -> Answer {
        let file = try file()
        let transaction = try file.environment.beginWrite()
        var keys = try transaction.cursor(file.listKeys)
        var backlinks = try transaction.cursor(file.backlinks)
        for (number, list) in data.lists.enumerated() {
            try withUnsafeBytes(of: UInt64(number)) { row in
                try keys.put(list.key, row)
                try transaction.put(file.lists, row, ListRecord.encode(list, into: scratch), append: true)
                for place in list.missions { try backlinks.put(UInt64(place), row) }
            }
        }
        try transaction.commit()
        return Answer(count: data.lists.count)
    }

    func updateEach() throws -> Answer {
        let file = try file()
        let transaction = try file.environment.beginWrite()
        var rows = try transaction.cursor(file.missions)
        var answer = Answer()
        var entry = try rows.first()
        while let found = entry {
            let row = found.integerKey
            let isComplete = !data.missions[Int(row)].isComplete
            try rows.put(row, MissionRecord(bytes: found.value).encode(isComplete: isComplete, into: scratch))
            answer.count += 1
            entry = try rows.next()
        }
        try transaction.commit()
        return answer
    }

    func deleteHalf() throws -> Answer {
        let file = try file()
        let transaction = try file.environment.beginWrite()
        var missions = try transaction.cursor(file.missions)
        var keys = try transaction.cursor(file.missionKeys)
        var backlinks = try transaction.cursor(file.backlinks)
        var lists = try transaction.cursor(file.lists)
        var answer = Answer()
        for place in stride(from: 0, to: data.rowCount, by: 2) {
            let row = UInt64(place)
            let record = try MissionRecord(bytes: missions.seek(exactly: row).orMissing("mission").value)
            _ = try keys.seek(exactly: record.key).orMissing("key")
            try keys.deleteCurrent()

            let list = try backlinks.seek(exactly: row).orMissing("backlink").value.rowNumber
            try backlinks.deleteCurrent()
            let listRecord = try ListRecord(bytes: lists.seek(exactly: list).orMissing("list").value)
            try lists.put(list, listRecord.encode(without: row, into: scratch))
            try missions.deleteCurrent()
            answer.count += 1
        }
        try transaction.commit()
        return answer
    }
}
