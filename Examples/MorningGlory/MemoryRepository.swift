import Cairn
import Foundation

/// Keeps them in memory, for tests and previews: the same objects, never added to a Realm.
package final class MemoryRepository: DatabaseRepository {
    private var kept: [DateList] = []

    /// A day or a mission that is kept already.
    package struct DuplicateError: Error {
        package let id: ObjectId
    }

    package init() {}

    package var days: [DateList] { kept.sorted { $0.today < $1.today } }

    package func add(_ day: DateList) throws {
        if kept.contains(where: { $0.id == day.id }) { throw DuplicateError(id: day.id) }
        for mission in day.mission { try requireNew(mission) }
        kept.append(day)
    }

    package func day(of date: Date) -> DateList? {
        days.first { Week.isSameDay($0.today, date) }
    }

    package func mission(_ id: ObjectId) -> MissionData? {
        for day in kept {
            if let found = day.mission.first(where: { $0.id == id }) { return found }
        }
        return nil
    }

    // An object that is in no Realm does not know who leads to it.
    package func day(of mission: MissionData) -> DateList? {
        kept.first { $0.mission.contains { $0.id == mission.id } }
    }

    package func append(_ mission: MissionData, to day: DateList) throws {
        try requireNew(mission)
        day.mission.append(mission)
    }

    package func wakeUp(at time: Date, on day: DateList) throws {
        for mission in day.mission { mission.wakeUpTime = time }
    }

    package func complete(_ mission: MissionData) throws {
        mission.isComplete = true
        day(of: mission)?.noteCompletions()
    }

    package func remove(_ day: DateList) throws {
        kept.removeAll { $0.id == day.id }
    }

    private func requireNew(_ mission: MissionData) throws {
        if self.mission(mission.id) != nil { throw DuplicateError(id: mission.id) }
    }
}
