import Cairn
import CairnStorage
import Foundation
import Testing

/// A folder for one test, gone afterwards; its databases are checked at the end.
final class Scratch {
    let folder: URL
    private let types: [ObjectBase.Type]
    private var isChecked = false

    init(_ types: [ObjectBase.Type] = [Person.self, Dog.self]) throws {
        self.types = types
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cairn-tests-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ name: String = "test") -> URL { folder.appendingPathComponent("\(name).cairn") }

    func configuration(_ name: String = "test") -> Realm.Configuration {
        var configuration = Realm.Configuration(fileURL: url(name), objectTypes: types)
        configuration.durability = .none
        return configuration
    }

    func realm(_ name: String = "test") throws -> Realm { try Realm(configuration: configuration(name)) }

    /// Checks the whole file: pages, chunks, indexes, links.
    func verify(_ name: String = "test") throws {
        let report = try Verify.run(StoreOptions(path: url(name).path))
        #expect(report.findings.isEmpty, "\(report.findings)")
    }
}

/// What goes wrong for one test must not be taken for another's.
struct TestFailure: Error, Equatable {
    let number: Int

    init(_ number: Int = 1) {
        self.number = number
    }
}

/// Runs a closure on a thread of its own and waits for it.
func onNewThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let box = ThreadResult<Result>()
    let thread = Thread {
        box.result = Swift.Result { try body() }
        box.done.signal()
    }
    thread.start()
    box.done.wait()
    guard let result = box.result else { throw TestFailure() }
    return try result.get()
}

private final class ThreadResult<Success: Sendable>: @unchecked Sendable {
    // @unchecked: written by the one thread before the signal that the other waits for.
    var result: Result<Success, any Error>?
    let done = DispatchSemaphore(value: 0)
}
