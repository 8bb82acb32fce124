// The queries of SQLite, each in the form that it is fastest with.
extension SQLiteContender: QueryContender {
    func insertReadings() throws -> Answer {
        let statement = try prepare("INSERT INTO reading VALUES (?, ?, ?, ?, ?)")
        try transaction {
            for place in 0..<data.rowCount {
                statement.bind(place + 1, at: 1)
                statement.bind(data.missions[place].startTime, at: 2)
                statement.bind(data.missions[place].isComplete ? 1 : 0, at: 3)
                statement.bind(text: data.missions[data.labelPlace(place)].text, at: 4)
                statement.bind(data.missions[place].endTime, at: 5)
                try statement.run()
            }
        }
        return Answer(count: data.rowCount)
    }

    private func count(_ statement: SQLiteStatement) throws -> Answer {
        var answer = Answer()
        try statement.one { answer.count = statement.int(0) }
        return answer
    }

    /// Steps through rows of one number.
    private func sum(_ statement: SQLiteStatement, into answer: inout Answer) throws {
        while try statement.step() {
            answer.sum += statement.double(0)
            answer.count += 1
        }
    }

    func countWhere() throws -> Answer {
        try count(
            prepare(
                """
                SELECT count(*) FROM mission
                WHERE missionComplete = 1 AND mission >= 'ab' AND mission < 'ac'
                """))
    }

    func materialiseWhere() throws -> Answer {
        var answer = Answer()
        try sum(
            prepare(
                """
                SELECT startTime FROM mission
                WHERE missionComplete = 1 AND mission >= 'ab' AND mission < 'ac'
                """), into: &answer)
        return answer
    }

    func countRange() throws -> Answer {
        let statement = try prepare("SELECT count(*) FROM reading WHERE value BETWEEN ? AND ?")
        statement.bind(data.valueRange.lowerBound, at: 1)
        statement.bind(data.valueRange.upperBound, at: 2)
        return try count(statement)
    }

    func aggregateReadings() throws -> Answer {
        let statement = try prepare("SELECT sum(value), sum(flag) FROM reading")
        var answer = Answer()
        try statement.one { answer = Answer(sum: statement.double(0), count: statement.int(1)) }
        return answer
    }

    func aggregateWhere() throws -> Answer {
        let statement = try prepare(
            "SELECT sum(value), count(*), avg(value), min(value), max(value) FROM reading WHERE flag = 1")
        var answer = Answer()
        try statement.one { answer = Answer(sum: statement.double(0), count: statement.int(1)) }
        return answer
    }

    func rangeSorted() throws -> Answer {
        let statement = try prepare("SELECT value FROM reading WHERE time BETWEEN ? AND ? ORDER BY time")
        statement.bind(data.timeRange.lowerBound, at: 1)
        statement.bind(data.timeRange.upperBound, at: 2)
        var answer = Answer()
        try sum(statement, into: &answer)
        return answer
    }

    func equalLabels() throws -> Answer {
        let statement = try prepare("SELECT value FROM reading WHERE label = ?")
        var answer = Answer()
        try transaction {
            for label in data.askedLabels {
                statement.bind(text: data.missions[label].text, at: 1)
                try sum(statement, into: &answer)
            }
        }
        return answer
    }

    /// Sorted without a limit: the first hundred are read, and the statement left.
    func sortFirst() throws -> Answer {
        let statement = try prepare("SELECT startTime FROM mission ORDER BY mission, pk")
        var answer = Answer()
        for _ in 0..<Dataset.firstCount {
            guard try statement.step() else { break }
            answer.sum += statement.double(0)
            answer.count += 1
        }
        return answer
    }

    func sortLimit() throws -> Answer {
        var answer = Answer()
        try sum(
            prepare("SELECT startTime FROM mission ORDER BY mission, pk LIMIT \(Dataset.firstCount)"),
            into: &answer)
        return answer
    }

    /// Through a table in memory: more values than a statement has parameters.
    func membership() throws -> Answer {
        try connection.run("CREATE TEMP TABLE asked (id BLOB PRIMARY KEY) WITHOUT ROWID")
        let insert = try prepare("INSERT INTO asked VALUES (?)")
        try transaction {
            for place in data.askedKeys {
                insert.bind(blob: data.missions[place].key, at: 1)
                try insert.run()
            }
        }
        let answer = try count(prepare("SELECT count(*) FROM mission WHERE id IN (SELECT id FROM asked)"))
        try connection.run("DROP TABLE asked")
        return answer
    }

    func anyInList() throws -> Answer {
        try count(
            prepare(
                """
                SELECT count(*) FROM datelist d WHERE EXISTS (
                    SELECT 1 FROM link l CROSS JOIN mission m ON m.pk = l.mission
                    WHERE l.list = d.pk AND m.missionComplete = 1)
                """))
    }

    func anyBacklink() throws -> Answer {
        let statement = try prepare(
            """
            SELECT count(*) FROM mission m WHERE EXISTS (
                SELECT 1 FROM link l CROSS JOIN datelist d ON d.pk = l.list
                WHERE l.mission = m.pk AND d.today > ?)
            """)
        statement.bind(data.askedDay, at: 1)
        return try count(statement)
    }
}
