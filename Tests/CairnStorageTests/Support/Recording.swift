import CairnStorage

/// What other threads have told a test, in order, and a way to wait for it without sleeping.
final class Recording<Element: Sendable>: Sendable {
    private let monitor = Monitor<[Element]>([])

    func append(_ element: Element) {
        monitor.withLock { $0.append(element) }
        monitor.notifyAll()
    }

    var all: [Element] { monitor.withLock { $0 } }

    /// Waits until the elements so far fulfil a condition. False after a minute: then something hangs.
    func wait(until condition: ([Element]) -> Bool) -> Bool {
        monitor.wait(until: MonotonicTime.now + .seconds(60)) { condition($0) ? () : nil } != nil
    }

    /// Waits for the next so many elements behind those that there are now.
    func waitForMore(_ count: Int) -> Bool {
        let soFar = all.count
        return wait { $0.count >= soFar + count }
    }
}
