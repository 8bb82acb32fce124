import Cairn
import Foundation

/// Where days and missions are kept, as far as the view models are concerned. They never see a database.
///
/// Objects that were added belong to the repository: change them through it.
package protocol DatabaseRepository {
    /// All days, the earliest first.
    var days: [DateList] { get }

    /// Keeps a day and its missions.
    ///
    /// - Throws: where the day or one of its missions is kept already.
    func add(_ day: DateList) throws

    /// The day of a date, at any moment of it.
    func day(of date: Date) -> DateList?

    /// The mission of this identifier.
    func mission(_ id: ObjectId) -> MissionData?

    /// The day that has the mission in its list.
    func day(of mission: MissionData) -> DateList?

    /// Puts a mission at the end of a day.
    func append(_ mission: MissionData, to day: DateList) throws

    /// Notes when its owner woke up, on all missions of the day.
    func wakeUp(at time: Date, on day: DateList) throws

    /// Notes that a mission is done.
    func complete(_ mission: MissionData) throws

    /// Forgets a day and its missions.
    func remove(_ day: DateList) throws
}
