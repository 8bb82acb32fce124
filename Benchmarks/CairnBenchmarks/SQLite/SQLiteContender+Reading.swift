// The workloads of SQLite that read.
extension SQLiteContender {
    func lookUp() throws -> Answer {
        let statement = try prepare("SELECT startTime, missionComplete, mission FROM mission WHERE id = ?")
        var answer = Answer()
        try transaction {
            for place in data.lookups {
                statement.bind(blob: data.missions[place].key, at: 1)
                try statement.one {
                    answer.sum += statement.double(0)
                    answer.count += statement.int(1) + statement.text(2).count
                }
            }
        }
        return answer
    }

    func aggregate() throws -> Answer {
        let statement = try prepare("SELECT sum(startTime), sum(missionComplete) FROM mission")
        var answer = Answer()
        try statement.one { answer = Answer(sum: statement.double(0), count: statement.int(1)) }
        return answer
    }

    func scanRows() throws -> Answer {
        let statement = try prepare("SELECT startTime, missionComplete FROM mission")
        var answer = Answer()
        while try statement.step() {
            answer.sum += statement.double(0)
            if statement.int(1) != 0 { answer.count += 1 }
        }
        return answer
    }

    func followLists() throws -> Answer {
        let statement = try prepare(
            """
            SELECT m.startTime FROM link l CROSS JOIN mission m ON m.pk = l.mission
            WHERE l.list = ? ORDER BY l.position
            """)
        var answer = Answer()
        try transaction {
            for list in 1...data.lists.count {
                statement.bind(list, at: 1)
                while try statement.step() {
                    answer.sum += statement.double(0)
                    answer.count += 1
                }
            }
        }
        return answer
    }

    func followBacklinks() throws -> Answer {
        let statement = try prepare(
            "SELECT d.today FROM link l CROSS JOIN datelist d ON d.pk = l.list WHERE l.mission = ?")
        var answer = Answer()
        try transaction {
            for mission in 1...data.rowCount {
                statement.bind(mission, at: 1)
                while try statement.step() {
                    answer.sum += statement.double(0)
                    answer.count += 1
                }
            }
        }
        return answer
    }

    func contents() throws -> Digest {
        var digest = Digest()
        let missions = try prepare(
            """
            SELECT id, todayDate, wakeUpTime, startTime, endTime, mission, missionComplete FROM mission
            """)
        while try missions.step() {
            let isComplete = missions.int(6) != 0
            let mission = Mission(
                key: missions.blob(0), todayDate: missions.double(1),
                wakeUpTime: missions.isNull(2) ? nil : missions.double(2), startTime: missions.double(3),
                endTime: missions.double(4), text: missions.text(5), isComplete: isComplete)
            digest.add(mission, isComplete: isComplete)
        }

        // A link that leads nowhere counts too: as one to no key.
        let lists = try prepare("SELECT id, today, pk FROM datelist")
        let links = try prepare(
            """
            SELECT m.id FROM link l LEFT JOIN mission m ON m.pk = l.mission
            WHERE l.list = ? ORDER BY l.position
            """)
        while try lists.step() {
            digest.add(listKey: lists.blob(0), today: lists.double(1))
            links.bind(lists.int(2), at: 1)
            var place = 0
            while try links.step() {
                digest.addLink(from: lists.blob(0), place: place, to: links.blob(0))
                place += 1
            }
        }

        let backlinks = try prepare(
            """
            SELECT m.id, d.id FROM mission m CROSS JOIN link l ON l.mission = m.pk
            CROSS JOIN datelist d ON d.pk = l.list
            """)
        while try backlinks.step() { digest.addBacklink(from: backlinks.blob(0), to: backlinks.blob(1)) }
        return digest
    }
}
