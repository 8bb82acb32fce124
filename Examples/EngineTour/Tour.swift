import CairnStorage

/// A week of missions, in two tables: days with a list of missions, and missions with their key, start, text
/// and state.
struct Tour {
    let path: String

    func run() throws {
        try makeWeek()
        try lookAround()
        try changeAndCancel()
        try deleteADay()
        try tellWhatChanged()
        try check()
    }

    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
    private static let missions = ["run", "read a chapter", "no phone before breakfast", "write the diary"]

    private func makeWeek() throws {
        let store = try Store.open(StoreOptions(path: path))
        let session = try store.makeSession()
        try store.write(session) {
            try Week.makeTables(in: session)
            let week = try Week(session)
            for (day, name) in Self.days.enumerated() {
                let list = try week.days.insert()
                try week.days.setText(list, week.dayName, name)
                var missions: [RowKey] = []
                for (index, text) in Self.missions.enumerated() {
                    let mission = try week.missions.insert(key: Int64(day * 10 + index))
                    try week.missions.setText(mission, week.text, text)
                    try week.missions.set(mission, week.start, Double(day * 86_400 + index * 3_600))
                    missions.append(mission)
                }
                try week.days.appendLinks(list, week.dayMissions, missions)
            }
        }
        print("stored \(Self.days.count) days and \(Self.days.count * Self.missions.count) missions")
    }

    private func lookAround() throws {
        let session = try Store.open(StoreOptions(path: path)).makeSession()
        let week = try Week(session)
        try week.days.forEachRow { day in
            print("\(week.name(of: day)): \(try week.days.listCount(day, week.dayMissions)) missions")
        }
        if let found = try week.missions.row(index: 0, key: 21) {
            let day = week.missions.firstBacklink(found, week.missionDays).map(week.name(of:)) ?? "no day"
            print("mission 21 is \"\(week.text(of: found))\", on \(day)")
        }
        let late: Double = 4 * 86_400
        let rows = try withUnsafeBytes(of: late) {
            try week.missions.rows(ordered: 1, .range(lower: OrderedLimit($0, isIncluded: true), upper: nil))
        }
        print("from Friday on, by start: \(rows.map(week.text(of:)).joined(separator: ", "))")
    }

    private func changeAndCancel() throws {
        let store = try Store.open(StoreOptions(path: path))
        let session = try store.makeSession()
        let reader = try store.makeSession()
        try store.write(session) {
            let week = try Week(session)
            try week.missions.forEachRow { try week.missions.setBool($0, week.isComplete, $0.value % 2 == 0) }
            try session.pushLayer()
            try week.missions.forEachRow { try week.missions.setBool($0, week.isComplete, true) }
            print("in a savepoint \(try week.completedCount()) missions are complete")
            try session.popLayer()
            print("without it \(try week.completedCount())")
        }
        print("another session still sees \(try Week(reader).completedCount())")
        try store.refresh(reader)
        print("and after its refresh \(try Week(reader).completedCount())")

        do {
            try store.write(session) { _ = try Week(session).missions.insert(key: 21) }
        } catch let error as StorageError {
            print("a second mission 21: \(error.code)")
        }
    }

    private func deleteADay() throws {
        let store = try Store.open(StoreOptions(path: path))
        let session = try store.makeSession()
        try store.write(session) {
            let week = try Week(session)
            guard let first = week.firstMission else { return }
            try session.delete(first, from: week.missions)
        }
        let week = try Week(session)
        var counts: [Int] = []
        try week.days.forEachRow { counts.append(try week.days.listCount($0, week.dayMissions)) }
        print("one mission deleted; the days have \(counts)")
    }

    private func tellWhatChanged() throws {
        let store = try Store.open(StoreOptions(path: path))
        let session = try store.makeSession()
        let before = session.snapshot
        try store.write(session) {
            let week = try Week(session)
            _ = try week.missions.insert(key: 99)
            if let first = week.firstMission { try week.missions.setText(first, week.text, "sleep") }
        }
        guard let changes = try store.changes(from: before, to: session.snapshot) else { return }
        let missions = changes.changes(of: try Week(session).missions.definition.space)
        print(
            "since then \(missions.inserted.count) mission was added and \(missions.modifiedRows.count) changed"
        )
    }

    private func check() throws {
        let report = try Verify.run(try Store.open(StoreOptions(path: path)))
        print(
            report.isSound
                ? "verified: nothing is wrong" : report.findings.map(\.description).joined(separator: "\n"))
    }
}
