import Cairn
import Foundation

/// A day and what is to be done on its morning.
package final class DateList: Object {
    @Persisted(primaryKey: true) package var id: ObjectId
    /// In the order in which they are done.
    @Persisted package var mission: List<MissionData>
    /// The day, at its first second in UTC.
    @Persisted package var today: Date
}

extension DateList {
    package convenience init(today: Date, missions: [MissionData]) {
        self.init()
        self.today = today
        mission.append(objectsIn: missions)
    }
}
