import Cairn
import Foundation

/// Something to do after waking up, so that one does not go back to bed.
package final class MissionData: Object {
    @Persisted(primaryKey: true) package var id: ObjectId
    /// The day it is for, at its first second in UTC.
    @Persisted package var todayDate: Date
    /// When its owner woke up, in UTC; nil as long as it is not known.
    @Persisted package var wakeUpHour: Int?
    @Persisted package var wakeUpMinute: Int?
    @Persisted package var startTime: Date
    @Persisted package var endTime: Date
    /// What to do.
    @Persisted package var mission: String
    @Persisted package var isComplete: Bool
    /// The day that has it in its list.
    @Persisted(originProperty: "mission") package var main: LinkingObjects<DateList>
}

extension MissionData {
    package convenience init(_ mission: String, day: Date, start: Date, end: Date) {
        self.init()
        self.mission = mission
        todayDate = day
        startTime = start
        endTime = end
    }

    /// When its owner woke up, on its day and to the minute.
    package var wakeUpTime: Date? {
        get {
            guard let wakeUpHour, let wakeUpMinute else { return nil }
            return Week.moment(wakeUpHour, wakeUpMinute, of: todayDate)
        }
        set {
            let parts = newValue.map { Week.calendar.dateComponents([.hour, .minute], from: $0) }
            wakeUpHour = parts?.hour
            wakeUpMinute = parts?.minute
        }
    }
}
