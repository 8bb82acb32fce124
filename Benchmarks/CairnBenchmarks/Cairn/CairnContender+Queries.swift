internal import Cairn
internal import Foundation

// The queries, as a program would write them.
extension CairnContender: QueryContender {
    func insertReadings() throws -> Answer {
        let realm = try realm()
        try realm.write {
            for place in 0..<data.rowCount {
                let reading = Reading()
                reading.value = data.missions[place].startTime
                reading.flag = data.missions[place].isComplete
                reading.label = texts[data.labelPlace(place)]
                reading.time = date(data.missions[place].endTime)
                realm.add(reading)
            }
        }
        return Answer(count: data.rowCount)
    }

    func countWhere() throws -> Answer {
        let missions = try realm().objects(MissionData.self)
        return Answer(count: missions.filter("mission BEGINSWITH 'ab' AND missionComplete == TRUE").count)
    }

    func materialiseWhere() throws -> Answer {
        var answer = Answer()
        let missions = try realm().objects(MissionData.self)
        for mission in missions.filter("mission BEGINSWITH 'ab' AND missionComplete == TRUE") {
            answer.sum += mission.startTime.timeIntervalSinceReferenceDate
            answer.count += 1
        }
        return answer
    }

    func countRange() throws -> Answer {
        let range = data.valueRange
        let readings = try realm().objects(Reading.self)
        return Answer(count: readings.filter("value BETWEEN %@", [range.lowerBound, range.upperBound]).count)
    }

    func aggregateReadings() throws -> Answer {
        let readings = try realm().objects(Reading.self)
        return Answer(sum: readings.sum(ofProperty: "value"), count: readings.filter("flag == TRUE").count)
    }

    func aggregateWhere() throws -> Answer {
        let readings = try realm().objects(Reading.self).filter("flag == TRUE")
        let sum: Double = readings.sum(ofProperty: "value")
        let mean: Double? = readings.average(ofProperty: "value")
        let least: Double? = readings.min(ofProperty: "value")
        let greatest: Double? = readings.max(ofProperty: "value")
        guard mean != nil, least != nil, greatest != nil else { throw WrongResult(description: "no mean") }
        return Answer(sum: sum, count: readings.count)
    }

    func rangeSorted() throws -> Answer {
        var answer = Answer()
        let range = data.timeRange
        let readings = try realm().objects(Reading.self)
            .filter("time BETWEEN %@", [date(range.lowerBound), date(range.upperBound)])
            .sorted(byKeyPath: "time")
        for reading in readings {
            answer.sum += reading.value
            answer.count += 1
        }
        return answer
    }

    func equalLabels() throws -> Answer {
        var answer = Answer()
        let readings = try realm().objects(Reading.self)
        for label in data.askedLabels {
            for reading in readings.filter("label == %@", texts[label]) {
                answer.sum += reading.value
                answer.count += 1
            }
        }
        return answer
    }

    func sortFirst() throws -> Answer {
        try firstHundred(of: realm().objects(MissionData.self).sorted(byKeyPath: "mission"))
    }

    func sortLimit() throws -> Answer {
        try firstHundred(
            of: realm().objects(MissionData.self).sorted(byKeyPath: "mission").limit(Dataset.firstCount))
    }

    private func firstHundred(of missions: Results<MissionData>) -> Answer {
        var answer = Answer()
        for place in 0..<Dataset.firstCount {
            answer.sum += missions[place].startTime.timeIntervalSinceReferenceDate
            answer.count += 1
        }
        return answer
    }

    func membership() throws -> Answer {
        let keys = data.askedKeys.map { ids[$0] }
        return Answer(count: try realm().objects(MissionData.self).filter("id IN %@", keys).count)
    }

    func anyInList() throws -> Answer {
        Answer(
            count: try realm().objects(DateListData.self).filter("ANY mission.missionComplete == TRUE").count)
    }

    func anyBacklink() throws -> Answer {
        let missions = try realm().objects(MissionData.self)
        return Answer(count: missions.filter("ANY main.today > %@", date(data.askedDay)).count)
    }
}
