// The workloads of SQLite that change something.
extension SQLiteContender {
    private func insert(_ places: some Sequence<Int>, with statement: SQLiteStatement) throws {
        for place in places { try bind(place, to: statement).run() }
    }

    func bind(_ place: Int, to statement: SQLiteStatement) -> SQLiteStatement {
        let mission = data.missions[place]
        statement.bind(place + 1, at: 1)
        statement.bind(blob: mission.key, at: 2)
        statement.bind(mission.todayDate, at: 3)
        statement.bind(mission.wakeUpTime, at: 4)
        statement.bind(mission.startTime, at: 5)
        statement.bind(mission.endTime, at: 6)
        statement.bind(text: mission.text, at: 7)
        statement.bind(mission.isComplete ? 1 : 0, at: 8)
        return statement
    }

    private func prepareInsert() throws -> SQLiteStatement {
        try prepare("INSERT INTO mission VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    }

    func insertBulk() throws -> Answer {
        let statement = try prepareInsert()
        try transaction { try insert(0..<data.rowCount, with: statement) }
        return Answer(count: data.rowCount)
    }

    func insertIndexed() throws -> Answer {
        try connection.run(
            "CREATE INDEX mission_start ON mission (startTime); CREATE INDEX mission_text ON mission (mission)"
        )
        return try insertBulk()
    }

    func insertInThousands() throws -> Answer {
        let statement = try prepareInsert()
        for first in stride(from: 0, to: data.rowCount, by: 1_000) {
            let places = first..<min(first + 1_000, data.rowCount)
            try transaction { try insert(places, with: statement) }
        }
        return Answer(count: data.rowCount)
    }

    func insertSmall() throws -> Answer {
        let statement = try prepareInsert()
        let places = data.rowCount..<data.missions.count
        try durably {
            for place in places {
                // A statement alone is a transaction.
                try insert(CollectionOfOne(place), with: statement)
            }
        }
        return Answer(count: places.count)
    }

    func insertLists() throws -> Answer {
        let insertList = try prepare("INSERT INTO datelist VALUES (?, ?, ?)")
        let insertLink = try prepare("INSERT INTO link VALUES (?, ?, ?)")
        try transaction {
            for (number, list) in data.lists.enumerated() {
                insertList.bind(number + 1, at: 1)
                insertList.bind(blob: list.key, at: 2)
                insertList.bind(list.today, at: 3)
                try insertList.run()
                for (position, place) in list.missions.enumerated() {
                    insertLink.bind(number + 1, at: 1)
                    insertLink.bind(position, at: 2)
                    insertLink.bind(place + 1, at: 3)
                    try insertLink.run()
                }
            }
        }
        return Answer(count: data.lists.count)
    }

    func updateEach() throws -> Answer {
        let statement = try prepare("UPDATE mission SET missionComplete = ? WHERE pk = ?")
        try transaction {
            for (place, mission) in data.missions.enumerated() {
                statement.bind(mission.isComplete ? 0 : 1, at: 1)
                statement.bind(place + 1, at: 2)
                try statement.run()
            }
        }
        return Answer(count: data.missions.count)
    }

    func deleteHalf() throws -> Answer {
        let deleteMission = try prepare("DELETE FROM mission WHERE pk = ?")
        let deleteLinks = try prepare("DELETE FROM link WHERE mission = ?")
        var answer = Answer()
        try transaction {
            for place in stride(from: 0, to: data.rowCount, by: 2) {
                deleteLinks.bind(place + 1, at: 1)
                try deleteLinks.run()
                deleteMission.bind(place + 1, at: 1)
                try deleteMission.run()
                answer.count += 1
            }
        }
        return answer
    }
}
