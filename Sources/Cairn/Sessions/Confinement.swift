internal import CRuntime

/// Where a live Realm belongs, and what is said of it when it is used elsewhere.
struct Confinement: Sendable {
    let scheduler: any Scheduler
    /// The token of the thread that is always the right one, never reused unlike the ids of threads; 0 where
    /// there is none.
    let token: UInt64
    private let place: CallSite

    init(_ scheduler: any Scheduler, openedAt place: CallSite) {
        self.scheduler = scheduler
        token = scheduler.token
        self.place = place
    }

    /// Whether the calling code runs where the Realm belongs.
    var isHere: Bool { token == cairn_thread_token() || scheduler.isHere }

    /// The sentence for a use elsewhere.
    func violation(_ use: String) -> String {
        """
        Realm accessed from incorrect thread. \(use) was used on \(Self.threadName()); its Realm belongs to \
        \(scheduler.name), where it was opened at \(place). Open a Realm on the thread that needs one, or hand the \
        object over with freeze() or a ThreadSafeReference.
        """
    }

    /// The main thread where the calling code runs on it, or on the main queue; else the calling thread.
    static var currentScheduler: any Scheduler {
        MainScheduler.isHere ? MainScheduler() : ThreadScheduler()
    }

    /// The identity of `currentScheduler`, without making one.
    static var currentIdentity: SchedulerIdentity {
        MainScheduler.isHere ? .main : .thread(cairn_thread_token())
    }

    /// What the calling thread is called.
    static func threadName() -> String {
        if cairn_is_main_thread() { return "the main thread" }
        var buffer = [CChar](repeating: 0, count: 16)
        cairn_copy_thread_name(&buffer)
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? "thread \(cairn_thread_id())" : "thread \(cairn_thread_id()) '\(name)'"
    }
}

/// A place in the program's source.
struct CallSite: Sendable, CustomStringConvertible {
    let file: String
    let line: UInt

    var description: String { "\(file):\(line)" }
}
