import Cairn
import Foundation

/// A day and what is to be done on its morning.
package final class DateList: Object {
    @Persisted(primaryKey: true) package var id: ObjectId
    /// In the order in which they are done.
    @Persisted package var mission: List<MissionData>
    /// The day, at its first second in UTC.
    @Persisted package var today: Date
    // For the widget, which shows three marks and does not look at missions.
    @Persisted package var isMission1Complete: Bool
    @Persisted package var isMission2Complete: Bool
    @Persisted package var isMission3Complete: Bool
}

extension DateList {
    package convenience init(today: Date, missions: [MissionData]) {
        self.init()
        self.today = today
        mission.append(objectsIn: missions)
    }

    /// Which of the first three missions are complete.
    package var marks: [Bool] { [isMission1Complete, isMission2Complete, isMission3Complete] }

    /// Sets the marks to what the missions say.
    package func noteCompletions() {
        let complete = mission.prefix(3).map(\.isComplete) + [false, false, false]
        isMission1Complete = complete[0]
        isMission2Complete = complete[1]
        isMission3Complete = complete[2]
    }
}
