internal import Cairn
internal import Foundation

/// Cairn through its public API: what a program gets.
final class CairnContender: Contender {
    static let name = "cairn"

    let data: Dataset
    private let configuration: Realm.Configuration
    private var opened: Realm?
    /// Made before the clock runs, like every key and text.
    let ids: [ObjectId]
    let texts: [String]
    private let listIDs: [ObjectId]

    init(directory: String, data: Dataset) throws {
        self.data = data
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "\(directory)/objects.cairn"),
            objectTypes: [MissionData.self, DateListData.self, Reading.self])
        configuration.durability = .lastCommitAtRisk
        self.configuration = configuration
        ids = data.missions.map { $0.key.loadUnaligned(as: ObjectId.self) }
        texts = data.missions.map { String(decoding: $0.text, as: UTF8.self) }
        listIDs = data.lists.map { $0.key.loadUnaligned(as: ObjectId.self) }
        opened = try Realm(configuration: configuration)
    }

    func realm() throws -> Realm {
        if let opened { return opened }
        let realm = try Realm(configuration: configuration)
        opened = realm
        return realm
    }

    func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    func makeMission(_ place: Int) -> MissionData {
        let values = data.missions[place]
        let mission = MissionData()
        mission.id = ids[place]
        mission.todayDate = date(values.todayDate)
        mission.wakeUpTime = values.wakeUpTime.map { date($0) }
        mission.startTime = date(values.startTime)
        mission.endTime = date(values.endTime)
        mission.mission = texts[place]
        mission.missionComplete = values.isComplete
        return mission
    }

    func insertBulk() throws -> Answer {
        let realm = try realm()
        try realm.write {
            for place in 0..<data.rowCount { realm.add(makeMission(place)) }
        }
        return Answer(count: data.rowCount)
    }

    func insertIndexed() throws -> Answer {
        opened = nil
        var indexed = configuration
        indexed.objectTypes = [IndexedMissionData.self]
        let realm = try Realm(configuration: indexed)
        try realm.write {
            for (place, values) in data.missions[..<data.rowCount].enumerated() {
                let mission = IndexedMissionData()
                mission.id = ids[place]
                mission.todayDate = date(values.todayDate)
                mission.wakeUpTime = values.wakeUpTime.map { date($0) }
                mission.startTime = date(values.startTime)
                mission.endTime = date(values.endTime)
                mission.mission = texts[place]
                mission.missionComplete = values.isComplete
                realm.add(mission)
            }
        }
        return Answer(count: data.rowCount)
    }

    func insertInThousands() throws -> Answer {
        let realm = try realm()
        for first in stride(from: 0, to: data.rowCount, by: 1_000) {
            try realm.write {
                for place in first..<min(first + 1_000, data.rowCount) { realm.add(makeMission(place)) }
            }
        }
        return Answer(count: data.rowCount)
    }

    /// Also closes the Realm: durability is a file's first opener's.
    func durableConfiguration() -> Realm.Configuration {
        opened = nil
        var durable = configuration
        durable.durability = .full
        return durable
    }

    func insertSmall() throws -> Answer {
        let realm = try Realm(configuration: durableConfiguration())
        let places = data.rowCount..<data.missions.count
        for place in places {
            try realm.write { realm.add(makeMission(place)) }
        }
        return Answer(count: places.count)
    }

    func insertLists() throws -> Answer {
        let realm = try realm()
        try realm.write {
            let missions = realm.objects(MissionData.self)
            for (place, values) in data.lists.enumerated() {
                let list = DateListData()
                list.id = listIDs[place]
                list.today = date(values.today)
                for mission in values.missions { list.mission.append(missions[mission]) }
                realm.add(list)
            }
        }
        return Answer(count: data.lists.count)
    }

    func lookUp() throws -> Answer {
        let realm = try realm()
        var answer = Answer()
        for place in data.lookups {
            guard let mission = realm.object(ofType: MissionData.self, forPrimaryKey: ids[place]) else {
                throw WrongResult(description: "a mission was not found")
            }
            answer.sum += mission.startTime.timeIntervalSinceReferenceDate
            answer.count += mission.missionComplete ? 1 : 0
            answer.count += mission.mission.utf8.count
        }
        return answer
    }

    /// Dates have no sum: see `scan_aggregate`.
    func aggregate() throws -> Answer { throw DoesNotTakePart() }

    func scanRows() throws -> Answer {
        var answer = Answer()
        for mission in try realm().objects(MissionData.self) {
            answer.sum += mission.startTime.timeIntervalSinceReferenceDate
            if mission.missionComplete { answer.count += 1 }
        }
        return answer
    }

    func followLists() throws -> Answer {
        var answer = Answer()
        for list in try realm().objects(DateListData.self) {
            for mission in list.mission {
                answer.sum += mission.startTime.timeIntervalSinceReferenceDate
                answer.count += 1
            }
        }
        return answer
    }

    func followBacklinks() throws -> Answer {
        var answer = Answer()
        for mission in try realm().objects(MissionData.self) {
            guard let list = mission.main.first else { continue }
            answer.sum += list.today.timeIntervalSinceReferenceDate
            answer.count += 1
        }
        return answer
    }

    func updateEach() throws -> Answer {
        let realm = try realm()
        try realm.write {
            for mission in realm.objects(MissionData.self) {
                mission.missionComplete = !mission.missionComplete
            }
        }
        return Answer(count: data.missions.count)
    }

    func deleteHalf() throws -> Answer {
        let realm = try realm()
        var answer = Answer()
        try realm.write {
            for (place, mission) in realm.objects(MissionData.self).enumerated()
            where place < data.rowCount && place.isMultiple(of: 2) {
                realm.delete(mission)
                answer.count += 1
            }
        }
        return answer
    }

    func open(times: Int) throws -> Answer {
        var answer = Answer()
        opened = nil
        for time in 0..<times {
            let realm = try Realm(configuration: configuration)
            let id = ids[data.lookups[time]]
            guard let mission = realm.object(ofType: MissionData.self, forPrimaryKey: id) else {
                throw WrongResult(description: "a mission was not found after opening")
            }
            answer.sum += mission.startTime.timeIntervalSinceReferenceDate
            answer.count += 1
        }
        opened = try realm()
        return answer
    }

    func byteCount() throws -> Int {
        let path = configuration.fileURL?.path ?? ""
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    func contents() throws -> Digest {
        var digest = Digest()
        let realm = try realm()
        for mission in realm.objects(MissionData.self) {
            withBytes(of: mission.id) { key in
                var text = mission.mission
                text.withUTF8 { text in
                    let values = Mission(
                        key: key, todayDate: mission.todayDate.timeIntervalSinceReferenceDate,
                        wakeUpTime: mission.wakeUpTime?.timeIntervalSinceReferenceDate,
                        startTime: mission.startTime.timeIntervalSinceReferenceDate,
                        endTime: mission.endTime.timeIntervalSinceReferenceDate,
                        text: UnsafeRawBufferPointer(text), isComplete: mission.missionComplete)
                    digest.add(values, isComplete: mission.missionComplete)
                }
                for list in mission.main {
                    withBytes(of: list.id) { digest.addBacklink(from: key, to: $0) }
                }
            }
        }
        for list in realm.objects(DateListData.self) {
            withBytes(of: list.id) { key in
                digest.add(listKey: key, today: list.today.timeIntervalSinceReferenceDate)
                for (place, mission) in list.mission.enumerated() {
                    withBytes(of: mission.id) { digest.addLink(from: key, place: place, to: $0) }
                }
            }
        }
        return digest
    }

    private func withBytes(of id: ObjectId, _ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeBytes(of: id) { body($0) }
    }

    func close() throws {
        opened = nil
    }
}
