import Cairn
import Foundation
import MorningGlory
import Testing

@Suite struct `Morning Glory` {
    @Test func `prints a week`() throws {
        let output = try Example.run("MorningGlory")
        #expect(
            output == """
                Mon 2 Mar, up at 06:24: 3 of 3 missions
                  06:30-06:35 [x] drink a glass of water
                  06:35-06:50 [x] stretch
                  06:50-07:10 [x] write three lines
                Tue 3 Mar, up at 06:41: 1 of 3 missions
                  06:30-06:35 [x] drink a glass of water
                  06:35-06:50 [ ] stretch
                  06:50-07:10 [ ] write three lines
                \(["Wed 4", "Thu 5", "Fri 6", "Sat 7"].map(Self.plannedDay).joined(separator: "\n"))
                still open: "stretch" of Tue 3 Mar

                """)
    }

    private static func plannedDay(_ day: String) -> String {
        """
        \(day) Mar: 0 of 3 missions
          06:30-06:35 [ ] drink a glass of water
          06:35-06:50 [ ] stretch
          06:50-07:10 [ ] write three lines
        """
    }
}

/// A repository, made anew for each test. Both kinds must pass every test of the suites below.
enum RepositoryKind: CaseIterable {
    case realm, memory

    func make(in folder: ScratchFolder) throws -> any DatabaseRepository {
        switch self {
        case .realm: try RealmRepository(fileURL: folder.url.appendingPathComponent("morning.realm"))
        case .memory: MemoryRepository()
        }
    }
}

@Suite(.serialized) struct `A repository of missions` {
    private let folder: ScratchFolder
    private let monday = Date(timeIntervalSince1970: 1_772_409_600)

    init() throws { folder = try ScratchFolder() }

    private func day(_ number: Int, _ missions: String...) -> DateList {
        let day = monday.addingTimeInterval(Double(number) * 86_400)
        return DateList(
            today: day,
            missions: missions.map {
                MissionData($0, day: day, start: Week.moment(6, 30, of: day), end: Week.moment(7, 0, of: day))
            })
    }

    @Test(arguments: RepositoryKind.allCases)
    func `keeps days in order, with their missions`(kind: RepositoryKind) throws {
        let repository = try kind.make(in: folder)
        #expect(repository.days.isEmpty)
        try repository.add(day(2, "swim"))
        try repository.add(day(0, "run", "read"))
        try repository.add(day(1))
        #expect(repository.days.map { Week.dayText($0.today) } == ["Mon 2 Mar", "Tue 3 Mar", "Wed 4 Mar"])
        #expect(repository.days.map { $0.mission.map(\.mission) } == [["run", "read"], [], ["swim"]])
    }

    @Test(arguments: RepositoryKind.allCases)
    func `finds days by date and missions by identifier`(kind: RepositoryKind) throws {
        let repository = try kind.make(in: folder)
        let tuesday = day(1, "run")
        let id = try #require(tuesday.mission.first).id
        try repository.add(tuesday)
        let evening = monday.addingTimeInterval(86_400 + 80_000)
        #expect(repository.day(of: evening)?.id == tuesday.id)
        #expect(repository.day(of: monday) == nil)
        #expect(repository.mission(id)?.mission == "run")
        #expect(repository.mission(ObjectId.generate()) == nil)
    }

