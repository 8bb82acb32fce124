import Foundation

/// What the screen with the week shows and does. It is given its repository, and knows no other.
package final class WeekViewModel {
    private let repository: any DatabaseRepository

    /// The days in order, as they are now.
    package private(set) var days: [Day] = []

    package init(repository: any DatabaseRepository) {
        self.repository = repository
        reload()
    }

    /// A row of the screen.
    package struct Day: Equatable {
        package var title: String
        package var wokeUp: String?
        package var missions: [Mission]

        package var completedCount: Int { missions.count { $0.isComplete } }
    }

    /// A line below a row.
    package struct Mission: Equatable {
        package var text: String
        package var time: String
        package var isComplete: Bool
    }

    /// Plans the same missions for seven days.
    package func planWeek(from date: Date) throws {
        for day in Week.days(from: date) where repository.day(of: day) == nil {
            try repository.add(DateList(today: day, missions: Self.missions(of: day)))
        }
        reload()
    }

    /// Notes when somebody woke up; nothing happens on a day that is not planned.
    package func wakeUp(at time: Date) throws {
        guard let day = repository.day(of: time) else { return }
        try repository.wakeUp(at: time, on: day)
        reload()
    }

    /// Completes the first missions of a day.
    package func completeMissions(_ count: Int, on date: Date) throws {
        guard let day = repository.day(of: date) else { return }
        for mission in day.mission.prefix(count) { try repository.complete(mission) }
        reload()
    }

    /// The first mission that is not done though its owner was up, and the day that it is from.
    package var firstOpenMission: (text: String, day: String)? {
        for day in repository.days {
            for mission in day.mission where !mission.isComplete && mission.wakeUpTime != nil {
                guard let owner = repository.day(of: mission) else { continue }
                return (mission.mission, Week.dayText(owner.today))
            }
        }
        return nil
    }

    /// Takes a day out of the plan.
    package func cancel(_ date: Date) throws {
        guard let day = repository.day(of: date) else { return }
        try repository.remove(day)
        reload()
    }

    private func reload() {
        days = repository.days.map { day in
            Day(
                title: Week.dayText(day.today),
                wokeUp: day.mission.first?.wakeUpTime.map(Week.timeText),
                missions: day.mission.map(Self.line))
        }
    }

    private static func line(_ mission: MissionData) -> Mission {
        Mission(
            text: mission.mission,
            time: "\(Week.timeText(mission.startTime))-\(Week.timeText(mission.endTime))",
            isComplete: mission.isComplete)
    }

    private static func missions(of day: Date) -> [MissionData] {
        [
            MissionData(
                "drink a glass of water", day: day, start: Week.moment(6, 30, of: day),
                end: Week.moment(6, 35, of: day)),
            MissionData(
                "stretch", day: day, start: Week.moment(6, 35, of: day), end: Week.moment(6, 50, of: day)),
            MissionData(
                "write three lines", day: day, start: Week.moment(6, 50, of: day),
                end: Week.moment(7, 10, of: day)),
        ]
    }
}
