internal import CRuntime

/// The thread that a live Realm belongs to, and what is said of it when another one uses it.
struct Confinement: Sendable {
    /// Never reused, unlike the ids of threads.
    let token: UInt64
    private let name: String
    private let place: CallSite

    /// Binds to the calling thread.
    init(openedAt place: CallSite) {
        token = cairn_thread_token()
        name = Self.threadName()
        self.place = place
    }

    /// Whether the calling thread is the one.
    var isHere: Bool { token == cairn_thread_token() }

    /// The sentence for a use on another thread.
    func violation(_ use: String) -> String {
        """
        Realm accessed from incorrect thread. \(use) was used on \(Self.threadName()); its Realm belongs to \
        \(name), where it was opened at \(place). Open a Realm on the thread that needs one, or hand the \
        object over with freeze() or a ThreadSafeReference.
        """
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
