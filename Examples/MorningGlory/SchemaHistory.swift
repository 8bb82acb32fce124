import Cairn
import Foundation

/// The versions of what the app stores, and how a file of each becomes one of the next.
///
/// | version | what has changed |
/// |---|---|
/// | 0 | days and missions |
/// | 1 | a day knows which of its first three missions are complete |
/// | 2 | `MissionData.missionComplete` is called `isComplete`; `wakeUpTime` has become an hour and a minute |
package enum SchemaHistory {
    package static let version: UInt64 = 2

    /// Carries a file over from whatever version it has: somebody may not have updated the app for a year.
    package static func migrate(_ migration: Migration, from oldVersion: UInt64) {
        if oldVersion < 1 { noteCompletions(migration) }
        if oldVersion < 2 { splitWakeUpTimes(migration) }
    }

    /// To version 1. The new properties are false by themselves; those of days of the past are worked out.
    package static func noteCompletions(_ migration: Migration) {
        migration.enumerateObjects(ofType: "DateList") { old, new in
            guard let missions = old?["mission"] as? List<MigrationObject> else { return }
            for (index, mission) in missions.prefix(3).enumerated() {
                new?["isMission\(index + 1)Complete"] = mission["missionComplete"]
            }
        }
    }

    /// To version 2.
    package static func splitWakeUpTimes(_ migration: Migration) {
        migration.renameProperty(onType: "MissionData", from: "missionComplete", to: "isComplete")
        migration.enumerateObjects(ofType: "MissionData") { old, new in
            guard let time = old?["wakeUpTime"] as? Date else { return }
            let parts = Week.calendar.dateComponents([.hour, .minute], from: time)
            new?["wakeUpHour"] = parts.hour
            new?["wakeUpMinute"] = parts.minute
        }
    }
}
