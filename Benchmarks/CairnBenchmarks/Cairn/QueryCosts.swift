internal import CAllocations
internal import Cairn
internal import Foundation

/// What queries cost besides time: how many pieces of memory they ask for. That of a scan must not depend on
/// the number of rows.
struct QueryCosts {
    private static let rowCounts = [10_000, 100_000]

    let directory: String

    func run() throws {
        print("allocations of                                 10,000 rows  100,000 rows")
        let realms = try Self.rowCounts.map(realm)
        report("count: a number in a range", realms) { $0.filter("value BETWEEN {100, 200}").count }
        report("count: a bool and the begin of a text", realms) {
            $0.filter("flag == TRUE AND label BEGINSWITH 'l1'").count
        }
        report("count: CONTAINS[c]", realms) { $0.filter("label CONTAINS[c] 'L77'").count }
        report("sum of a number", realms) { Int($0.sum(ofProperty: "value") as Double) }
        report("a loop over all, two properties read", realms) { readings in
            var count = 0
            for reading in readings where reading.flag && reading.value > 5 { count += 1 }
            return count
        }
    }

    private func realm(_ rowCount: Int) throws -> Realm {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: "\(directory)/queries-\(rowCount).cairn"),
            objectTypes: [Reading.self])
        configuration.durability = .none
        let realm = try Realm(configuration: configuration)
        try realm.write {
            for index in 0..<rowCount {
                let reading = Reading()
                reading.value = Double(index % 1_000)
                reading.flag = index.isMultiple(of: 2)
                reading.label = "l\(index % 5_000)"
                realm.add(reading)
            }
        }
        return realm
    }

    private func report(_ name: String, _ realms: [Realm], _ query: (Results<Reading>) -> Int) {
        let counts = realms.map { realm -> String in
            let readings = realm.objects(Reading.self)
            // The first time every chunk is looked up, which takes memory of its own.
            precondition(query(readings) >= 0, "a count is negative")
            let before = cairn_allocation_count()
            let answer = query(readings)
            let count = cairn_allocation_count() - before
            precondition(answer >= 0, "a count is negative")
            return String(count)
        }
        let columns = counts.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }
        print(name.padding(toLength: 44, withPad: " ", startingAt: 0), columns.joined(), separator: "")
    }
}
