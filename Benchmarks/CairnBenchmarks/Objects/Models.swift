internal import Cairn
internal import Foundation

/// The model of the benchmarks, as a program would declare it.
final class MissionData: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var todayDate: Date
    @Persisted var wakeUpTime: Date?
    @Persisted var startTime: Date
    @Persisted var endTime: Date
    @Persisted var mission: String
    @Persisted var missionComplete: Bool
    @Persisted(originProperty: "mission") var main: LinkingObjects<DateListData>
}

/// The list of a day.
final class DateListData: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var mission: List<MissionData>
    @Persisted var today: Date
}
