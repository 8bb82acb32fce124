internal import CairnStorage
public import Dispatch
internal import Foundation

// Opening without blocking, and for an actor.

extension Realm {
    /// When something is downloaded before a Realm is opened. There is nothing to download; for programs
    /// written for Realm.
    public enum OpenBehavior: Sendable {
        case never
        case once
        case always
    }

    /// Opens a file for an actor: the Realm and all that is read through it belong to it.
    ///
    /// What takes time (a file that is new, classes that have to be added) happens elsewhere first.
    ///
    /// - Parameter actor: the actor that the calling code runs on. The main actor is the main thread.
    /// - Throws: as `init(configuration:queue:)`; `CancellationError` in a task that was cancelled.
    public init<A: Actor>(
        configuration: Configuration = .defaultConfiguration, actor: isolated A,
        downloadBeforeOpen: OpenBehavior = .never, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        self = try await Realm.open(
            configuration: configuration, _isolation: actor, downloadBeforeOpen: downloadBeforeOpen,
            file: file,
            line: line)
    }

    /// Opens a file for the main actor.
    ///
    /// - Throws: as `init(configuration:actor:)`.
    @MainActor
    public init(
        configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        self = try await Realm.open(
            configuration: configuration, downloadBeforeOpen: downloadBeforeOpen, file: file, line: line)
    }

    /// Opens a file for the actor that the calling code runs on, like `init(configuration:actor:)`.
    ///
    /// - Throws: as `init(configuration:queue:)`; `CancellationError` in a task that was cancelled.
    public static func open(
        configuration: Configuration = .defaultConfiguration,
        _isolation actor: isolated any Actor = #isolation, downloadBeforeOpen: OpenBehavior = .never,
        file: StaticString = #fileID, line: UInt = #line
    ) async throws -> Realm {
        try Task.checkCancellation()
        let place = CallSite(file: "\(file)", line: line)
        // Kept until the Realm of the actor holds the file.
        let prepared = try await Task.detached { try SessionOpening(configuration, openedAt: place).open() }
            .value
        try Task.checkCancellation()
        let session = try SessionOpening(configuration, in: ActorScheduler.of(actor), openedAt: place).open()
        withExtendedLifetime(prepared) {}
        return Realm(session)
    }

    /// Opens a file elsewhere, and calls a block on a queue with the Realm that belongs to it.
    ///
    /// - Parameters:
    ///   - callbackQueue: a serial queue.
    ///   - callback: called once, with the Realm, or with what `init(configuration:queue:)` throws; with
    ///     `CancellationError` after `cancel()`.
    /// - Returns: what the opening can be given up with.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
        callback: @escaping @Sendable (Result<Realm, any Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        let task = AsyncOpenTask()
        let place = CallSite(file: "asyncOpen", line: 0)
        DispatchQueue.global().async {
            let prepared = Result { try SessionOpening(configuration, openedAt: place).open() }
            callbackQueue.async {
                if task.isCancelled { return callback(.failure(CancellationError())) }
                callback(
                    Result {
                        let kept = try prepared.get()
                        defer { withExtendedLifetime(kept) {} }
                        return try Realm(configuration: configuration, queue: callbackQueue)
                    })
            }
        }
        return task
    }

    /// A file that is being opened.
    public final class AsyncOpenTask: Sendable {
        // Under a lock: any thread may cancel.
        private let state = Guarded(false)

        init() {}

        var isCancelled: Bool { state.withLock { $0 } }

        /// Gives the opening up: the block is told so instead.
        public func cancel() { state.withLock { $0 = true } }
    }

    /// Moves to the newest version, of a Realm that belongs to an actor, and tells those who listen.
    ///
    /// - Returns: whether there was one; false in a task that was cancelled. What listens has been told.
    @discardableResult
    public func asyncRefresh(_isolation: isolated (any Actor)? = #isolation) async -> Bool {
        if Task.isCancelled { return false }
        return refresh()
    }
}
