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

/// What the queries are asked of that missions do not have: a number, and texts that several share.
final class Reading: Object {
    @Persisted var value: Double
    @Persisted var flag: Bool
    @Persisted(indexed: true) var label: String
    @Persisted(indexed: true) var time: Date
}

/// `MissionData` with two indexes: a file that has the one gets them when it is opened with the other.
final class IndexedMissionData: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var todayDate: Date
    @Persisted var wakeUpTime: Date?
    @Persisted(indexed: true) var startTime: Date
    @Persisted var endTime: Date
    @Persisted(indexed: true) var mission: String
    @Persisted var missionComplete: Bool

    override class func className() -> String { "MissionData" }
}
