import Cairn
import Foundation
import MorningGlory
import Testing

/// The files of older versions of the app.
@Suite(.serialized) struct `The history of Morning Glory` {
    private let folder: ScratchFolder
    private let monday = Date(timeIntervalSince1970: 1_772_409_600)

    init() throws { folder = try ScratchFolder() }

    private var url: URL { folder.url.appendingPathComponent("morning.realm") }

    /// Two days as version 0 has stored them: two missions of the first are done, and its owner was up.
    private func makeFirstVersion() throws {
        let realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: url, objectTypes: [FirstVersion.DateList.self, FirstVersion.MissionData.self]))
        try realm.write {
            for number in 0..<2 {
                let day = FirstVersion.DateList()
                day.today = monday.addingTimeInterval(Double(number) * 86_400)
                for (index, text) in ["run", "read", "swim", "rest"].enumerated() {
                    let mission = FirstVersion.MissionData()
                    mission.todayDate = day.today
                    mission.mission = text
                    mission.startTime = Week.moment(6, 30 + index, of: day.today)
                    mission.endTime = Week.moment(7, 0, of: day.today)
                    mission.wakeUpTime = number == 0 ? Week.moment(6, 24, of: day.today) : nil
                    mission.missionComplete = number == 0 && index != 1
                    day.mission.append(mission)
                }
                realm.add(day)
            }
        }
    }

    private func expectAll() throws {
        let repository = try RealmRepository(fileURL: url)
        let days = repository.days
        #expect(days.map { Week.dayText($0.today) } == ["Mon 2 Mar", "Tue 3 Mar"])
        for day in days { #expect(day.mission.map(\.mission) == ["run", "read", "swim", "rest"]) }
        #expect(days.map(\.marks) == [[true, false, true], [false, false, false]])
        #expect(
            days.map { $0.mission.map(\.isComplete) } == [
                [true, false, true, true], Array(repeating: false, count: 4),
            ])
        #expect(days[0].mission.allSatisfy { $0.wakeUpHour == 6 && $0.wakeUpMinute == 24 })
        #expect(days[0].mission[0].wakeUpTime == Week.moment(6, 24, of: monday))
        #expect(days[1].mission.allSatisfy { $0.wakeUpTime == nil })
        #expect(days[0].mission[2].startTime == Week.moment(6, 32, of: monday))
        // The missions still lead to their days, and the app goes on with them.
        #expect(repository.day(of: days[1].mission[3])?.id == days[1].id)
        try repository.complete(days[1].mission[1])
        #expect(repository.days[1].marks == [false, true, false])
        #expect(try schemaVersionAtURL(url) == SchemaHistory.version)
    }

    @Test func `a file of the first version is carried over in one go`() throws {
        try makeFirstVersion()
        try expectAll()
    }

    @Test func `a file is carried over version by version`() throws {
        try makeFirstVersion()
        let second = Realm.Configuration(
            fileURL: url, schemaVersion: 1,
            migrationBlock: { migration, _ in SchemaHistory.noteCompletions(migration) },
            objectTypes: [SecondVersion.DateList.self, FirstVersionMission.MissionData.self])
        try Realm.performMigration(for: second)
        do {
            let days = try Realm(configuration: second).objects(SecondVersion.DateList.self)
            #expect(days.map(\.isMission1Complete) == [true, false])
            #expect(days.map(\.isMission2Complete) == [false, false])
            #expect(days.map(\.isMission3Complete) == [true, false])
        }
        try expectAll()
    }
}
