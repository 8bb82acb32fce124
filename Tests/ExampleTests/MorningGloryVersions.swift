import Cairn
import Foundation

// The classes of Morning Glory as they were. The app does not have them any more; the files do.

/// Version 0.
enum FirstVersion {
    final class DateList: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var mission: List<MissionData>
        @Persisted var today: Date

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class MissionData: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var todayDate: Date
        @Persisted var wakeUpTime: Date?
        @Persisted var startTime: Date
        @Persisted var endTime: Date
        @Persisted var mission: String
        @Persisted var missionComplete: Bool
        @Persisted(originProperty: "mission") var main: LinkingObjects<DateList>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

/// Version 1: a day has three marks.
enum SecondVersion {
    final class DateList: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var mission: List<FirstVersionMission.MissionData>
        @Persisted var today: Date
        @Persisted var isMission1Complete: Bool
        @Persisted var isMission2Complete: Bool
        @Persisted var isMission3Complete: Bool

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

/// The missions of version 1 are those of version 0, without the way back to the days of version 0.
enum FirstVersionMission {
    final class MissionData: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var todayDate: Date
        @Persisted var wakeUpTime: Date?
        @Persisted var startTime: Date
        @Persisted var endTime: Date
        @Persisted var mission: String
        @Persisted var missionComplete: Bool

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
