internal import Cairn
internal import Foundation

/// What a property and an object cost, in nanoseconds: one line for each entry of the table in the
/// design's section on accessors.
///
/// Each figure is the median of several runs of many operations. Sums of what was read are printed, so
/// that nothing is left out by the compiler.
struct AccessorCosts {
    private static let runCount = 11
    private static let operationCount = 1_000_000

    let directory: String

    func run() throws {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "\(directory)/accessors.cairn"),
            objectTypes: [MissionData.self, DateListData.self])
        configuration.durability = .none
        let realm = try Realm(configuration: configuration)
        let mission = MissionData()
        mission.mission = "walk the dog"
        print("operation                                        ns")
        report("unmanaged: read a date", unmanagedReads(mission))
        report("new object, its 7 properties set", creations())
        try realm.write { realm.add(mission) }
        report("managed: read a date", managedReads(mission))
        report("managed: read a bool", boolReads(mission))
        report("managed: read a string of 12 bytes", stringReads(mission))
        try realm.write { report("managed: set a bool", sets(mission)) }
        let frozen = mission.freeze()
        report("frozen: read a date", managedReads(frozen))
        try realm.write {
            for _ in 0..<10_000 { realm.add(MissionData()) }
        }
        report("open again on the same thread", try reopenings(configuration))
        report("loop: an object, reused", loops(realm))
        report("loop: an object that is kept", keptLoops(realm))
    }

    private func report(_ name: String, _ nanoseconds: Double) {
        print(name.padding(toLength: 44, withPad: " ", startingAt: 0), String(format: "%6.1f", nanoseconds))
    }

    /// The median time of an operation in nanoseconds.
    private func median(_ count: Int, _ body: () -> Double) -> Double {
        var times: [Double] = []
        var sum = 0.0
        for _ in 0..<Self.runCount {
            let start = ContinuousClock.now
            sum += body()
            times.append((ContinuousClock.now - start) / .nanoseconds(1) / Double(count))
        }
        precondition(sum != .infinity, "a sum of dates has no end")
        return times.sorted()[Self.runCount / 2]
    }

    private func unmanagedReads(_ mission: MissionData) -> Double { managedReads(mission) }

    private func managedReads(_ mission: MissionData) -> Double {
        median(Self.operationCount) {
            var sum = 0.0
            for _ in 0..<Self.operationCount { sum += mission.startTime.timeIntervalSinceReferenceDate }
            return sum
        }
    }

    private func boolReads(_ mission: MissionData) -> Double {
        median(Self.operationCount) {
            var count = 0
            for _ in 0..<Self.operationCount where mission.missionComplete { count += 1 }
            return Double(count)
        }
    }

    private func stringReads(_ mission: MissionData) -> Double {
        median(Self.operationCount) {
            var count = 0
            for _ in 0..<Self.operationCount { count += mission.mission.utf8.count }
            return Double(count)
        }
    }

    private func sets(_ mission: MissionData) -> Double {
        median(Self.operationCount) {
            for index in 0..<Self.operationCount { mission.missionComplete = index & 1 == 0 }
            return 0
        }
    }

    private func creations() -> Double {
        let id = ObjectId.generate()
        let date = Date(timeIntervalSinceReferenceDate: 1)
        return median(Self.operationCount) {
            var sum = 0.0
            for _ in 0..<Self.operationCount {
                let mission = MissionData()
                mission.id = id
                mission.todayDate = date
                mission.wakeUpTime = date
                mission.startTime = date
                mission.endTime = date
                mission.mission = "walk"
                mission.missionComplete = true
                sum += mission.endTime.timeIntervalSinceReferenceDate
            }
            return sum
        }
    }

    private func reopenings(_ configuration: Realm.Configuration) throws -> Double {
        var failure: (any Error)?
        let time = median(1_000) {
            do {
                for _ in 0..<1_000 { _ = try Realm(configuration: configuration) }
            } catch {
                failure = error
            }
            return 0
        }
        if let failure { throw failure }
        return time
    }

    private func loops(_ realm: Realm) -> Double {
        let missions = realm.objects(MissionData.self)
        return median(missions.count) {
            var count = 0
            for mission in missions where mission.missionComplete { count += 1 }
            return Double(count)
        }
    }

    private func keptLoops(_ realm: Realm) -> Double {
        let missions = realm.objects(MissionData.self)
        return median(missions.count) { Double(Array(missions).count) }
    }
}
