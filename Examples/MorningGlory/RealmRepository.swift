import Cairn
import Foundation

/// Keeps them in a file.
package struct RealmRepository: DatabaseRepository {
    private let realm: Realm

    package init(fileURL: URL) throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: fileURL, schemaVersion: SchemaHistory.version,
                migrationBlock: { SchemaHistory.migrate($0, from: $1) },
                objectTypes: [DateList.self, MissionData.self]))
    }

    package var days: [DateList] {
        Array(realm.objects(DateList.self).sorted(by: \.today))
    }

    package func add(_ day: DateList) throws {
        try realm.write { realm.add(day) }
    }

    package func day(of date: Date) -> DateList? {
        days.first { Week.isSameDay($0.today, date) }
    }

    package func mission(_ id: ObjectId) -> MissionData? {
        realm.object(ofType: MissionData.self, forPrimaryKey: id)
    }

    package func day(of mission: MissionData) -> DateList? {
        mission.main.first
    }

    package func append(_ mission: MissionData, to day: DateList) throws {
        try realm.write { day.mission.append(mission) }
    }

    package func wakeUp(at time: Date, on day: DateList) throws {
        try realm.write {
            for mission in day.mission { mission.wakeUpTime = time }
        }
    }

    package func complete(_ mission: MissionData) throws {
        try realm.write {
            mission.isComplete = true
            for day in mission.main { day.noteCompletions() }
        }
    }

    package func remove(_ day: DateList) throws {
        try realm.write {
            realm.delete(day.mission)
            realm.delete(day)
        }
    }
}
