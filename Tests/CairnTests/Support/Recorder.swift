import Foundation

/// What a closure that may run on any thread has noted.
final class Recorder<Element: Sendable>: @unchecked Sendable {
    // @unchecked: the values are used under the lock alone.
    private let lock = NSLock()
    private var noted: [Element] = []

    func append(_ element: Element) { lock.withLock { noted.append(element) } }

    var values: [Element] { lock.withLock { noted } }
}