    @Test(arguments: RepositoryKind.allCases)
    func `leads from a day to its missions and back`(kind: RepositoryKind) throws {
        let repository = try kind.make(in: folder)
        for number in 0..<3 { try repository.add(day(number, "run", "read")) }
        for day in repository.days {
            #expect(day.mission.count == 2)
            for mission in day.mission { #expect(repository.day(of: mission)?.id == day.id) }
        }
        #expect(repository.day(of: MissionData()) == nil)
    }

    @Test(arguments: RepositoryKind.allCases)
    func `notes what was done`(kind: RepositoryKind) throws {
        let repository = try kind.make(in: folder)
        try repository.add(day(0, "run", "read"))
        try repository.add(day(1, "swim"))
        let first = try #require(repository.days.first)
        try repository.wakeUp(at: Week.moment(6, 20, of: monday), on: first)
        try repository.complete(first.mission[1])
        #expect(first.mission.map(\.isComplete) == [false, true])
        #expect(first.mission.map(\.wakeUpTime).allSatisfy { $0 == Week.moment(6, 20, of: monday) })
        #expect(repository.days[1].mission[0].wakeUpTime == nil)
        #expect(repository.days.map(\.marks) == [[false, true, false], [false, false, false]])
    }

    @Test(arguments: RepositoryKind.allCases)
    func `puts missions at the end of a day and forgets whole days`(kind: RepositoryKind) throws {
        let repository = try kind.make(in: folder)
        try repository.add(day(0, "run"))
        try repository.add(day(1, "swim"))
        let first = try #require(repository.days.first)
        let late = MissionData("late", day: monday, start: monday, end: monday)
        let id = late.id
        try repository.append(late, to: first)
        #expect(first.mission.map(\.mission) == ["run", "late"])
        try repository.remove(first)
        #expect(repository.days.map { $0.mission.map(\.mission) } == [["swim"]])
        #expect(repository.mission(id) == nil)
    }

    @Test(arguments: RepositoryKind.allCases)
    func `refuses what it has, and is unchanged`(kind: RepositoryKind) throws {
        let repository = try kind.make(in: folder)
        let first = day(0, "run")
        let (dayID, missionID) = (first.id, try #require(first.mission.first).id)
        try repository.add(first)

        let sameDay = day(1, "other")
        sameDay.id = dayID
        #expect(throws: (any Error).self) { try repository.add(sameDay) }
        let sameMission = day(2, "other")
        sameMission.mission[0].id = missionID
        #expect(throws: (any Error).self) { try repository.add(sameMission) }

        #expect(repository.days.map { $0.mission.map(\.mission) } == [["run"]])
    }

    @Test func `is found again in its file`() throws {
        try RepositoryKind.realm.make(in: folder).add(day(0, "run"))
        #expect(try RepositoryKind.realm.make(in: folder).days.map { $0.mission.map(\.mission) } == [["run"]])
    }
}

@Suite(.serialized) struct `The view model of a week` {
    private let folder: ScratchFolder
    private let monday = Date(timeIntervalSince1970: 1_772_409_600)

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: RepositoryKind.allCases)
    func `plans a week once`(kind: RepositoryKind) throws {
        let week = WeekViewModel(repository: try kind.make(in: folder))
        #expect(week.days.isEmpty)
        try week.planWeek(from: monday.addingTimeInterval(1_000))
        try week.planWeek(from: monday)
        #expect(week.days.map(\.title).first == "Mon 2 Mar")
        #expect(week.days.count == 7)
        #expect(week.days.allSatisfy { $0.missions.count == 3 && $0.completedCount == 0 })
        #expect(week.firstOpenMission == nil)
    }

    @Test(arguments: RepositoryKind.allCases)
    func `shows what was done and names the day of what is open`(kind: RepositoryKind) throws {
        let week = WeekViewModel(repository: try kind.make(in: folder))
        try week.planWeek(from: monday)
        try week.wakeUp(at: Week.moment(6, 24, of: monday))
        try week.completeMissions(2, on: monday)
        #expect(week.days[0].wokeUp == "06:24")
        #expect(week.days[0].missions.map(\.isComplete) == [true, true, false])
        #expect(week.days[1].wokeUp == nil)
        #expect(week.firstOpenMission?.text == "write three lines")
        #expect(week.firstOpenMission?.day == "Mon 2 Mar")
        try week.completeMissions(9, on: monday)
        #expect(week.firstOpenMission == nil)
        try week.cancel(monday)
        #expect(week.days.first?.title == "Tue 3 Mar")
        try week.wakeUp(at: monday)
        try week.cancel(monday)
        #expect(week.days.count == 6)
    }
}
