import Foundation

/// A week as somebody lives it, kept in a file of a folder and shown on a terminal.
struct Morning {
    let folder: URL

    // A Monday, so that the output is the same on every day.
    private static let monday = Date(timeIntervalSince1970: 1_772_409_600)

    func run() throws {
        let repository = try RealmRepository(fileURL: folder.appendingPathComponent("morning.realm"))
        let week = WeekViewModel(repository: repository)
        let days = Week.days(from: Self.monday)
        try week.planWeek(from: Self.monday)
        try week.cancel(days[6])

        try week.wakeUp(at: Week.moment(6, 24, of: days[0]))
        try week.completeMissions(3, on: days[0])
        try week.wakeUp(at: Week.moment(6, 41, of: days[1]))
        try week.completeMissions(1, on: days[1])

        show(week)
        if let open = week.firstOpenMission { print("still open: \"\(open.text)\" of \(open.day)") }
    }

    private func show(_ week: WeekViewModel) {
        for day in week.days {
            let wokeUp = day.wokeUp.map { ", up at \($0)" } ?? ""
            print("\(day.title)\(wokeUp): \(day.completedCount) of \(day.missions.count) missions")
            for mission in day.missions {
                print("  \(mission.time) \(mission.isComplete ? "[x]" : "[ ]") \(mission.text)")
            }
        }
    }
}
