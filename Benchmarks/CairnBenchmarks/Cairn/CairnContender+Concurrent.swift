internal import Cairn
internal import Foundation

// Eight queues with a Realm each, that ask for their writes without waiting.
extension CairnContender: ConcurrentContender {
    var rowCount: Int { data.rowCount }

    func insertSmall(_ count: Int, writers: Int) throws -> Answer {
        let configuration = durableConfiguration()
        let group = DispatchGroup()
        let failure = NSLock()
        nonisolated(unsafe) var first: (any Error)?
        nonisolated(unsafe) let contender = self
        for writer in 0..<writers {
            let queue = DispatchQueue(label: "writer \(writer)")
            group.enter()
            queue.async {
                defer { group.leave() }
                do {
                    let realm = try Realm(configuration: configuration, queue: queue)
                    for place in stride(from: writer, to: count, by: writers) {
                        group.enter()
                        realm.writeAsync {
                            realm.add(contender.makeMission(place))
                        } onComplete: { error in
                            if let error { failure.withLock { first = first ?? error } }
                            group.leave()
                        }
                    }
                } catch {
                    failure.withLock { first = first ?? error }
                }
            }
        }
        group.wait()
        if let first { throw first }
        try realm().refresh()
        return Answer(count: count)
    }
}
